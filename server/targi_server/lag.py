"""How late the event loop is: the time that a callback waits although it is due."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Protocol

__all__ = ["Worst", "watched"]

PERIOD_S = 0.25
KEPT = 40
"""Samples of which the worst is shown: ten seconds, about one scrape."""


class Level(Protocol):
    """A gauge."""

    def set(self, value: float) -> None:
        """Shows a value."""


class Worst:
    """The largest of the last samples."""

    def __init__(self) -> None:
        self._samples: deque[float] = deque(maxlen=KEPT)

    def add(self, late_s: float) -> float:
        """Takes a sample in seconds and returns the worst of late."""
        self._samples.append(max(0.0, late_s))
        return max(self._samples)


@contextlib.asynccontextmanager
async def watched(gauge: Level) -> AsyncIterator[None]:
    """Measures the running loop for as long as the block runs."""
    task = asyncio.create_task(measure(gauge))
    try:
        yield
    finally:
        task.cancel()


async def measure(gauge: Level) -> None:
    """Sleeps and looks how much longer it took."""
    loop = asyncio.get_running_loop()
    worst = Worst()
    while True:
        due = loop.time() + PERIOD_S
        await asyncio.sleep(PERIOD_S)
        gauge.set(worst.add(loop.time() - due))
