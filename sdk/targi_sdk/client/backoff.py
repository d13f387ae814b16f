"""How long to wait before the next attempt to connect."""

from __future__ import annotations

from random import Random

__all__ = ["LONGEST_S", "Backoff"]

SHORTEST_S = 0.1
LONGEST_S = 5.0
"""The service credits lost time on the assumption that no attempt waits longer than this."""


class Backoff:
    """Delays that double from attempt to attempt, each drawn from the upper half of its range."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._attempts = 0

    def next_s(self) -> float:
        """Seconds to wait now: at most `LONGEST_S`."""
        limit: float = min(LONGEST_S, SHORTEST_S * 2.0 ** min(self._attempts, 16))
        self._attempts += 1
        return limit * self._rng.uniform(0.5, 1.0)

    def reset(self) -> None:
        """Begin again: a connection was made."""
        self._attempts = 0
