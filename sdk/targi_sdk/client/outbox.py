"""Events on their way to the service, in order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from targi.v1 import play_pb2 as pb

__all__ = ["Outbox"]

MOST_EVENTS = 128
"""Events of one frame at most: even with long error texts it stays well below the server's limit."""


class Outbox:
    """Everything that is due goes into one frame."""

    def __init__(self) -> None:
        self._events: list[pb.BotEvent] = []
        self._due = asyncio.Event()

    def add(self, event: pb.BotEvent) -> None:
        """Queue an event."""
        self._events.append(event)
        self._due.set()

    def restart(self, events: Iterable[pb.BotEvent]) -> None:
        """A new stream: forget what the old one did not take, and begin with these."""
        self._events = list(events)
        self._due.set()

    async def take(self) -> list[pb.BotEvent]:
        """What goes into the next frame; waits until there is something."""
        while not self._events:
            self._due.clear()
            await self._due.wait()
        taken, self._events = self._events[:MOST_EVENTS], self._events[MOST_EVENTS:]
        return taken

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._events
