"""What the store demands of a Redis, and what it warns of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from redis_cluster import ask, clustered, node_options
from redis_server import RedisServer
from spare_port import free_port
from targi_server.start_errors import RedisFailed, RedisTooOld
from targi_server.store.checks import look_at


@asynccontextmanager
async def pretending(info: str) -> AsyncIterator[str]:
    """URL of a peer that answers INFO with `info`, and anything else with OK."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            for word in data.split(b"\r\n"):
                if word == b"INFO":
                    writer.write(f"${len(info)}\r\n{info}\r\n".encode())
                elif word in (b"CLIENT", b"SELECT"):
                    writer.write(b"+OK\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ("redis_version:6.2.14", "redis 6.2.14 will not do"),
        ("server_name:valkey\r\nredis_version:7.2.4\r\nvalkey_version:7.1.9", "valkey 7.1.9 will not do"),
    ],
)
async def test_a_server_that_is_too_old_is_refused_with_its_version_and_what_is_needed(
    info: str, words: str
) -> None:
    async with pretending(info) as url:
        with pytest.raises(RedisTooOld, match=words) as caught:
            await look_at(url)
    assert "Redis 7.0 or newer, or Valkey 7.2 or newer" in str(caught.value)


async def test_the_server_that_is_installed_will_do(redis_url: str) -> None:
    found = await look_at(redis_url)
    assert found.name in ("redis", "valkey") and not found.cluster


async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(RedisFailed, match=r"\*\*\*@127.0.0.1") as caught:
        await look_at(f"redis://user:secret@127.0.0.1:{free_port()}/0")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "unix:///nope.sock?password=seCret",
        "redis://127.0.0.1:1/?password=seCret",
        "redis://:p@seCret@127.0.0.1:1",
        "redis://:a/seCret@127.0.0.1:1",
        "redis://:a?seCret@127.0.0.1:1",
        "redis://:seCret#more@127.0.0.1:1",
    ],
)
async def test_no_spelling_of_a_password_is_told(url: str) -> None:
    with pytest.raises(RedisFailed) as caught:
        await look_at(url)
    assert "seCret" not in str(caught.value)
    assert "more" not in str(caught.value)


async def test_a_wrong_url_is_said_to_be_one() -> None:
    with pytest.raises(RedisFailed, match="no URL of a Redis"):
        await look_at("http://127.0.0.1/")


async def test_a_wrong_password_is_said_to_be_one(redis_servers: Callable[..., RedisServer]) -> None:
    server = redis_servers()
    with server.client() as client:
        client.config_set("requirepass", "right")
    with pytest.raises(RedisFailed, match=r"(?i)authentication|password|noauth|wrongpass"):
        await look_at(server.url)
    server.kill()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--appendonly", "no"), "no append-only file"),
        (("--appendonly", "yes", "--appendfsync", "everysec"), "appendfsync everysec"),
        (
            ("--appendonly", "yes", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"),
            "maxmemory-policy allkeys-lru",
        ),
    ],
)
async def test_what_may_lose_matches_is_warned_of(
    redis_servers: Callable[..., RedisServer], options: tuple[str, ...], words: str
) -> None:
    server = redis_servers(*options)
    warnings = (await look_at(server.url)).warnings
    assert [words in warning for warning in warnings].count(True) == 1
    server.kill()


async def test_a_server_that_keeps_everything_is_not_warned_of(durable_redis: RedisServer) -> None:
    assert (await look_at(durable_redis.url)).warnings == ()


async def test_a_policy_that_evicts_is_no_matter_while_memory_has_no_limit(
    redis_servers: Callable[..., RedisServer],
) -> None:
    server = redis_servers(
        "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "allkeys-lru"
    )
    assert (await look_at(server.url)).warnings == ()
    server.kill()


async def test_each_master_of_a_cluster_is_looked_at(redis_servers: Callable[..., RedisServer]) -> None:
    servers = [redis_servers(*node_options()) for _ in range(3)]
    with clustered(servers) as cluster:
        assert (await look_at(servers[0].url)).warnings == ()
        ask(cluster.nodes[2], "CONFIG", "SET", "appendonly", "no")
        (warning,) = (await look_at(servers[0].url)).warnings
        assert "no append-only file" in warning and f"master 127.0.0.1:{servers[2].port}" in warning


@pytest.mark.parametrize("coverage", ["yes", "no"])
async def test_a_cluster_that_lacks_slots_is_refused_with_how_many_it_has(
    redis_servers: Callable[..., RedisServer], coverage: str
) -> None:
    server = redis_servers(*node_options(), "--cluster-require-full-coverage", coverage)
    with server.client() as client:
        ask(client, "CLUSTER", "ADDSLOTSRANGE", 0, 9_999)
        with pytest.raises(RedisFailed, match=r"is not whole: (0|10000) of 16384 slots") as caught:
            await look_at(server.url, failover_s=0.3)
        assert "--cluster fix" in str(caught.value)
        ask(client, "CLUSTER", "ADDSLOTSRANGE", 10_000, 16_383)
    assert (await look_at(server.url)).cluster, "it is waited for"
    server.kill()


async def test_a_master_that_died_is_missed(redis_servers: Callable[..., RedisServer]) -> None:
    short = ("--cluster-node-timeout", "500")
    servers = [redis_servers(*node_options(), *short) for _ in range(3)]
    with clustered(servers):
        servers[2].kill()
        with pytest.raises(RedisFailed, match="is not whole"):
            await until_refused(servers[0].url)


async def until_refused(url: str) -> None:
    """Looks until the others have noticed."""
    async with asyncio.timeout(30):
        while True:
            await look_at(url, failover_s=0)
