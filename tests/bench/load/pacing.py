"""When a turn is answered: after a think time, or at a time that was planned before anybody asked."""

from __future__ import annotations

import random
from typing import Protocol

from load.plan import Pacing

__all__ = ["Pace", "WarmUp", "pace_of"]


class Pace(Protocol):
    """Times are seconds of the monotonic clock."""

    def started(self, match_id: str, ply: int, now: float) -> None:
        """A match begins."""

    def due(self, match_id: str, ply: int, now: float) -> float:
        """When to answer a turn that is asked now; a time in the past means at once."""

    def ended(self, match_id: str) -> None:
        """A match is over."""


class ThinkTime:
    """Closed loop: each turn is answered so long after it was asked."""

    def __init__(self, think_ms: float, model: str, rng: random.Random) -> None:
        self._mean_s = think_ms / 1000
        self._fixed = model == "fixed" or not think_ms
        self._rng = rng

    def started(self, match_id: str, ply: int, now: float) -> None:
        """Nothing to prepare."""

    def due(self, match_id: str, ply: int, now: float) -> float:
        return now + (self._mean_s if self._fixed else self._rng.expovariate(1 / self._mean_s))

    def ended(self, match_id: str) -> None:
        """Nothing is kept."""


class WarmUp(ThinkTime):
    """So slow that no match ends before the last of them began, and that the server has time to deal them."""

    LEAST_MS = 150.0
    A_MATCH_MS = 1.5

    def __init__(self, matches: int, rng: random.Random) -> None:
        super().__init__(max(self.LEAST_MS, self.A_MATCH_MS * matches), "exponential", rng)


class _Arrivals:
    """Planned times of one match, ply by ply."""

    def __init__(self, match_id: str, ply: int, now: float, rate: float) -> None:
        self._rng = random.Random(match_id)
        self._rate = rate
        self._next = ply
        self._planned = now

    def of(self, ply: int) -> float:
        while self._next <= ply:
            self._planned += self._rng.expovariate(self._rate)
            self._next += 1
        return self._planned


class Planned:
    """Open loop: a Poisson process of answers for each match.

    Its gaps follow from the match's id, so both bots of a match keep to the same one, in whatever processes
    they are. A slow server finds several answers due at once; their times count from when they were planned.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._matches: dict[str, _Arrivals] = {}

    def started(self, match_id: str, ply: int, now: float) -> None:
        self._matches.setdefault(match_id, _Arrivals(match_id, ply, now, self._rate))

    def due(self, match_id: str, ply: int, now: float) -> float:
        return self._matches[match_id].of(ply)

    def ended(self, match_id: str) -> None:
        self._matches.pop(match_id, None)


def pace_of(pacing: Pacing, matches: int, rng: random.Random) -> Pace:
    """The pace of one bot; `matches` share the rate of an open loop."""
    if pacing.rate:
        return Planned(pacing.rate / matches)
    return ThinkTime(pacing.think_ms, pacing.think_model, rng)
