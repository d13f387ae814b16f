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
from load.plan import Plan
from load.run import Run, measured
from load.venue import own

SECONDS = 8.0
MATCHES, BOTS = 200, 16
GOAL = 1.15


def loaded(workers: int, seconds: float) -> Run:
    """As fast as it goes."""
    plan = Plan(matches=MATCHES, bots=BOTS, seconds=seconds)
    with own(BOTS, capacity=64, workers=workers) as venue:
        return asyncio.run(measured(plan, venue))


def bench(seconds: float = SECONDS) -> Iterator[str]:
    """Lines of the report."""
    found: dict[int, float] = {}
    yield f"{MATCHES} matches of {BOTS} bots, as fast as it goes"
    for workers in (1, 2):
        run = loaded(workers, seconds)
        found[workers] = run.cpu_us / 1000
        yield (
            f"workers: {workers}; {found[workers]:.3f} s of the server's processor time for 1,000 committed "
            f"actions; {run.seen.rate:.0f} actions/s, mean group {run.mean_group:.1f}, "
            f"streams by worker {report.streams(run.streams)}"
        )
        yield from cpu.table(run.cpu_s, run.committed)
    ratio = found[2] / found[1]
    yield f"two workers cost {ratio:.2f} of one; aim: at most {GOAL}: {'met' if ratio <= GOAL else 'missed'}"


if __name__ == "__main__":
    for line in bench(*map(float, sys.argv[1:])):
        print(line, flush=True)
