"""How far a long command is: a bar on a terminal, a line now and then in a pipe."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["counted"]

PARTS = 10
"""Lines that a pipe gets at most."""


@contextlib.contextmanager
def counted(words: str, total: int, out: TextIO | None = None) -> Iterator[Callable[[int], None]]:
    """Yields a function that takes how many of `total` are done by now."""
    out = sys.stdout if out is None else out
    if not out.isatty():
        yield Lines(words, total, out).show
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(file=out)) as progress:
        task = progress.add_task(words, total=total)
        yield lambda done: progress.update(task, completed=min(done, total))


class Lines:
    """Prints `words: 12 of 40` each time that another tenth is done."""

    def __init__(self, words: str, total: int, out: TextIO) -> None:
        self._words = words
        self._total = total
        self._out = out
        self._shown = 0

    def show(self, done: int) -> None:
        """Takes how many are done."""
        done = min(done, self._total)
        if done * PARTS // self._total > self._shown * PARTS // self._total:
            self._shown = done
            print(f"{self._words}: {done} of {self._total}", file=self._out, flush=True)
