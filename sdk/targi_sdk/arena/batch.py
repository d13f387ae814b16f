"""Many games between two bots on all processors, each as a line of text, in the order of their numbers.

The memory that is needed does not grow with the number of games: processes are given a few games at a time,
and only so far ahead of the first one that is not finished yet.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import NamedTuple

from targi_sdk.arena.series import Series, check_series
from targi_sdk.arena.suspects import replayed
from targi_sdk.arena.table import Line, Table
from targi_sdk.arena.workers import kill, new_pool

__all__ = ["Line", "play_lines"]

TASK_S = 0.5
"""A process is given as many games as will take it about so long, in seconds."""
MOST_GAMES = 256
"""And no more than so many."""
AHEAD = 4
"""Tasks given out for each process."""


class _Task(NamedTuple):
    """What a process hands back."""

    lines: list[Line]
    seconds: float


def play_lines(series: Series, first: int = 1) -> Iterator[Line]:
    """Play the games of a series from number `first` on and yield their lines in order.

    The same series yields the same text whatever its `jobs`, as long as no clock ends a game. Raises
    what `check_series` raises at once, `WorkerDiedError` when a bot ends its process.
    """
    check_series(series)
    Table(series)
    return _in_processes(series, first)


def _in_processes(series: Series, first: int) -> Iterator[Line]:
    """Play in processes. When one dies, the games that were running are played again, to learn why."""
    while first <= series.games:
        feeder = _Feeder(series, first)
        yield from feeder.lines()
        yield from replayed(series, *feeder.unfinished)
        first = feeder.unfinished[1] + 1


class _Feeder:
    """Gives games to processes and takes them back in order, until all are played or a process dies."""

    def __init__(self, series: Series, first: int) -> None:
        self._pool = new_pool(series.jobs, fresh=series.mirrored)
        self._series = series
        self._first = self._next = first
        self._games = 1  # of the next task
        self._tasks: deque[Future[_Task]] = deque()

    @property
    def unfinished(self) -> tuple[int, int]:
        """First and last number of the games that were given out and did not come back."""
        return self._first, self._next - 1

    def lines(self) -> Iterator[Line]:
        try:
            self._feed()
            while self._tasks:
                task = self._tasks.popleft().result()
                self._measure(task)
                self._feed()
                for line in task.lines:
                    self._first += 1
                    yield line
        except BrokenProcessPool:
            return
        except BaseException:  # Ctrl-C: do not wait for a bot
            kill(self._pool)
            raise
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _feed(self) -> None:
        last = self._series.games
        while self._next <= last and len(self._tasks) < AHEAD * self._series.jobs:
            games = min(self._games, last + 1 - self._next)
            self._tasks.append(self._pool.submit(_play, self._series, self._next, games))
            self._next += games

    def _measure(self, task: _Task) -> None:
        """Give out more games at a time the faster they are; mirrored ones each to a process of its own."""
        if not self._series.mirrored:
            seconds = max(task.seconds / len(task.lines), 1e-6)
            self._games = max(1, min(int(TASK_S / seconds), MOST_GAMES))


@lru_cache(maxsize=1)
def _table(series: Series) -> Table:
    """The table of a worker process: it plays one series all its life."""
    return Table(series)


def _play(series: Series, first: int, games: int) -> _Task:
    begun = time.perf_counter()
    table = _table(series)
    with asyncio.Runner() as runner:
        lines = [runner.run(table.play(number)) for number in range(first, first + games)]
    return _Task(lines, time.perf_counter() - begun)
