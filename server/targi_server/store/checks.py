"""What a Redis must be and have: looked at once, before anything is written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import redis.asyncio
from redis.exceptions import RedisError, ResponseError

from targi_server.start_errors import RedisFailed, RedisTooOld
from targi_server.store.link import single_client

__all__ = ["Found", "look_at"]

NEEDED: Final = {"redis": (7, 0), "valkey": (7, 2)}
SLOTS: Final = 16_384
FAILOVER_S: Final = 15.0
"""How long a cluster may lack slots: it may just start, or a replica take over."""
LOOK_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Found:
    """The server behind a URL."""

    name: str
    """"redis" or "valkey"."""
    version: str
    cluster: bool
    warnings: tuple[str, ...]
    """What may lose data, in words."""


async def look_at(url: str, *, failover_s: float = FAILOVER_S) -> Found:
    """Asks the server what it is; in a cluster all masters.

    Raises RedisTooOld, or RedisFailed if it cannot be asked or a cluster lacks slots for `failover_s`.
    """
    try:
        client = single_client(url)
    except ValueError as error:
        # What the error quotes may be a piece of a password.
        raise RedisFailed(
            f"{_shown(url)} is no URL of a Redis: write redis://[:PASSWORD@]HOST:PORT/DB, rediss://.. for "
            "TLS or unix://PATH, and %23, %2F, %3F or %40 for #, /, ? or @ in a password"
        ) from error
    try:
        async with client:
            found = await _look(client)
            return await _with_others(url, client, found, failover_s) if found.cluster else found
    except (RedisError, OSError) as error:
        raise RedisFailed(
            f"Redis at {_shown(url)} does not answer as it should: {error}; "
            "start it, or give another --redis URL"
        ) from error


async def _look(client: redis.asyncio.Redis) -> Found:
    # INFO has values of many types.
    info: Mapping[str, Any] = await client.info()
    name = str(info.get("server_name", "redis"))
    version = str(info.get(f"{name}_version", info["redis_version"]))
    if _number(version) < NEEDED.get(name, NEEDED["redis"]):
        raise RedisTooOld(
            f"{name} {version} will not do: Redis 7.0 or newer, or Valkey 7.2 or newer, is needed"
        )
    return Found(name, version, bool(info.get("cluster_enabled")), tuple(_warnings(await _config(client))))


async def _with_others(url: str, client: redis.asyncio.Redis, found: Found, failover_s: float) -> Found:
    """What is to be said of the whole cluster."""
    end = monotonic() + failover_s
    while (served := await _slots_served(client)) < SLOTS:
        if monotonic() > end:
            raise RedisFailed(
                f"the cluster at {_shown(url)} is not whole: {served} of {SLOTS} slots are served; "
                "bring its masters up, or assign the slots (redis-cli --cluster fix)"
            )
        await asyncio.sleep(LOOK_S)
    warnings = list(found.warnings)
    for address, other in (await _other_masters(url, client)).items():
        warnings += [f"{words} (master {address})" for words in other.warnings]
    return Found(found.name, found.version, True, tuple(warnings))


async def _slots_served(client: redis.asyncio.Redis) -> int:
    """Slots whose master is up; none while the cluster says that it is down."""
    info: Mapping[str, str] = await _asked(client, "CLUSTER INFO")
    return int(info["cluster_slots_ok"]) if info["cluster_state"] == "ok" else 0


async def _other_masters(url: str, client: redis.asyncio.Redis) -> dict[str, Found]:
    """The masters but that of `client`, by address; not one that is gone, for which a replica may come."""
    nodes: Mapping[str, Mapping[str, str]] = await _asked(client, "CLUSTER NODES")
    found: dict[str, Found] = {}
    for address, node in nodes.items():
        flags = node["flags"].split(",")
        if "master" in flags and "myself" not in flags:
            host, _, port = address.rpartition(":")
            with suppress(RedisError, OSError):
                async with single_client(url, host=host, port=int(port)) as other:
                    found[address] = await _look(other)
    return found


async def _asked(client: redis.asyncio.Redis, question: str) -> Any:  # what the library makes of the reply
    return await client.execute_command(question)  # type: ignore[no-untyped-call]


async def _config(client: redis.asyncio.Redis) -> Mapping[str, str]:
    """Settings that matter; none where the server does not tell (many hosted ones do not)."""
    found: dict[str, str] = {}
    for key in ("maxmemory", "maxmemory-policy", "appendonly", "appendfsync"):
        try:
            reply = await client.config_get(key)
        except ResponseError:
            return {}
        found |= {_text(name): _text(value) for name, value in reply.items()}
    return found


def _warnings(config: Mapping[str, str]) -> Iterator[str]:
    if config.get("maxmemory", "0") != "0" and config.get("maxmemory-policy") != "noeviction":
        yield (
            f"Redis evicts keys when memory is full (maxmemory-policy {config['maxmemory-policy']}): "
            "running matches would be lost; set it to noeviction"
        )
    if config.get("appendonly") == "no":
        yield "Redis has no append-only file: its end loses matches; set appendonly yes"
    elif config.get("appendfsync", "always") != "always":
        yield f"Redis has appendfsync {config['appendfsync']}: its crash may lose acknowledged actions"


def _number(version: str) -> tuple[int, int]:
    parts = re.findall(r"\d+", version)
    return int(parts[0]), int(parts[1])


def _text(value: bytes | str | None) -> str:
    return value.decode() if isinstance(value, bytes) else value or ""


def _shown(url: str) -> str:
    """The URL without what may be its password: all before the last @, and the query."""
    scheme, _, rest = url.partition("//")
    _user, at, place = rest.rpartition("@")
    asked = "?***" if "?" in place else ""
    return f"{scheme}//{'***@' if at else ''}{place.partition('?')[0]}{asked}"
