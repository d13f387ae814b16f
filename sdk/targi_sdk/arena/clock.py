"""Clocks of a game in process: a time at the start and an increment for each own turn, or none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from targi_sdk.errors import UsageError

__all__ = ["DEFAULT_TIME", "NO_CLOCKS", "Clocks", "TimeControl"]

_TIME_CONTROL = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
NO_TIME = "none"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time of each seat; a base of 0 means that there are no clocks."""

    base_ms: int
    """Time at the start, in milliseconds."""
    increment_ms: int
    """Time added after each own turn, in milliseconds."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `60+1` (seconds at the start, seconds a turn), `60` or `none`. Raises `UsageError`."""
        if text == NO_TIME:
            return NO_CLOCKS
        found = _TIME_CONTROL.fullmatch(text)
        if found is None or float(found[1]) == 0:
            raise UsageError(f"a time control is written like 60+1, in seconds, or {NO_TIME}, not {text!r}")
        return cls(*(round(1000 * float(part or 0)) for part in found.groups()))

    def __str__(self) -> str:
        if not self.base_ms:
            return NO_TIME
        return f"{self.base_ms / 1000:g}+{self.increment_ms / 1000:g}"


NO_CLOCKS = TimeControl(0, 0)
DEFAULT_TIME = TimeControl(60_000, 1_000)
"""What the service plays by default."""


class Clocks:
    """What is left on the clocks of both seats. It is told how long answers took and reads no time itself."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._left = [control.base_ms / 1000] * 2

    def left_ms(self, seat: int) -> int:
        """Time left, in whole milliseconds; 0 without clocks."""
        return int(self._left[seat] * 1000)

    def deadline(self, seat: int, now: float) -> float:
        """When the clock ends if it starts at `now`, both in seconds; infinite without clocks."""
        return now + self._left[seat] if self._control.base_ms else float("inf")

    def charge(self, seat: int, seconds: float) -> bool:
        """Take the time of an answer off; False if the clock had ended before it came."""
        if not self._control.base_ms:
            return True
        self._left[seat] -= seconds
        return self._left[seat] >= 0

    def end_turn(self, seat: int) -> None:
        """Add the increment: an own turn is over."""
        self._left[seat] += self._control.increment_ms / 1000
