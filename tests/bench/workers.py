"""What a second worker costs: processor time of an action with two of them, relative to one.

`python tests/bench/workers.py [seconds]`. The same load on both: its bots are so many that both workers get a
share, and most matches have their two bots at different ones.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import cpu
from load import report
from load.plan import Pacing, Plan
from load.run import Run, measured
from load.venue import own

SECONDS = 8.0
MATCHES, BOTS = 200, 16
GOAL = 1.15


def loaded(workers: int, seconds: float, rate: float) -> Run:
    """In an open loop at a rate, or as fast as it goes if that is 0."""
    plan = Plan(matches=MATCHES, bots=BOTS, seconds=seconds, pacing=Pacing(rate=rate))
    with own(BOTS, capacity=64, workers=workers) as venue:
        return asyncio.run(measured(plan, venue))


def compared(seconds: float, rate: float, runs: list[Run]) -> Iterator[str]:
    """One worker beside two; `runs` gets both."""
    for workers in (1, 2):
        run = loaded(workers, seconds, rate)
        runs.append(run)
        yield (
            f"workers: {workers}; {run.cpu_us / 1000:.3f} s of the server for 1,000 actions committed; "
            f"{run.seen.rate:.0f} actions/s, mean group {run.mean_group:.1f}, "
            f"streams by worker {report.streams(run.streams)}"
        )
        yield from cpu.table(run.cpu_s, run.committed)
    ratio = runs[-1].cpu_us / runs[-2].cpu_us
    yield f"two workers cost {ratio:.2f} of one; aim: at most {GOAL}: {'met' if ratio <= GOAL else 'missed'}"


def bench(seconds: float = SECONDS) -> Iterator[str]:
    """Lines of the report."""
    runs: list[Run] = []
    yield f"{MATCHES} matches of {BOTS} bots, as fast as it goes"
    yield from compared(seconds, 0.0, runs)
    rate = runs[0].seen.rate / 2
    yield ""
    yield f"the same in an open loop at half of what one worker did, {rate:.0f} actions/s"
    yield from compared(seconds, rate, runs)


if __name__ == "__main__":
    for line in bench(*map(float, sys.argv[1:])):
        print(line, flush=True)
