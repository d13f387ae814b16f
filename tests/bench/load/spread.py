"""How measured times spread: counts by tenths of a millisecond, so that a long run needs no more memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

__all__ = ["Spread"]

STEPS = 10
"""Counted steps in a millisecond."""


class Spread:
    """A bag of times in ms, exact to a tenth."""

    def __init__(self, counts: Mapping[int, int] | None = None) -> None:
        self._counts = Counter(counts or {})

    @property
    def count(self) -> int:
        """How many times there are."""
        return self._counts.total()

    @property
    def largest(self) -> float:
        """The longest, 0 if there is none."""
        return max(self._counts, default=0) / STEPS

    def add(self, value_ms: float) -> None:
        """One more."""
        self._counts[round(value_ms * STEPS)] += 1

    def join(self, other: Spread) -> None:
        """All of another one, too."""
        self._counts.update(other._counts)

    def quantile(self, share: float) -> float:
        """The shortest time that at least this share of them does not exceed; 0 if there is none."""
        wanted, passed = share * self.count, 0
        for step in sorted(self._counts):
            passed += self._counts[step]
            if passed >= wanted:
                return step / STEPS
        return 0.0

    def over(self, value_ms: float) -> int:
        """How many are longer."""
        return sum(count for step, count in self._counts.items() if step > value_ms * STEPS)

    def encode(self) -> dict[str, int]:
        """For JSON."""
        return {str(step): count for step, count in self._counts.items()}

    @classmethod
    def decode(cls, counts: Mapping[str, int]) -> Spread:
        """What `encode` made."""
        return cls({int(step): count for step, count in counts.items()})
