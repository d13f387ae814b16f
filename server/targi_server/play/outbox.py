"""The outgoing queue of one stream."""

from __future__ import annotations

import asyncio

from targi_server.errors import ServerError, SlowReader

__all__ = ["Outbox"]


class Outbox:
    """Encoded events go in, frames come out. Nobody waits to push: a full queue ends this stream only."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._events: list[bytes] = []
        self._due = asyncio.Event()
        self._end: asyncio.Future[ServerError | None] = asyncio.get_running_loop().create_future()

    @property
    def waiting(self) -> int:
        """Events in the queue."""
        return len(self._events)

    @property
    def closed(self) -> bool:
        """Whether the end of the stream is decided."""
        return self._end.done()

    def push(self, event: bytes) -> None:
        """Put an encoded event into the queue; after the end it goes nowhere."""
        if self._end.done():
            return
        if len(self._events) >= self._limit:
            words = f"{self._limit} events wait because this stream is not read: read it, and connect again"
            self.close(SlowReader(words))
            return
        self._events.append(event)
        self._due.set()

    def close(self, error: ServerError | None = None) -> None:
        """End the stream: at once with a status, or well once the queue is written. The first call counts."""
        if not self._end.done():
            self._end.set_result(error)
        self._due.set()

    async def ended(self) -> ServerError | None:
        """Wait for the end: the error that `close` was given."""
        return await asyncio.shield(self._end)

    async def take(self, limit: int) -> bytes:
        """Wait until something is due and take all of it, as far as it fits into `limit` bytes.

        An event that is larger goes by itself. Empty: the stream is closed and everything was taken.
        """
        await self._due.wait()
        count = self._fitting(limit)
        frame = b"".join(self._events[:count])
        del self._events[:count]
        if not self._events and not self.closed:
            self._due.clear()
        return frame

    def _fitting(self, limit: int) -> int:
        size = 0
        for count, event in enumerate(self._events):
            size += len(event)
            if count and size > limit:
                return count
        return len(self._events)
