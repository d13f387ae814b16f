"""How much of what one bot says is dealt with: at a time, and in the long run.

Nothing is refused for being too much. The stream is read more slowly, its bot waits, and nobody else does.
What is said at an ordinary rate costs an addition a frame.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

__all__ = ["IN_A_ROW", "Intake", "Pace"]

AT_ONCE: Final = 16
"""Events that are dealt with at the same time, besides one for each match that the bot may play."""
A_SECOND: Final = 2_000
"""Frames and events in the long run, besides those for each match: more than any bot can be asked for."""
A_SECOND_AND_MATCH: Final = 200
SAVED_S: Final = 1.0
"""What was not said is saved up for so long."""
IN_A_ROW: Final = 256
"""Frames and events after which the clock is looked at and others get their turn; most events in a row."""


class Pace:
    """A rate, with as much at once as is saved up. Times are seconds of one monotonic clock, passed in."""

    def __init__(self, per_second: float) -> None:
        self._cost_s = 1 / per_second
        self._full_at = 0.0

    def wait_s(self, now: float, count: int = 1) -> float:
        """Takes `count`, and says how long to wait for the next, 0 for not at all."""
        self._full_at = max(self._full_at, now) + count * self._cost_s
        return max(0.0, self._full_at - now - SAVED_S)


class Intake:
    """Of one stream, whose bot may play `capacity` matches, and which one task reads."""

    def __init__(self, capacity: int) -> None:
        self._most = capacity + AT_ONCE
        self._inside = 0
        self._left = asyncio.Event()
        self._pace = Pace(A_SECOND + A_SECOND_AND_MATCH * capacity)
        self._unpaid = 0

    @property
    def is_full(self) -> bool:
        """Whether as many events as may be are being dealt with."""
        return self._inside >= self._most

    async def room(self) -> None:
        """Waits until another event may be dealt with."""
        while self.is_full:
            self._left.clear()
            await self._left.wait()

    def admit(self) -> None:
        """An event is being dealt with; `release` says that it was."""
        self._inside += 1

    def release(self, count: int = 1) -> None:
        """Events were dealt with."""
        self._inside -= count
        self._left.set()

    async def pause(self, count: int) -> None:
        """To be called after so many frames and events: waits as long as the pace demands."""
        self._unpaid += count
        if self._unpaid >= IN_A_ROW:
            wait_s = self._pace.wait_s(monotonic(), self._unpaid)
            self._unpaid = 0
            await asyncio.sleep(wait_s)  # if only to let others run
