"""`targi serve --init` and `targi admin` from outside, over a real arena."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from arena_process import Arena, arena, targi, wait_for
from spare_port import free_port

SHOWN = re.compile(r"administrator's token, shown this once: (targi_admin_\S+)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    flags = ("--init", "--workers", "2", "--log-level", "debug", "--log-format", "json")
    with arena(tmp_path_factory.mktemp("admin") / "data", *flags) as running:
        yield running


@pytest.fixture(scope="module")
def token(server: Arena) -> str:
    (found,) = SHOWN.findall(server.log_path.read_text())
    return str(found)


def admin(server: Arena, token: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code and both outputs of `targi admin`."""
    done = targi("admin", *arguments, env={"TARGI_TOKEN": token, "TARGI_SERVER": server.address})
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def test_the_first_token_opens_and_is_kept_as_a_hash_only(server: Arena, token: str) -> None:
    assert admin(server, token, "pause") == (0, "pairing of all is paused", "")
    files = [path for path in server.data_dir.rglob("*") if path.is_file()]
    secret = token.partition("targi_admin_")[2].encode()
    assert any(path.stat().st_size > 1_000 for path in files)
    assert not any(secret in path.read_bytes() for path in files)


def test_acts_are_answered_in_words_or_in_json(server: Arena, token: str) -> None:
    code, said, _ = admin(server, token, "pause", "base", "--reason", "a new disk", "--json")
    assert code == 0
    assert json.loads(said) == {"done": "PausePairing", "ruleset": "base", "reason": "a new disk"}
    assert admin(server, token, "resume")[1] == "pairing of all goes on"


def test_a_refusal_is_one_line_and_exit_code_1(server: Arena, token: str) -> None:
    code, said, why = admin(server, token, "ban", "nobody", "--reason", "no reason")
    assert (code, said) == (1, "")
    assert why == "targi: there is no bot 'nobody'"
    assert "no match" in admin(server, token, "abort", "0123456789abcdef")[2]
    assert "no replica" in admin(server, token, "drain", "nowhere")[2]


def test_a_second_administrator_comes_and_goes(server: Arena, token: str, tmp_path: Path) -> None:
    _, said, _ = admin(server, token, "token", "create", "second-admin", "--json")
    file = tmp_path / "token"
    file.write_text(json.loads(said)["token"] + "\n")
    assert admin(server, "", "pause", "--token-file", str(file))[0] == 0
    assert admin(server, token, "token", "revoke", "second-admin")[0] == 0
    code, _, why = admin(server, "", "resume", "--token-file", str(file))
    assert (code, "unknown or was revoked" in why) == (1, True)


def test_no_token_but_the_first_is_in_the_log_or_in_the_metrics(server: Arena, token: str) -> None:
    _, said, _ = admin(server, token, "token", "create", "third-admin", "--json")
    secret = json.loads(said)["token"].partition("targi_admin_")[2]
    log = server.log_path.read_text()
    assert '"act": "CreateAdminToken"' in log
    assert secret not in log + server.metrics()
    assert log.count(token) == 1
    assert admin(server, token, "token", "revoke", "third-admin")[0] == 0


def test_without_a_token_or_an_arena_it_says_what_to_do(server: Arena, token: str) -> None:
    assert "--token-file" in admin(server, "", "pause")[2]
    nobody = f"127.0.0.1:{free_port()}"
    assert f"{nobody} does not answer" in admin(server, token, "pause", "--server", nobody)[2]
    assert "no address" in admin(server, token, "pause", "--server", "ftp://there")[2]
    assert "--cert=cert.pem: --cert and" in admin(server, token, "pause", "--cert", "cert.pem")[2]
    assert "--key=key.pem: --cert and" in admin(server, token, "pause", "--key", "key.pem")[2]
    missing_file = admin(server, "", "pause", "--token-file", "nowhere")[2]
    assert missing_file == "targi: --token-file=nowhere: it cannot be read: No such file or directory"


def test_the_first_token_is_shown_once_however_often_it_is_asked_for(tmp_path: Path) -> None:
    with arena(tmp_path / "data", "--init") as server:
        server.kill9("worker")
        server.stop()
        server.start()
        assert len(SHOWN.findall(server.log_path.read_text())) == 1


def missing(server: Arena) -> list[str]:
    """What stands in the way of readiness, as the page says."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.http_port}/readyz", timeout=10):
            return []
    except urllib.error.HTTPError as error:
        with error:
            assert error.code == 503
            return list(json.loads(error.read())["missing"])


def test_a_server_is_not_ready_while_all_its_workers_drain(server: Arena, token: str) -> None:
    names = set(re.findall(r"replica (\w+) serves", server.log_path.read_text()))
    assert len(names) == 2
    (first,) = re.findall(r"^worker (\w+) drains", admin(server, token, "drain")[1])
    assert first in names
    assert missing(server) == []
    (second,) = names - {first}
    assert json.loads(admin(server, token, "drain", second, "--json")[1])["replica"] == second
    drained = "a worker that does not drain"
    wait_for("the page to say so", lambda: missing(server) == [drained])


def test_a_drained_worker_comes_back_as_the_command_says_and_nobody_complains(
    server: Arena, token: str
) -> None:
    _, said, _ = admin(server, token, "drain")
    (name,) = re.findall(r"^worker (\w+) drains: .* SIGTERM .*replica=\1 pid=", said)
    entries = [json.loads(line) for line in server.log_path.read_text().splitlines() if line[0] == "{"]
    pid = next(entry["pid"] for entry in entries if entry.get("replica") == name and "pid" in entry)
    psutil.Process(pid).terminate()
    wait_for("a new worker", lambda: missing(server) == [])
    log = server.log_path.read_text()
    assert "worker was told to end and is started again" in log
    assert '"level": "error"' not in log


def test_an_administrator_makes_owners_where_registration_is_closed(tmp_path: Path) -> None:
    with arena(tmp_path / "data", "--init", "--no-open-registration") as closed:
        (secret,) = SHOWN.findall(closed.log_path.read_text())
        where = {"TARGI_SERVER": closed.address, "TARGI_HOME": str(tmp_path), "TARGI_TOKEN": ""}
        refused = targi("owner", "create", "newcomer", env=where)
        assert (refused.returncode, "administrator" in refused.stderr) == (1, True)
        made = targi("owner", "create", "newcomer", env={**where, "TARGI_TOKEN": secret})
        assert made.returncode == 0, made.stderr
        bot = targi("bot", "register", "new-bot", "--owner", "newcomer", env=where)
        assert bot.returncode == 0, bot.stderr
