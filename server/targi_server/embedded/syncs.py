"""How long this disk takes to make a commit durable."""

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SLOW_S", "Syncs", "measure"]

TIMES = 20
SLOW_S = 0.005
"""Above this median `durability=always` bounds the arena more than anything else does."""


@dataclass(frozen=True, slots=True)
class Syncs:
    """Durations of fsyncs in seconds, ascending."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The upper median."""
        return self.seconds[len(self.seconds) // 2]

    @property
    def worst(self) -> float:
        """The longest."""
        return self.seconds[-1]

    @property
    def is_slow(self) -> bool:
        """Whether syncing at each commit will be felt."""
        return self.median > SLOW_S


def measure(directory: Path) -> Syncs:
    """Writes and syncs a small file in the directory twenty times."""
    with tempfile.TemporaryFile(dir=directory) as file:
        return Syncs(tuple(sorted(one(file.fileno()) for _ in range(TIMES))))


def one(descriptor: int) -> float:
    """Seconds of one write of a typical commit with its fsync."""
    os.write(descriptor, bytes(512))
    start = time.perf_counter()
    os.fsync(descriptor)
    return time.perf_counter() - start
