"""Clocks that are wrong: Python loads this module at its start where its folder is on PYTHONPATH.

The monotonic clock of each process begins somewhere else and runs at a slightly different speed. The wall
clock is off by the number of seconds in `$CHAOS_SKEW/<pid>`, which is read again twice a second.
`time.clock_gettime` stays right: journals use it.
"""

import os
import random
import time

FOLDER = os.environ.get("CHAOS_SKEW", "")
READ_EACH_S = 0.5
MOST_PPM = 200

_time, _monotonic = time.time, time.monotonic


class Skew:
    """The wrong clocks of this process."""

    def __init__(self) -> None:
        rng = random.Random(os.getpid())
        self._begun = _monotonic()
        self._offset = rng.uniform(0, 1e6)
        self._speed = 1 + rng.uniform(-MOST_PPM, MOST_PPM) / 1e6
        self._off_s = 0.0
        self._read_at = 0.0

    def monotonic(self) -> float:
        """In place of `time.monotonic`."""
        return self._offset + (_monotonic() - self._begun) * self._speed

    def time(self) -> float:
        """In place of `time.time`."""
        now = _monotonic()
        if now >= self._read_at:
            self._read_at = now + READ_EACH_S
            self._off_s = self._read()
        return _time() + self._off_s

    def _read(self) -> float:
        try:
            with open(f"{FOLDER}/{os.getpid()}") as file:  # noqa: PTH123 - loaded before anything else
                return float(file.read() or 0)
        except OSError:
            return self._off_s


if FOLDER:
    skew = Skew()
    time.time = skew.time
    time.time_ns = lambda: int(skew.time() * 1e9)
    time.monotonic = skew.monotonic
    time.monotonic_ns = lambda: int(skew.monotonic() * 1e9)
