"""No wrongful time loss: bots on tight clocks measure themselves how long they think, under high load.

`python tests/bench/clocks.py --help`. Each bot thinks for known times that just fit into its clock (which is
so short that it lives on its increments), and notes when it read a turn and when it handed its answer over.
Against that are held the verdicts, what each answer was charged, and the timelines of GetMatch. A bot that
lost on time although its own measure was inside its clock is a fault of the server: the run then ends with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import cpu
from load.crew import Crew, hired
from load.errors import LoadError
from load.plan import ClientPlan, Plan
from load.spread import Spread
from load.thinker import Habit
from load.thinking import CLOSE_MS, Findings
from load.venue import Venue, own

FEW, SAMPLED = 500, 2_000
"""Games by default; timelines that are read at most, about."""
PATIENCE_S = 900.0
PROGRESS_S = 30.0
SHOWN = 10
"""Wrongful losses that are told one by one."""


HABIT = Habit(think_ms=60.0, margin_ms=5.0, plies=60)


@dataclass(frozen=True)
class Clocks:
    """One run."""

    games: int = FEW
    matches: int = 120
    bots: int = 4
    processes: int = 2
    workers: int = 1
    base_ms: int = 500
    increment_ms: int = 60
    habit: Habit = HABIT

    @property
    def plan(self) -> Plan:
        """The bots and their matches. Raises BadPlan."""
        return Plan(matches=self.matches, bots=self.bots, processes=self.processes)

    @property
    def flags(self) -> tuple[str, ...]:
        """Of the server."""
        return ("--base-ms", str(self.base_ms), "--increment-ms", str(self.increment_ms))


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    clocks: Clocks
    found: Findings
    seconds: float
    queued_s: float
    """Seconds that threads of the workers waited for a processor."""

    @property
    def wrongful(self) -> int:
        """Games that were lost on time by a bot that was inside its clock."""
        return sum(loss.wrongful for loss in self.found.losses)


def client_plans(clocks: Clocks, venue: Venue) -> Iterator[ClientPlan]:
    """The bots by process: every so manieth in each."""
    options = {"habit": asdict(clocks.habit), "timelines_every": max(1, clocks.games // SAMPLED)}
    share = clocks.bots // clocks.processes
    for process in range(clocks.processes):
        first = process * share
        end = clocks.bots if process == clocks.processes - 1 else first + share
        yield ClientPlan(
            "think", venue.address, venue.tokens[first:end], first, clocks.plan.capacity, options=options
        )


async def played(clocks: Clocks, venue: Venue) -> Outcome:
    """All games, to their ends. Raises NeverRan, ClientFailed."""
    assert venue.server is not None
    start, queued_s = time.monotonic(), cpu.queued(venue.server)
    async with hired(list(client_plans(clocks, venue))) as crew:
        await enough(crew, clocks.games, start)
        seconds = time.monotonic() - start
        crew.order("leave")
        await crew.reach("matches are over", lambda: -crew.count("running", "think"), 0, PATIENCE_S)
        await crew.reach("timelines are read", lambda: -crew.count("unchecked", "think"), 0, PATIENCE_S)
        answers = await crew.asked("end")
    whole = Findings()
    for answer in answers:
        whole.join(Findings.decode(answer))
    return Outcome(clocks, whole, seconds, cpu.queued(venue.server) - queued_s)


async def enough(crew: Crew, games: int, start: float) -> None:
    """Until so many games are over; long runs say how far they are."""
    said = start
    while (over := crew.count("games", "think") // 2) < games:
        await crew.pass_by(0.5)
        if time.monotonic() - said > PROGRESS_S:
            said = time.monotonic()
            print(f"{over} of {games} games after {said - start:.0f} s", file=sys.stderr, flush=True)


def lines(outcome: Outcome) -> Iterator[str]:
    """The report."""
    yield from what(outcome)
    yield from compared(outcome.found)
    yield from losses(outcome)


def what(outcome: Outcome) -> Iterator[str]:
    """What was played, and how busy the machine was."""
    clocks, found = outcome.clocks, outcome.found
    games = sum(found.ended.values()) // 2
    ended = ", ".join(f"{name} {count // 2}" for name, count in sorted(found.ended.items()))
    busy = outcome.queued_s / outcome.seconds
    yield (
        f"{games} games of {clocks.bots} bots, {clocks.matches} at once, clock {clocks.base_ms} + "
        f"{clocks.increment_ms} ms, think time {clocks.habit.think_ms:g} ms exponential but for the last "
        f"{clocks.habit.margin_ms:g} ms of the clock"
    )
    yield (
        f"{outcome.seconds:.0f} s, {found.answers / outcome.seconds:.0f} answers/s; ended: {ended}; "
        "most are resigned early, after a number of plies drawn by id"
    )
    yield f"workers waited for a processor for {busy:.0%} of the time (all threads)"


def compared(found: Findings) -> Iterator[str]:
    """The server's account of each answer beside the bots' own."""
    over, left = found.difference.over(CLOSE_MS), found.unexplained.over(CLOSE_MS)
    yield f"charged, less the bot's own measure  {times(found.overcharged)}"
    yield f"charged + lag allowance, less it     {times(found.difference)} in {found.timelines // 2} games"
    yield f"  over {CLOSE_MS:.0f} ms: {over}; less what Pings of the same stream took then: {left}"
    yield f"  what is left of these              {times(found.unexplained)}"
    yield f"clients' own lateness                {times(found.lateness)}"
    for each in found.worst:
        yield (
            f"  {each.ms:.1f} ms at ply {each.ply} of {each.match_id}: a Ping on the way of the turn took "
            f"{each.came_echo_ms:.1f} ms, one on that of the answer {each.written_echo_ms:.1f} ms"
        )


def losses(outcome: Outcome) -> Iterator[str]:
    """Who lost on time."""
    found = outcome.found
    yield f"shortest clock with which a bot was asked, by the server's word: {found.least_told_ms} ms"
    yield f"lost on time: {len(found.losses)}; inside their clock by their own measure: {outcome.wrongful}"
    for loss in [loss for loss in found.losses if loss.wrongful][:SHOWN]:
        yield (
            f"  {loss.match_id} at ply {loss.ply}: thought {loss.own_ms:.1f} of {loss.left_ms:.1f} ms, "
            f"told {loss.told_ms} ms; a Ping took {loss.echo_ms:.1f} ms meanwhile"
        )


def times(spread: Spread) -> str:
    """Of a spread, in words."""
    shares = "  ".join(f"p{share:g} {spread.quantile(share / 100):5.1f}" for share in (50, 99, 99.9))
    return f"{shares}  longest {spread.largest:5.1f} ms  ({spread.count})"


def run(clocks: Clocks) -> Outcome:
    """With a server of its own. Raises LoadError."""
    plan = clocks.plan
    capacity = max(64, plan.capacity)
    with own(plan.bots, capacity=capacity, workers=clocks.workers, flags=clocks.flags) as venue:
        return asyncio.run(played(clocks, venue))


def bench(clocks: Clocks = Clocks()) -> Iterator[str]:
    """Lines of the report. Raises SystemExit after them if a bot lost wrongfully."""
    outcome = run(clocks)
    yield from lines(outcome)
    if outcome.wrongful:
        raise SystemExit(f"clocks: {outcome.wrongful} games were lost on time wrongfully")


def parser() -> argparse.ArgumentParser:
    """All flags."""
    made = argparse.ArgumentParser(
        "python tests/bench/clocks.py",
        description="Tight clocks under high load: nobody may lose on time who was inside its clock.",
        epilog="Games are resigned after a number of plies that follows from the match's id, --plies in the "
        "mean; one in twenty is played to its end. The exit code is 1 if a game was lost wrongfully.",
    )
    known = Clocks()
    for name, words in (
        ("games", "games to play at least"),
        ("matches", "matches at once"),
        ("bots", "bots that play them"),
        ("processes", "client processes"),
        ("workers", "workers of the server"),
        ("base_ms", "clock at the start"),
        ("increment_ms", "time added for each own turn"),
    ):
        default = getattr(known, name)
        made.add_argument(
            f"--{name.replace('_', '-')}", type=int, default=default, help=f"{words} ({default})"
        )
    made.add_argument("--think-ms", type=float, default=known.habit.think_ms, help="mean think time (60)")
    made.add_argument(
        "--margin-ms",
        type=float,
        default=known.habit.margin_ms,
        help="a bot never thinks into this last part of its clock (5); below 0 it overruns it",
    )
    made.add_argument("--plies", type=int, default=known.habit.plies, help="mean ply of a resignation (60)")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the report. Ends with 1 after a wrongful loss or a failed run, with 2 for one that cannot be."""
    given = vars(parser().parse_args(arguments))
    habit = Habit(*(given.pop(name) for name in ("think_ms", "margin_ms", "plies")))
    try:
        for line in bench(Clocks(**given, habit=habit)):
            print(line, flush=True)
    except LoadError as error:
        raise SystemExit(f"clocks: {error}") from None


if __name__ == "__main__":
    main()
