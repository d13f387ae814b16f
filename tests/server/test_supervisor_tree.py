"""The process tree of a real arena: who lives, who dies with whom, and what is left."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from arena_process import Arena, arena, get, pids_with, role_of, wait_for
from targi_server.ports import bound, probe

LINUX = sys.platform == "linux"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Arena]:
    with arena(tmp_path / "data", "--workers", "2") as running:
        yield running


def refused(*flags: str) -> str:
    """What a server that does not start says."""
    done = subprocess.run(
        [sys.executable, "-m", "targi_server", *flags],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    return done.stderr.splitlines()[-1]


def ready(server: Arena) -> str | None:
    return get(f"http://127.0.0.1:{server.http_port}/readyz")


def pids(server: Arena, role: str) -> set[int]:
    return {process.pid for process in server.find_all(role)}


def assert_nothing_left(server: Arena, tree: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(tree, timeout=10)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
    assert pids_with(str(server.data_dir)) == []
    for port in (server.port, server.http_port):
        bound("127.0.0.1", port).close()


def test_a_redis_and_the_workers_are_children_in_sessions_of_their_own(server: Arena) -> None:
    _, *children = server.tree()
    assert sorted(map(role_of, children)) == ["redis", "worker", "worker"]
    assert [os.getsid(child.pid) for child in children] == [child.pid for child in children]


def test_a_killed_worker_is_started_again_and_the_others_go_on(server: Arena) -> None:
    before = pids(server, "worker")
    server.kill9("worker")
    wait_for(
        "two workers, one of them new", lambda: len(now := pids(server, "worker")) == 2 and now != before
    )
    wait_for(
        "the count of the restart",
        lambda: (
            'targi_children{child="worker"} 2.0' in (text := server.metrics())
            and 'targi_child_restarts_total{child="worker"} 1.0' in text
        ),
    )
    assert len(before & pids(server, "worker")) == 1
    assert ready(server)


def test_a_killed_redis_is_started_again_under_the_same_workers(server: Arena) -> None:
    workers, redis = pids(server, "worker"), pids(server, "redis")
    server.kill9("redis")
    wait_for("another Redis", lambda: (now := pids(server, "redis")) and now != redis and ready(server))
    assert pids(server, "worker") == workers


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_leaves_no_process_no_port_and_no_socket(tmp_path: Path, number: signal.Signals) -> None:
    with arena(tmp_path / "data") as server:
        tree = server.tree()
        assert server.process is not None
        server.process.send_signal(number)
        assert server.process.wait(30) == 0
        assert_nothing_left(server, tree)
        assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
            "appendonlydir",
            "archive",
            "lock",
            "redis.conf",
            "redis.log",
            "server.json",
        ]


def test_ctrl_c_while_it_starts_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "targi_server", "--port", "0", "--http-port", "0"]
    with subprocess.Popen([*command, "--data-dir", str(tmp_path), "--workers", "2"]) as process:
        supervisor = psutil.Process(process.pid)
        wait_for("the first worker", lambda: "worker" in map(role_of, supervisor.children()))
        tree = supervisor.children()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    _, alive = psutil.wait_procs(tree, timeout=10)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []
    assert pids_with(str(tmp_path)) == []


@pytest.mark.skipif(not LINUX, reason="elsewhere the Redis of a killed supervisor lives on and is adopted")
def test_a_killed_supervisor_takes_all_along_and_the_next_finds_everything_free(server: Arena) -> None:
    tree = server.tree()
    server.kill9("supervisor")
    assert server.log is not None
    server.log.close()
    server.start()
    assert not set(tree) & set(server.tree())
    assert ready(server)


def test_the_announcement_says_where_it_listens(server: Arena) -> None:
    text = server.log_path.read_text()
    assert f"gRPC on 127.0.0.1:{server.port} (2 workers)" in text
    assert f"page on http://127.0.0.1:{server.http_port}/" in text


@pytest.mark.parametrize("flag", ["--port", "--http-port"])
def test_a_port_in_use_is_refused_with_the_flag_that_helps(tmp_path: Path, flag: str) -> None:
    with bound("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        other = "--http-port" if flag == "--port" else "--port"
        words = refused("--data-dir", str(tmp_path), other, "0", flag, port)
    assert f"127.0.0.1:{port}: Address already in use" in words
    assert f"give another with {flag}" in words


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("300.1.1.1", "that is neither an address nor a name"),
        ("a..b", "that is neither an address nor a name"),
        ("192.0.2.1", "this machine has no such address"),
    ],
)
@pytest.mark.parametrize("flag", ["--host", "--http-host"])
def test_an_address_that_cannot_be_had_is_refused_with_the_flag_that_helps(
    tmp_path: Path, flag: str, host: str, words: str
) -> None:
    ports = ("--port", "7400", "--http-port", "0") if flag == "--host" else ("--port", "0")
    said = refused("--data-dir", str(tmp_path), *ports, flag, host)
    assert f"{host}:" in said
    assert words in said
    assert f"with {flag}" in said
    assert "stop who has it" not in said


def test_a_running_servers_port_is_in_use_for_the_next(server: Arena) -> None:
    data = server.data_dir.parent / "other"
    words = refused("--data-dir", str(data), "--port", str(server.port), "--http-port", "0")
    assert f"cannot have the gRPC port 127.0.0.1:{server.port}" in words


def test_a_directory_in_use_is_refused_with_the_pid(server: Arena) -> None:
    assert server.process is not None
    words = refused("--data-dir", str(server.data_dir), "--port", "0", "--http-port", "0")
    assert f"in use by the supervisor with pid {server.process.pid}" in words


def test_a_bad_setting_is_refused_with_key_and_value() -> None:
    assert refused("--workers", "none") == "targi: --workers=none: a whole number from 1 to 64 is needed"


@pytest.mark.full
def test_a_worker_that_dies_five_times_in_a_minute_ends_the_arena_with_the_reason(tmp_path: Path) -> None:
    with arena(tmp_path / "data") as server:
        for _ in range(5):
            kill_and_wait_for_another(server)
        assert server.process is not None
        assert server.process.wait(30) == 1
        words = "worker died five times in a minute, the last time: worker 0 ended"
        assert words in server.log_path.read_text()
        assert_nothing_left(server, [])


def kill_and_wait_for_another(server: Arena) -> None:
    """Kills the worker; returns when there is another or the arena is over."""
    before = server.find("worker")
    server.kill9("worker")
    wait_for("its end or another", lambda: ended(server) or renewed(server, before))


def ended(server: Arena) -> bool:
    assert server.process is not None
    return server.process.poll() is not None


def renewed(server: Arena, before: psutil.Process) -> bool:
    """Whether another worker than `before` is there and ready."""
    return bool(pids(server, "worker") - {before.pid} and ready(server))


def test_a_port_that_is_free_can_be_had_again_at_once() -> None:
    port = probe("127.0.0.1", 0)
    assert probe("127.0.0.1", port) == port
