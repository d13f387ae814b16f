"""Plays many games of every ruleset between mixed bots and checks every position: `make soak-engine`.

    python tests/soak/soak.py [--games 20000] [--seed 1] [--jobs N] [--ruleset NAME] [--first 0]

Whatever does not hold is printed with the seed and the record of the game and the call that plays that game
alone; the run then ends with 1. The last line sums up.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import FunctionType
from typing import Final

from soak_game import SoakGame
from targi_engine import RULESETS, State
from targi_sdk.arena.workers import new_pool

TASK_GAMES: Final = 20
"""Games that a process is given at a time."""
PROGRESS_GAMES: Final = 2000


@dataclass(frozen=True)
class Task:
    """Some games of one ruleset."""

    ruleset: str
    first: int
    games: int
    seed: int


@dataclass(frozen=True)
class Tally:
    """What became of games."""

    games: int = 0
    decisions: int = 0
    violations: tuple[str, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.decisions + other.decisions,
            self.violations + other.violations,
        )


def run(task: Task) -> Tally:
    """Play the games of a task."""
    total = Tally()
    for number in range(task.first, task.first + task.games):
        total += play(task.ruleset, number, task.seed)
    return total


def play(ruleset: str, number: int, seed: int) -> Tally:
    """Play one game; whatever it raises is a violation."""
    game = SoakGame(ruleset, number, seed)
    try:
        return Tally(1, game.play())
    except Exception:
        return Tally(1, len(game.actions), (report(game, ruleset, number, seed),))


def report(game: SoakGame, ruleset: str, number: int, seed: int) -> str:
    """All that is needed to see a violation again."""
    return "\n".join(
        (
            f"VIOLATION in {ruleset} game {number}, {' against '.join(game.names)}, ply {len(game.actions)}",
            f"again: soak.py --seed {seed} --ruleset {ruleset} --first {number} --games 1 --jobs 1",
            f"seed {game.seed.hex()}, opening {game.opening.hex() if game.opening else 'none'}",
            traceback.format_exc().rstrip(),
            game.record(),
        )
    )


def tasks(options: Namespace) -> Iterator[Task]:
    """The games of all rulesets, each in parts."""
    end = options.first + options.games
    for ruleset in options.ruleset or RULESETS:
        for first in range(options.first, end, TASK_GAMES):
            yield Task(ruleset, first, min(TASK_GAMES, end - first), options.seed)


def played(options: Namespace) -> Iterator[Tally]:
    """What became of the tasks, on `jobs` processes."""
    if options.jobs == 1:
        yield from map(run, tasks(options))
        return
    pool = new_pool(options.jobs)
    try:
        futures = [(task, pool.submit(run, task)) for task in tasks(options)]
        yield from (result(task, future) for task, future in futures)
    finally:
        pool.shutdown(cancel_futures=True)


def result(task: Task, future: Future[Tally]) -> Tally:
    """What became of a task; a process that died, as compiled code can, is a violation."""
    try:
        return future.result()
    except BrokenProcessPool:
        return Tally(violations=(f"VIOLATION: a process died in {task} or one that ran beside it",))


def arguments() -> ArgumentParser:
    parser = ArgumentParser(description="soak of the engine", formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="games of each ruleset")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other games")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--ruleset", action="append", choices=RULESETS, help="only this one")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    return parser


def main() -> int:
    options = arguments().parse_args()
    begun = time.monotonic()
    total = Tally()
    for tally in played(options):
        total += tally
        if tally.violations:
            print(*tally.violations, sep="\n", flush=True)
        if tally.games and total.games // PROGRESS_GAMES != (total.games - tally.games) // PROGRESS_GAMES:
            print(f"{total.games} games, {len(total.violations)} violations", flush=True)
    form = "pure" if isinstance(State.apply, FunctionType) else "compiled"
    print(
        f"soak: seed {options.seed}, {form} engine: {total.games} games, {total.decisions} decisions, "
        f"{len(total.violations)} violations, {time.monotonic() - begun:.0f} s"
    )
    return 1 if total.violations or not total.games else 0


if __name__ == "__main__":
    sys.exit(main())
