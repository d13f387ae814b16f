"""Every query of dashboard and alerts against a real Prometheus that scrapes a live server under play."""

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import prometheus_process
import pytest
import yaml
from arena_process import Arena, arena, wait_for

# Any: documents of foreign formats.
Document = dict[str, Any]

pytestmark = pytest.mark.full

COMPARISON = re.compile(r" (==|>=|<=|>|<) ")
WITHIN_S = 180.0
PLAY = "/targi.v1.MatchService/Play"
STANDINGS = "/targi.v1.LadderService/GetStandings"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> prometheus_process.Programs:
    return prometheus_process.programs(tmp_path_factory.mktemp("programs"))


@contextmanager
def bot(server: Arena, name: str, folder: Path) -> Iterator[None]:
    """A reference bot of an owner of its own that plays on the ladder."""
    with (
        (folder / f"{name}.log").open("wb") as output,
        subprocess.Popen(
            [
                *(
                    sys.executable,
                    "-m",
                    "targi_sdk.cli",
                    "bot",
                    "run",
                    "random",
                    "--name",
                    name,
                    "--register",
                ),
                *("--owner", f"of-{name}", "--server", server.address, "--capacity", "4", "--in-process"),
            ],
            env={**os.environ, "TARGI_HOME": str(folder / name)},
            stdout=output,
            stderr=output,
        ) as process,
    ):
        try:
            yield
        finally:
            process.kill()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena of two workers on which bots play. A worker and Redis died, and somebody sent rubbish."""
    folder = tmp_path_factory.mktemp("live")
    with ExitStack() as stack:
        server = stack.enter_context(arena(folder / "data", "--workers", "2"))
        for name in ("anna", "bela", "carl"):
            stack.enter_context(bot(server, name, folder))
        wait_for(
            "played matches", lambda: has(server, r'targi_matches_ended_total\{termination="normal"\} [1-9]')
        )
        send_rubbish(server)
        server.kill9("worker")
        server.kill9("redis")
        yield server


def has(server: Arena, pattern: str) -> bool:
    return re.search(pattern, server.metrics()) is not None


def send_rubbish(server: Arena) -> None:
    """A call that is refused and a stream that says nothing sensible."""
    with grpc.insecure_channel(server.address) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        for frame in (b"", b"\xff\xff"):
            with pytest.raises(grpc.RpcError):
                list(play(iter([frame]), timeout=10))


def ask_for_standings(server: Arena) -> None:
    """A unary call; whether it is answered does not matter."""
    with grpc.insecure_channel(server.address) as channel:
        ask: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(STANDINGS)
        with suppress(grpc.RpcError):
            ask(b"", timeout=10)


@pytest.fixture(scope="module")
def prometheus(
    live: Arena, programs: prometheus_process.Programs, deploy: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[prometheus_process.Server]:
    """Prometheus with the configuration that is shipped, but in a hurry and with that arena as its target."""
    folder = tmp_path_factory.mktemp("prometheus")
    shutil.copy(deploy / "prometheus" / "alerts.yml", folder)
    configuration = yaml.safe_load((deploy / "prometheus" / "prometheus.yml").read_text())
    configuration["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    configuration["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{live.http_port}"]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))
    with prometheus_process.running(
        programs.prometheus, folder / "prometheus.yml", folder / "data"
    ) as server:
        yield server


def as_asked(query: str) -> str:
    """A query that has values also when nothing is wrong: comparisons say 0 or 1 and drop nothing."""
    return COMPARISON.sub(r" \1 bool ", query.replace("$__rate_interval", "30s"))


def is_answered(server: prometheus_process.Server, query: str) -> bool:
    """Whether there is a number among its values."""
    return any(math.isfinite(value) for value in server.values(as_asked(query)))


def test_the_shipped_configuration_and_rules_are_valid(
    programs: prometheus_process.Programs, deploy: Path
) -> None:
    folder = deploy / "prometheus"
    prometheus_process.run(programs.promtool, "check", "config", "prometheus.yml", folder=folder)
    prometheus_process.run(programs.promtool, "check", "rules", "--lint-fatal", "alerts.yml", folder=folder)


def test_each_alert_fires_and_is_silent_as_its_tests_say(
    programs: prometheus_process.Programs, deploy: Path
) -> None:
    prometheus_process.run(
        programs.promtool, "test", "rules", "alerts_test.yml", folder=deploy / "prometheus"
    )


def test_the_arena_is_scraped(prometheus: prometheus_process.Server) -> None:
    wait_for("a scrape", lambda: prometheus.values('up{job="targi"}') == [1.0])


def test_what_the_arena_shows_is_good_style(programs: prometheus_process.Programs, live: Arena) -> None:
    done = subprocess.run(
        [programs.promtool, "check", "metrics"],
        input=live.metrics(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_query_of_dashboard_and_alerts_has_data(
    live: Arena, prometheus: prometheus_process.Server, queries: dict[str, str]
) -> None:
    left = dict(queries)

    def all_answered() -> bool:
        ask_for_standings(live)
        for name, query in queries.items():
            if name in left and is_answered(prometheus, query):
                del left[name]
        return not left

    try:
        wait_for("data", all_answered, WITHIN_S)
    except AssertionError as error:
        raise AssertionError(f"no data for {left}") from error


def test_prometheus_evaluates_the_shipped_rules_and_sees_the_worker_that_died(
    prometheus: prometheus_process.Server, alerts: list[Document]
) -> None:
    (group,) = prometheus.ask("rules")["groups"]
    assert [rule["name"] for rule in group["rules"]] == [rule["alert"] for rule in alerts]
    wait_for("evaluation", lambda: {rule["health"] for rule in rules(prometheus)} == {"ok"})


def rules(prometheus: prometheus_process.Server) -> list[Document]:
    return [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
