"""The wire to Redis: one server or a cluster behind one small interface."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

import redis.asyncio
from hiredis import pack_command
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AskError, RedisError, ResponseError

from targi_server.store.commands import Argument, Reply
from targi_server.store.keys import ALL_BUCKETS
from targi_server.store.scripts import PREFIX, Library

__all__ = ["ClusterLink", "Link", "Listener", "SingleLink", "TooFewReplicas"]

Wire: TypeAlias = Sequence[Argument]
Listener: TypeAlias = tuple[redis.asyncio.Redis, tuple[str, ...]]
"""A client of one server, and the channels of the buckets that live there."""

ANSWER_S: Final = 10.0
"""How long a server may be silent before the connection counts as broken."""
CONNECT_S: Final = 2.0
ACK_MS: Final = 1_000
"""How long replicas may take to have a commit."""

OPTIONS: Final[dict[str, Any]] = {  # keyword arguments of redis-py, of many types
    "protocol": 2,
    "socket_timeout": ANSWER_S,
    "socket_connect_timeout": CONNECT_S,
    "socket_keepalive": True,
}


class TooFewReplicas(RedisError):  # noqa: N818 - named for what is the matter
    """Fewer replicas than asked for have the commit; it may be lost in a failover."""


class Link(Protocol):
    """Sends commands; never sends one again by itself, but for redirections of a cluster."""

    async def run(self, commands: Sequence[Wire]) -> list[Reply | Exception]:
        """All in one go, one answer or error each. Raises RedisError or OSError if the outcome is unknown."""

    async def load(self, library: Library) -> None:
        """Makes the scripts known to all servers."""

    async def forget_others(self, library: Library) -> None:
        """Takes away those of other versions."""

    async def listeners(self) -> list[Listener]:
        """Clients of their own for the news of all buckets. The caller closes them."""

    async def aclose(self) -> None:
        """Closes the connections."""


class SingleLink:
    """One server. Commands go over one connection, without the detours of the library's pipeline."""

    def __init__(self, url: str, *, replicas_ack: int = 0) -> None:
        self._url = url
        self._acks = replicas_ack
        self._client = single_client(url)
        self._connection: AbstractConnection = self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]

    async def run(self, commands: Sequence[Wire]) -> list[Reply | Exception]:
        """All in one go, one answer or error each."""
        wires = [*commands, ("WAIT", self._acks, ACK_MS)] if self._acks else commands
        replies = await self._exchange([_packed(wire) for wire in wires])
        if self._acks:
            demand_acks(self._acks, replies.pop())
        return replies

    async def _exchange(self, packed: Sequence[bytes]) -> list[Reply | Exception]:
        connection = self._connection
        try:
            async with asyncio.timeout(ANSWER_S):
                await connection.send_packed_command(packed)
                return [await _reply(connection) for _ in packed]
        except BaseException:  # what is still on its way would be taken for the next answers
            await connection.disconnect(nowait=True)
            raise

    async def load(self, library: Library) -> None:
        """Makes the scripts known."""
        await self._client.function_load(library.source, replace=True)

    async def forget_others(self, library: Library) -> None:
        """Takes away those of other versions."""
        await _forget_others(self._client.execute_command, library)

    async def listeners(self) -> list[Listener]:
        """One client, with all channels."""
        return [(single_client(self._url, socket_timeout=None), tuple(bucket.news for bucket in ALL_BUCKETS))]

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._connection.disconnect()
        await self._client.aclose()


async def _forget_others(ask: Callable[..., Awaitable[Any]], library: Library) -> None:
    """Deletes the libraries of other versions; `ask` sends a command to one server."""
    for found in await ask("FUNCTION LIST", "LIBRARYNAME", f"{PREFIX}*"):
        name = found[found.index(b"library_name") + 1].decode()
        if name != library.name:
            with suppress(ResponseError):  # another server was quicker
                await ask("FUNCTION DELETE", name)


def _packed(wire: Wire) -> bytes:
    packed: bytes = pack_command(tuple(wire))  # type: ignore[arg-type]  # its stub knows one word only
    return packed


async def _reply(connection: AbstractConnection) -> Reply | Exception:
    """The next one. Raises RedisError or OSError when the connection broke."""
    try:
        reply: Reply = await connection.read_response(timeout=math.inf)  # the whole exchange has a limit
    except ResponseError as error:
        return error
    return reply


