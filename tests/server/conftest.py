"""A real Redis for the tests of the server."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis
from targi_server.embedded.binary import find

START_S = 30.0


@dataclass(slots=True)
class RedisServer:
    """A server process of its own, on a free port of the loopback, with its files in `folder`."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        """A plain client, for looking at what the store wrote. The caller closes it."""
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        """Starts it; a second start uses the same port and files."""
        self.port = self.port or free_port()
        command = [find().path, "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder]
        command += ["--save", "", "--logfile", "redis.log", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._wait()

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _wait(self) -> None:
        end = time.monotonic() + START_S
        while True:
            try:
                with self.client() as client:
                    client.ping()
                return
            except redis.RedisError as error:
                if time.monotonic() > end:
                    raise TimeoutError(f"Redis does not answer; see {self.folder / 'redis.log'}") from error
                time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def redis_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., RedisServer]]:
    """Starts servers with options of `redis-server`; all are ended with the session."""
    servers: list[RedisServer] = []

    def start(*options: str) -> RedisServer:
        server = RedisServer(tmp_path_factory.mktemp("redis"), options)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.kill()


@pytest.fixture(scope="session")
def shared_redis(redis_servers: Callable[..., RedisServer]) -> RedisServer:
    """One server for all tests that do not harm it."""
    return redis_servers()


@pytest.fixture
def redis_url(shared_redis: RedisServer) -> str:
    """URL of an empty Redis."""
    with shared_redis.client() as client:
        client.flushall()
    return shared_redis.url


@pytest.fixture
def durable_redis(redis_servers: Callable[..., RedisServer]) -> Iterator[RedisServer]:
    """A server of the test's own that syncs each commit to disk: for tests that kill it."""
    server = redis_servers("--appendonly", "yes", "--appendfsync", "always")
    yield server
    server.kill()
