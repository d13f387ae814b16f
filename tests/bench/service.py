"""The service under load, beside the bare echo in the same run: `python tests/bench/service.py [seconds]`.

First as fast as it goes, at several numbers of matches; then an open loop at half of the best rate, with a
crowd of bots that are connected and play nothing. The processor time of an action, by process, is the figure
that means something on a busy machine. `python tests/bench/load` makes any other run of this kind.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cpu
import echo
import psutil
from load import report
from load.plan import Pacing, Plan
from load.run import Run, measured
from load.venue import own
from spare_port import free_port

HERE = Path(__file__).resolve().parent
MESSAGE_BYTES = 120
WARM_UP_S = 0.5
SECONDS = 8.0
LOADS = ((1, 2), (64, 2), (200, 2), (200, 20))
"""Matches at once, and bots that play them."""
IDLE = 1_000
OPEN_MATCHES = 200
GOAL_MS = 20.0

LINE = "{:>7s}  {:>4s}  {:>7s}  {:>9s}  {:>6s}  {:>5s}  {:>10s}  {:>14s}  {:>14s}"
HEAD = LINE.format(
    "matches",
    "bots",
    "at once",
    "actions/s",
    "echo/s",
    "ratio",
    "mean group",
    "server p50/99",
    "client p50/99",
)


@dataclass(frozen=True)
class Echoed:
    """The bare echo."""

    rate: float
    """Messages a second."""
    cpu_us: float
    """Processor time of a message, both ends together."""


@contextmanager
def echo_server() -> Iterator[tuple[int, psutil.Process]]:
    """Its port and its process."""
    port = free_port()
    process = subprocess.Popen([sys.executable, str(HERE / "echo.py"), str(port)])
    try:
        yield port, psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()


def measure_echo(in_flight: int, seconds: float) -> Echoed:
    """With so many messages on their way at any time."""
    with echo_server() as (port, process):
        asyncio.run(echo.measure(port, MESSAGE_BYTES, in_flight, WARM_UP_S))
        before = cpu.of(process) + time.process_time()
        rate = asyncio.run(echo.measure(port, MESSAGE_BYTES, in_flight, seconds))
        used_s = cpu.of(process) + time.process_time() - before
        return Echoed(rate, used_s / (rate * seconds) * 1e6)


def closed(matches: int, bots: int, seconds: float) -> Run:
    """As fast as it goes."""
    plan = Plan(matches=matches, bots=bots, seconds=seconds)
    with own(bots, capacity=max(64, plan.capacity)) as venue:
        return asyncio.run(measured(plan, venue))


def opened(rate: float, seconds: float) -> Run:
    """At planned times, with the crowd."""
    plan = Plan(matches=OPEN_MATCHES, seconds=seconds, pacing=Pacing(rate=rate), idle=IDLE)
    with own(plan.bots, IDLE, capacity=plan.capacity) as venue:
        return asyncio.run(measured(plan, venue))


def row(run: Run, bare: Echoed) -> str:
    """A line of the table."""
    return LINE.format(
        str(run.plan.matches),
        str(run.plan.bots),
        f"{run.running[0]:.0f}",
        f"{run.seen.rate:.0f}",
        f"{bare.rate:.0f}",
        f"{run.seen.rate / bare.rate:.2f}",
        f"{run.mean_group:.1f}",
        "{:.1f} / {:.1f}".format(*(run.share.quantile(share) * 1000 for share in (0.5, 0.99))),
        "{:.1f} / {:.1f}".format(*(run.seen.latency.quantile(share) for share in (0.5, 0.99))),
    )


def bench(seconds: float = SECONDS) -> Iterator[str]:
    """Lines of the report."""
    best = 0.0
    yield f"{HEAD}   (ms)"
    for matches, bots in LOADS:
        bare = measure_echo(matches, seconds / 2)
        run = closed(matches, bots, seconds)
        best = max(best, run.seen.rate)
        yield row(run, bare)
        yield from cpu.table(run.cpu_s, run.committed)
        yield f"    {'bare echo':<12s} {bare.cpu_us:7.1f} us a message, both ends"
    yield ""
    yield f"at half of the best rate, {best:.0f} actions/s:"
    half = opened(best / 2, seconds)
    yield from report.lines(half)
    found_ms = half.share.quantile(0.99) * 1000
    verdict = "met" if found_ms < GOAL_MS else "missed"
    yield f"aim: p99 of the server's share under {GOAL_MS:.0f} ms: {verdict}, {found_ms:.1f} ms"


if __name__ == "__main__":
    for line in bench(*map(float, sys.argv[1:])):
        print(line, flush=True)
