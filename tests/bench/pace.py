"""One side of a comparison: a child process that measures what it is told to, a while at a time.

A process of its own, because each side needs another Python environment, and because taken in turn all sides
see the same moods of a busy machine. Times are processor times of the child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Pace", "Side", "serve"]

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Pace:
    """What was done in a while."""

    seconds: float
    """Processor time."""
    decisions: int
    """Choices of players, or calls of what is measured."""
    chances: int = 0
    """Chance nodes on the way: dice, cards drawn."""
    games: int = 0
    branches: int = 0
    """Legal actions, summed over the decisions; 0 where they were not looked at."""

    @property
    def decisions_a_second(self) -> float:
        return self.decisions / self.seconds

    @property
    def nodes_a_second(self) -> float:
        """Decisions and chance nodes."""
        return (self.decisions + self.chances) / self.seconds


Task = Callable[[float], Pace]


def serve(form: str, tasks: Mapping[str, Task]) -> None:
    """The child's side: says what it is, then measures a task for some seconds a line of its input."""
    print(form, flush=True)
    for line in sys.stdin:
        name, seconds = line.split()
        print(json.dumps(asdict(tasks[name](float(seconds)))), flush=True)


class Side(AbstractContextManager["Side"]):
    """The parent's side: a script of this folder, run by a Python of its own."""

    def __init__(self, python: Path, script: str, **settings: str) -> None:
        self.process = subprocess.Popen(
            [python, HERE / script],
            env={**os.environ, "PYTHONPATH": "", **settings},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.form = self._line()

    def measure(self, task: str, seconds: float) -> Pace:
        assert self.process.stdin is not None
        print(task, seconds, file=self.process.stdin, flush=True)
        return Pace(**json.loads(self._line()))

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            self.process.communicate()
            raise SystemExit(f"{self.process.args!r} ended: see above, and run `make bench`")
        return line

    def __exit__(self, *error: object) -> None:
        self.process.communicate()  # the end of its input ends it
