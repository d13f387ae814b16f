"""How much of what one bot says is dealt with: at a time, and in the long run.

Nothing is refused for being too much. The stream is read more slowly, its bot waits, and nobody else does.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

__all__ = ["Intake", "Pace"]

AT_ONCE: Final = 16
"""Events that are dealt with at the same time, besides one for each match that the bot may play."""
A_SECOND: Final = 2_000
"""Frames and events in the long run, besides those for each match: more than any bot can be asked for."""
A_SECOND_AND_MATCH: Final = 200
SAVED_S: Final = 1.0
"""What was not said is saved up for so long."""
IN_A_ROW: Final = 256
"""Events after which others get their turn, however many have come in one frame."""


class Pace:
    """A rate, with as much at once as is saved up. Times are seconds of one monotonic clock, passed in."""

    def __init__(self, per_second: float) -> None:
        self._cost_s = 1 / per_second
        self._full_at = 0.0

    def wait_s(self, now: float) -> float:
        """Takes one, and says how long to wait for the next, 0 for not at all."""
        self._full_at = max(self._full_at, now) + self._cost_s
        return max(0.0, self._full_at - now - SAVED_S)


class Intake:
    """Of one stream, whose bot may play `capacity` matches."""

    def __init__(self, capacity: int) -> None:
        self._room = asyncio.Semaphore(capacity + AT_ONCE)
        self._pace = Pace(A_SECOND + A_SECOND_AND_MATCH * capacity)
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether `admit` waits until an event was dealt with."""
        return self._room.locked()

    async def pause(self) -> None:
        """Waits as long as the pace demands, and lets others run; to be called for each frame."""
        wait_s = self._pace.wait_s(monotonic())
        self._count += 1
        if wait_s or self._count % IN_A_ROW == 0:
            await asyncio.sleep(wait_s)

    async def admit(self) -> None:
        """Waits until another event may be dealt with; `release` says that it was."""
        await self.pause()
        await self._room.acquire()

    def release(self) -> None:
        """An event was dealt with."""
        self._room.release()
