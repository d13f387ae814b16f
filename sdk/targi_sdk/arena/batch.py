"""Many games between two bots on all processors, each as a line of text, in the order of their numbers.

The memory that is needed does not grow with the number of games: processes are given a few games at a time,
and only so far ahead of the first one that is not finished yet.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import NamedTuple

from targi_sdk.arena.failure import Failure
from targi_sdk.arena.game import Game
from targi_sdk.arena.gameline import line_text
from targi_sdk.arena.match import DEFAULT_BOT_SEED, Player, run_match
from targi_sdk.arena.schedule import fixture
from targi_sdk.arena.series import Series
from targi_sdk.arena.workers import new_pool
from targi_sdk.errors import SdkError
from targi_sdk.specs import BotSpec

__all__ = ["Line", "WorkerDiedError", "play_lines"]

TASK_S = 0.5
"""A process is given as many games as will take it about so long, in seconds."""
MOST_GAMES = 256
"""And no more than so many."""
AHEAD = 4
"""Tasks given out for each process."""


class WorkerDiedError(SdkError):
    """A process ended while it played: a bot ended it, or the system did."""


class Line(NamedTuple):
    """A finished game."""

    text: str
    failure: Failure
    """For the author of a bot that failed; no part of the text, as it names files and lines."""


class _Task(NamedTuple):
    """What a process hands back."""

    lines: list[Line]
    seconds: float


def play_lines(series: Series, first: int = 1) -> Iterator[Line]:
    """Play the games of a series from number `first` on and yield their lines in order.

    The same series yields the same text whatever its `jobs`, as long as no clock ends a game. Raises
    `SpecError` and errors about ruleset and cards at once, `WorkerDiedError` when a process dies.
    """
    table = _Table(series)
    if series.jobs == 1 and not series.mirrored:
        return _here(series, table, first)
    return _in_processes(series, first)


class _Table:
    """Plays games of a series in this process: rules and classes of the bots are looked up once."""

    def __init__(self, series: Series) -> None:
        self._series = series
        self._rules = series.rules
        specs = [BotSpec.parse(text) for text in series.bots]
        self._bots = [(spec.maker(), spec.name, spec.seed or DEFAULT_BOT_SEED) for spec in specs]
        for new, _, _ in self._bots:
            new()

    async def play(self, number: int) -> Line:
        series = self._series
        dealt = fixture(series.seed, number, mirrored=series.mirrored)
        one, other = (self._player(index) for index in dealt.seats)
        game = Game(self._rules, dealt.seed, dealt.opening)
        played = await run_match(game, (one, other), series.control)
        return Line(line_text(series, dealt, played), played.failure)

    def _player(self, index: int) -> Player:
        new, name, seed = self._bots[index]
        return Player(new(), name, seed)


def _here(series: Series, table: _Table, first: int) -> Iterator[Line]:
    with asyncio.Runner() as runner:
        for number in range(first, series.games + 1):
            yield runner.run(table.play(number))


def _in_processes(series: Series, first: int) -> Iterator[Line]:
    pool = new_pool(series.jobs, fresh=series.mirrored)
    try:
        yield from _Feeder(pool, series, first).lines()
    finally:
        pool.shutdown(cancel_futures=True)


class _Feeder:
    """Gives games to processes and takes them back in order."""

    def __init__(self, pool: ProcessPoolExecutor, series: Series, first: int) -> None:
        self._pool = pool
        self._series = series
        self._next = first
        self._games = 1  # of the next task
        self._tasks: deque[tuple[int, Future[_Task]]] = deque()

    def lines(self) -> Iterator[Line]:
        self._feed()
        while self._tasks:
            number, future = self._tasks.popleft()
            try:
                task = future.result()
                self._measure(task)
                self._feed()
            except BrokenProcessPool as error:
                raise WorkerDiedError(
                    f"a process died in game {number} or later, without a Python error: a bot ended it, "
                    "or the system did for want of memory (fewer --jobs need less). The games before are kept"
                ) from error
            yield from task.lines

    def _feed(self) -> None:
        last = self._series.games
        while self._next <= last and len(self._tasks) < AHEAD * self._series.jobs:
            games = min(self._games, last + 1 - self._next)
            self._tasks.append((self._next, self._pool.submit(_play, self._series, self._next, games)))
            self._next += games

    def _measure(self, task: _Task) -> None:
        """Give out more games at a time the faster they are; mirrored ones each to a process of its own."""
        if not self._series.mirrored:
            seconds = max(task.seconds / len(task.lines), 1e-6)
            self._games = max(1, min(int(TASK_S / seconds), MOST_GAMES))


@lru_cache(maxsize=1)
def _table(series: Series) -> _Table:
    """The table of a worker process: it plays one series all its life."""
    return _Table(series)


def _play(series: Series, first: int, games: int) -> _Task:
    begun = time.perf_counter()
    table = _table(series)
    with asyncio.Runner() as runner:
        lines = [runner.run(table.play(number)) for number in range(first, first + games)]
    return _Task(lines, time.perf_counter() - begun)
