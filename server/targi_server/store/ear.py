"""One connection that listens to channels of one Redis server."""

from __future__ import annotations

import asyncio
from time import monotonic
from types import TracebackType
from typing import Final, Self, cast

from redis.asyncio import ConnectionPool
from redis.exceptions import ConnectionError as BrokenConnection

from targi_server.store.commands import Reply
from targi_server.store.link import Listener

__all__ = ["Ear"]

PING_S: Final = 5.0
SILENCE_S: Final = 15.0
"""Without even an answer to a ping for so long, the connection is dead."""


class Ear:
    """Enter it to subscribe. Every error of it means: begin anew."""

    def __init__(self, listener: Listener) -> None:
        self._client, self._channels = listener
        pool: ConnectionPool = self._client.connection_pool
        self._connection = pool.make_connection()  # type: ignore[no-untyped-call]
        self._pings: asyncio.Task[None] | None = None
        self._heard_s = monotonic()

    async def __aenter__(self) -> Self:
        await self._connection.connect()
        commands = [("SSUBSCRIBE", channel) for channel in self._channels]
        await self._connection.send_packed_command(self._connection.pack_commands(commands))
        for _ in self._channels:
            await self._read()
        self._pings = asyncio.create_task(self._ping(), name="bus-ping")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pings is not None:
            self._pings.cancel()
            await asyncio.gather(self._pings, return_exceptions=True)
        await self._connection.disconnect(nowait=True)
        await self._client.aclose()

    async def message(self) -> bytes:
        """The next message. Raises ConnectionError or TimeoutError of redis-py, or OSError."""
        while True:
            reply = await self._read()
            match reply:
                case [b"smessage", bytes(), bytes() as data]:
                    return data
                case [b"sunsubscribe", bytes() as channel, *_]:
                    raise BrokenConnection(f"channel {channel.decode()} lives on another server now")

    async def _read(self) -> Reply:
        reply = cast(Reply, await self._connection.read_response())
        self._heard_s = monotonic()
        return reply

    async def _ping(self) -> None:
        """Asks for a sign of life; without one the connection is closed, which ends the reading."""
        while monotonic() - self._heard_s < SILENCE_S:
            await self._connection.send_command("PING")
            await asyncio.sleep(PING_S)
        await self._connection.disconnect(nowait=True)
