"""Container image, compose file and provisioning agree with each other and with the server."""

import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from targi_server.options import environment_key, read
from targi_server.settings import Settings, settable

# Any: documents of foreign formats.
Document = dict[str, Any]


@pytest.fixture(scope="module")
def image(deploy: Path) -> dict[str, list[str]]:
    """Instructions of the final stage of the Dockerfile, by their word, with their arguments."""
    text = re.sub(r"\\\n", " ", (deploy / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    last = max(index for index, line in enumerate(lines) if line.startswith("FROM "))
    found: dict[str, list[str]] = {}
    for line in lines[last:]:
        word, _, arguments = line.strip().partition(" ")
        found.setdefault(word, []).append(" ".join(arguments.split()))
    return found


@pytest.fixture(scope="module")
def environment(image: dict[str, list[str]]) -> dict[str, str]:
    """Variables that the image sets."""
    return dict(pair.split("=", 1) for line in image["ENV"] for pair in shlex.split(line))


def settings_variables() -> set[str]:
    return {environment_key(name) for name in settable()}


def published(service: Document) -> dict[str, str]:
    """Container ports of a service, with the address and port of the host that lead there."""
    return {entry.rpartition(":")[2]: entry.rpartition(":")[0] for entry in service.get("ports", [])}


def test_the_image_sets_only_variables_that_the_server_reads(environment: dict[str, str]) -> None:
    assert {key for key in environment if key.startswith("TARGI_")} <= settings_variables()


def test_the_image_listens_on_all_addresses_at_the_default_ports(
    image: dict[str, list[str]], environment: dict[str, str]
) -> None:
    settings = read({}, environment)
    assert settings.host == settings.http_host == "0.0.0.0"
    assert (settings.port, settings.http_port) == (Settings().port, Settings().http_port)
    assert image["EXPOSE"] == [f"{settings.port} {settings.http_port}"]
    assert f":{settings.http_port}/readyz" in image["HEALTHCHECK"][0]


def test_the_image_runs_without_root(image: dict[str, list[str]]) -> None:
    (user,) = image["USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert image["ENTRYPOINT"] == ['["targi", "serve"]']


def test_the_data_directory_of_the_image_is_its_volume(
    image: dict[str, list[str]], environment: dict[str, str]
) -> None:
    assert image["VOLUME"] == [environment["TARGI_DATA_DIR"]]


def test_what_the_image_is_built_from_is_in_the_repository(deploy: Path) -> None:
    lines = (deploy / "Dockerfile.dockerignore").read_text().splitlines()
    needed = {"pyproject.toml", "README.md", "LICENSE", "engine", "sdk", "bots", "server", "proto"}
    kept = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert needed <= kept
    assert all((deploy.parent / name).exists() for name in needed)


@pytest.mark.full
def test_what_the_image_is_built_from_is_enough_for_a_wheel_with_the_server(
    deploy: Path, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for line in (deploy / "Dockerfile.dockerignore").read_text().splitlines():
        path = deploy.parent / line[1:]
        if line.startswith("!") and path.is_dir():
            shutil.copytree(path, source / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif line.startswith("!") and path.exists():
            shutil.copy(path, source)
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(source)]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("targi-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    scripts = {path.name for path in (deploy.parent / "server").rglob("*.lua")}
    assert scripts <= {Path(name).name for name in names}
    assert {"targi_server/launcher.py", "targi_sdk/cli.py", "targi/v1/play_pb2.py"} <= names


def test_compose_sets_only_variables_that_the_server_reads(compose: Document) -> None:
    assert set(compose["services"]["server"]["environment"]) <= settings_variables()


def test_the_server_of_compose_starts_with_its_variables(
    compose: Document, environment: dict[str, str]
) -> None:
    given = {
        key: re.sub(r"\$\{\w+:-(\w*)\}", r"\1", value)
        for key, value in compose["services"]["server"]["environment"].items()
    }
    settings = read({}, environment | given)
    assert settings.redis_url is not None
    address = urlsplit(settings.redis_url)
    assert address.hostname in compose["services"]
    assert not settings.open_registration


def test_compose_publishes_the_servers_ports_and_only_grpc_to_other_machines(compose: Document) -> None:
    settings = Settings()
    ports = published(compose["services"]["server"])
    assert ports == {
        str(settings.port): str(settings.port),
        str(settings.http_port): f"127.0.0.1:{settings.http_port}",
    }
    for name, service in compose["services"].items():
        if name != "server":
            assert all(host.startswith("127.0.0.1:") for host in published(service).values())


def test_a_stop_has_more_than_the_grace_time(compose: Document) -> None:
    server = compose["services"]["server"]
    assert int(server["stop_grace_period"].rstrip("s")) > float(server["environment"]["TARGI_GRACE_S"]) + 5


def test_what_compose_depends_on_and_mounts_exists(compose: Document, deploy: Path) -> None:
    for service in compose["services"].values():
        assert set(service.get("depends_on", [])) <= set(compose["services"])
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert (deploy / source).exists() if source.startswith(".") else source in compose["volumes"]


def test_the_redis_of_compose_keeps_what_it_is_told(compose: Document) -> None:
    command = compose["services"]["redis"]["command"]
    assert {"--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"} <= set(command)
    assert "--auto-aof-rewrite-percentage 100" in command


def test_prometheus_scrapes_the_http_port_of_the_server(prometheus: Document, compose: Document) -> None:
    (job,) = prometheus["scrape_configs"]
    ((target,),) = (entry["targets"] for entry in job["static_configs"])
    host, port = target.split(":")
    assert host in compose["services"]
    assert int(port) == Settings().http_port


def test_prometheus_finds_its_files_where_compose_mounts_them(
    prometheus: Document, compose: Document
) -> None:
    service = compose["services"]["prometheus"]
    mounted = {mount.split(":")[1] for mount in service["volumes"]}
    (configuration,) = (
        word.split("=")[1] for word in service["command"] if word.startswith("--config.file=")
    )
    assert configuration in mounted
    assert {str(Path(configuration).parent / name) for name in prometheus["rule_files"]} <= mounted


def test_grafana_finds_prometheus_and_the_dashboard(compose: Document, deploy: Path) -> None:
    provisioning = deploy / "grafana" / "provisioning"
    (source,) = yaml.safe_load((provisioning / "datasources" / "prometheus.yaml").read_text())["datasources"]
    (provider,) = yaml.safe_load((provisioning / "dashboards" / "targi.yaml").read_text())["providers"]
    grafana = compose["services"]["grafana"]
    mounted = dict(mount.split(":")[1::-1] for mount in grafana["volumes"])
    address = urlsplit(source["url"])
    assert address.hostname in compose["services"]
    assert str(address.port) in published(compose["services"][address.hostname or ""])
    home = Path(grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert str(home.parent) == provider["options"]["path"]
    assert (deploy / mounted[str(home.parent)] / home.name).is_file()
    assert mounted["/etc/grafana/provisioning"] == "./grafana/provisioning"


def test_no_password_stands_in_a_file(compose: Document) -> None:
    assert compose["services"]["grafana"]["environment"]["GF_SECURITY_ADMIN_PASSWORD"].startswith(
        "${GRAFANA_PASSWORD:?"
    )


def test_panels_have_ids_of_their_own_a_description_and_a_place_of_their_own(dashboard: Document) -> None:
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(panel.get("description") for panel in panels if panel["type"] != "row")
    for one, two in combinations([panel["gridPos"] for panel in panels], 2):
        apart = one["x"] + one["w"] <= two["x"] or two["x"] + two["w"] <= one["x"]
        assert apart or one["y"] + one["h"] <= two["y"] or two["y"] + two["h"] <= one["y"]


def test_panels_ask_the_data_source_that_the_reader_chose(dashboard: Document) -> None:
    (variable,) = dashboard["templating"]["list"]
    assert (variable["type"], variable["query"]) == ("datasource", "prometheus")
    chosen = {"type": "prometheus", "uid": f"${{{variable['name']}}}"}
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            assert target["datasource"] == panel["datasource"] == chosen
