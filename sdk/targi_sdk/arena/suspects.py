"""Games that were running when a process died, played again: which of them ends its process, and which bot.

They run one after the other in one process, with a black box each. What does not end it this time has counted
as played; a death that does not come again (the system's, for want of memory) costs nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from targi_sdk.arena.blackbox import BlackBox
from targi_sdk.arena.gameline import GameLine
from targi_sdk.arena.series import Series
from targi_sdk.arena.table import Line, Table
from targi_sdk.arena.workers import begin_worker, status
from targi_sdk.errors import SdkError

__all__ = ["WorkerDiedError", "replayed"]


class WorkerDiedError(SdkError):
    """A bot ended the process in which it played, and does so again in the same game."""


def replayed(series: Series, first: int, last: int) -> Iterator[Line]:
    """Play games `first` to `last` again and yield their lines. Raises `WorkerDiedError`."""
    step = 1 if series.mirrored else max(1, last + 1 - first)  # mirrored games get a process each
    for begin in range(first, last + 1, step):
        yield from _in_one_process(series, begin, begin + step - 1)


def _in_one_process(series: Series, first: int, last: int) -> Iterator[Line]:
    context = get_context("spawn")
    with TemporaryDirectory() as directory:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_play, args=(series, first, last, Path(directory), there))
        process.start()
        there.close()
        try:
            for number in range(first, last + 1):
                try:
                    line: Line = here.recv()
                except EOFError:
                    process.join()
                    raise _death(series, number, _box(Path(directory), number), process.exitcode) from None
                yield line
        finally:
            process.kill()
            process.join()
            here.close()


def _play(series: Series, first: int, last: int, directory: Path, lines: Connection) -> None:
    """The work of the process."""
    begin_worker()
    table = Table(series)
    with asyncio.Runner() as runner:
        for number in range(first, last + 1):
            box = _box(directory, number)
            one, other = map(box.recording, table.players(number))
            lines.send(runner.run(table.play_with(number, one, other)))


def _box(directory: Path, number: int) -> BlackBox:
    return BlackBox(directory / str(number))


def _death(series: Series, number: int, box: BlackBox, code: int | None) -> WorkerDiedError:
    """What the box of the game tells: the bot that was asked last ended the process."""
    table = Table(series)
    one, other = box.stand_ins(table.players(number))
    told = json.loads(asyncio.run(table.play_with(number, one, other)).text)
    return WorkerDiedError(
        f"in game {number} {_culprit(told)} ended its process with {status(code)}, not with an exception. "
        "The games before are kept: mend the bot and give the command again to go on with this one. "
        f"The game so far:\n{told['record']}"
    )


def _culprit(told: GameLine) -> str:
    """Who it was, by the game as the box tells it: it stands still at the bot that was asked last."""
    if told["culprit"] == "none":
        return "one of the two bots, in its on_end,"
    return f"the bot {told['bots'][int(told['culprit'])]}"
