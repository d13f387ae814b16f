"""A real Redis for the tests of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from match_log import MatchLog
from redis_server import RedisServer


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


@pytest.fixture
def frail_redis(redis_servers: Callable[..., RedisServer]) -> Iterator[RedisServer]:
    """A server of the test's own without a file."""
    server = redis_servers("--repl-diskless-sync-delay", "0")
    yield server
    server.kill()


@pytest.fixture
async def log(redis_url: str) -> AsyncIterator[MatchLog]:
    """An empty match log whose time the test sets."""
    async with MatchLog.open(redis_url) as found:
        yield found
