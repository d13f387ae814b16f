"""How much of a running match spectators may see: a setting, as a pure rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Delay"]


@dataclass(frozen=True, slots=True)
class Delay:
    """Spectators are behind by `plies` asked decisions and by `ms` milliseconds; zero is live."""

    plies: int = 0
    ms: int = 0

    def shown(self, moments: Sequence[int], now_ms: int) -> int:
        """How many of the entries that were committed at `moments` (ascending) may be shown at `now_ms`."""
        count = max(0, len(moments) - self.plies)
        if self.ms:
            while count and moments[count - 1] > now_ms - self.ms:
                count -= 1
        return count

    def until_next_ms(self, moments: Sequence[int], shown: int, now_ms: int) -> int | None:
        """Time until the next entry may be shown by its age; None if none will be by that alone."""
        if not self.ms or shown >= len(moments) - self.plies:
            return None
        return max(0, moments[shown] + self.ms - now_ms)
