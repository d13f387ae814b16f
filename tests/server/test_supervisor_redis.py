"""A server on an outside Redis: one that is not there, too old, lost and back."""

import json
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from arena_process import arena, wait_for
from spare_port import free_port


class RedisServer(Protocol):
    """What the fixture of this directory gives."""

    @property
    def url(self) -> str: ...

    def start(self) -> None: ...

    def kill(self) -> None: ...


INFO = "# Server\r\nredis_version:{version}\r\nredis_mode:standalone\r\n"


@contextmanager
def old_redis(version: str) -> Iterator[int]:
    """Port of somebody who says on any connection, to any command, that he is a Redis of that version."""
    body = INFO.format(version=version)
    answer = f"${len(body)}\r\n{body}\r\n".encode()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_all, args=(listener, answer), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def answer_all(listener: socket.socket, answer: bytes) -> None:
    while True:
        try:
            peer, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=answer_one, args=(peer, answer), daemon=True).start()


def answer_one(peer: socket.socket, answer: bytes) -> None:
    """INFO is answered in full, anything that introduces a client with OK."""
    with peer, peer.makefile("rb") as lines:
        while count := lines.readline():
            words = [read_word(lines) for _ in range(int(count[1:]))]
            peer.sendall(answer if words[0].upper() == b"INFO" else b"+OK\r\n")


def read_word(lines: BinaryIO) -> bytes:
    return lines.read(int(lines.readline()[1:]) + 2)[:-2]


def refused(url: str) -> str:
    """What a server says that does not start on that Redis."""
    done = subprocess.run(
        [sys.executable, "-m", "targi_server", "--redis", url, "--port", "0", "--http-port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    return done.stderr.splitlines()[-1]


def missing(http_port: int) -> list[str]:
    """What stands in the way of being ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{http_port}/readyz", timeout=5) as answer:
            body = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            body = error.read()
    found: list[str] = json.loads(body)["missing"]
    return found


def test_a_redis_that_is_not_there_is_named_with_the_way_out() -> None:
    words = refused(f"redis://127.0.0.1:{free_port()}/0")
    assert "Redis at redis://127.0.0.1:" in words
    assert "start it, or give another --redis URL" in words


def test_the_password_of_a_redis_that_is_not_there_is_not_told() -> None:
    words = refused(f"redis://:hush@127.0.0.1:{free_port()}/0")
    assert "Redis at redis://***@127.0.0.1:" in words
    assert "hush" not in words


def test_a_redis_that_is_too_old_is_refused_with_its_version() -> None:
    with old_redis("6.2.14") as port:
        words = refused(f"redis://127.0.0.1:{port}/0?protocol=2")
    assert "redis 6.2.14 will not do: Redis 7.0 or newer, or Valkey 7.2 or newer, is needed" in words


def test_a_url_of_nothing_is_refused() -> None:
    assert "is no URL of a Redis" in refused("there")


def test_while_redis_is_lost_the_server_is_not_ready_and_its_workers_live(
    tmp_path: Path, durable_redis: RedisServer
) -> None:
    with arena(tmp_path / "data", "--redis", durable_redis.url) as server:
        workers = {process.pid for process in server.find_all("worker")}
        before = server.figure("targi_redis_errors_total", kind="lost")
        durable_redis.kill()
        wait_for("word of the loss", lambda: missing(server.http_port) == ["store of worker 0"])
        durable_redis.start()
        wait_for("word of the return", lambda: not missing(server.http_port))
        assert {process.pid for process in server.find_all("worker")} == workers
        assert server.figure("targi_redis_errors_total", kind="lost") > before
        assert server.find_all("redis") == []
        text = server.log_path.read_text()
        assert "Redis does not answer: matches stand still" in text
        assert "Redis answers again" in text


def test_nothing_is_written_to_the_data_directory_of_an_outside_redis(
    tmp_path: Path, durable_redis: RedisServer
) -> None:
    with arena(tmp_path / "data", "--redis", durable_redis.url) as server:
        assert server.stop() == 0
    assert not (tmp_path / "data").exists()