class ClusterLink:
    """A cluster. Its client knows which master has which slot, and follows when one moves."""

    def __init__(self, url: str, *, replicas_ack: int = 0) -> None:
        self._url = url
        self._acks = replicas_ack
        self._client = redis.asyncio.RedisCluster.from_url(url, retry=no_retry(), **OPTIONS)
        leave_replies(self._client.response_callbacks)

    async def run(self, commands: Sequence[Wire]) -> list[Reply | Exception]:
        """All in one go, one answer or error each."""
        try:
            await self._client.initialize()
            replies = await self._run(commands)
        except (RedisError, OSError):
            await self._forget()
            raise
        if any(isinstance(reply, redis.exceptions.ConnectionError) for reply in replies):
            await self._forget()
        return replies

    async def _run(self, commands: Sequence[Wire]) -> list[Reply | Exception]:
        pipeline = self._client.pipeline()
        for command in commands:  # named, for else the library asks a server where the keys of an FCALL are
            node = self._client.get_node_from_key(key_of(command))
            pipeline.execute_command(*command, target_nodes=node)
        nodes = self._nodes_of(commands) if self._acks else []
        for node in nodes:
            pipeline.execute_command("WAIT", self._acks, ACK_MS, target_nodes=node)
        replies: list[Reply | Exception] = await pipeline.execute(
            raise_on_error=False, allow_redirections=False
        )
        for reply in replies[len(commands) :]:
            demand_acks(self._acks, reply)
        return [reply async for reply in self._redirected(commands, replies)]

    async def _redirected(
        self, commands: Sequence[Wire], replies: Sequence[Reply | Exception]
    ) -> AsyncIterator[Reply | Exception]:
        """Asks again where the servers say that a slot is elsewhere; one that is stuck is asked once only."""
        stuck: dict[int, Exception] = {}
        for command, reply in zip(commands, replies, strict=False):
            if isinstance(reply, AskError):  # MovedError is one
                slot = self._client.keyslot(key_of(command))
                if slot not in stuck:
                    try:
                        reply = await self._client.execute_command(*command)
                    except RedisError as error:
                        stuck[slot] = error
                reply = stuck.get(slot, reply)
            yield reply

    def _nodes_of(self, commands: Sequence[Wire]) -> list[ClusterNode]:
        nodes = (self._client.get_node_from_key(key_of(command)) for command in commands)
        return list({node.name: node for node in nodes if node is not None}.values())

    async def _forget(self) -> None:
        """What is where is asked again before the next command: a master may have failed over."""
        await self._client.aclose()

    async def load(self, library: Library) -> None:
        """Makes the scripts known to all masters; their replicas get them from there."""
        await self._client.initialize()
        for node in self._client.get_primaries():
            await self._client.execute_command("FUNCTION LOAD", "REPLACE", library.source, target_nodes=node)

    async def forget_others(self, library: Library) -> None:
        """Takes those of other versions away from all masters."""
        await self._client.initialize()
        for node in self._client.get_primaries():
            await _forget_others(partial(self._client.execute_command, target_nodes=node), library)

    async def listeners(self) -> list[Listener]:
        """One client a master, with the channels whose slots it has."""
        await self._client.initialize()
        channels: dict[tuple[str, int], list[str]] = {}
        for bucket in ALL_BUCKETS:
            node = self._client.get_node_from_key(bucket.news)
            if node is not None:
                channels.setdefault((str(node.host), int(node.port)), []).append(bucket.news)
        return [
            (single_client(self._url, socket_timeout=None, host=host, port=port), tuple(found))
            for (host, port), found in channels.items()
        ]

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


def no_retry() -> Retry:
    """The library sends nothing again by itself: who asked has to know that it was sent twice."""
    return Retry(NoBackoff(), 0)


def leave_replies(callbacks: MutableMapping[Any, Any]) -> None:  # Any: the library's own, loosely typed
    """Replies stay as they come: the library makes dicts, sets and pairs of those to some commands.

    What it asks by itself about a cluster it needs in its own form.
    """
    for name in [name for name in callbacks if not str(name).startswith(("COMMAND", "CLUSTER"))]:
        del callbacks[name]


def single_client(url: str, **changes: str | int | None) -> redis.asyncio.Redis:
    """A client of one server."""
    pool = redis.asyncio.ConnectionPool.from_url(url, retry=no_retry(), **OPTIONS)
    pool.connection_kwargs.update(changes)
    if "path" in pool.connection_kwargs:  # a unix socket has no keepalive, and redis-py refuses the word
        del pool.connection_kwargs["socket_keepalive"]
    return redis.asyncio.Redis.from_pool(pool)


def key_of(command: Wire) -> str:
    """The first key of a command."""
    # FCALL has the function and the number of keys before them.
    return str(command[3 if command[0] == "FCALL" else 1])


def demand_acks(needed: int, reply: Reply | Exception) -> None:
    """Raises TooFewReplicas unless a WAIT answered that enough replicas have the commit."""
    if isinstance(reply, Exception):
        raise reply
    if not isinstance(reply, int) or reply < needed:
        raise TooFewReplicas(f"{reply!r} of {needed} replicas have the commit")
