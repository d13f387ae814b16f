"""A run in words, and as one object of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import cpu
from load.plan import Plan
from load.run import Run
from load.spread import Spread

__all__ = ["lines", "object_of", "streams"]


def lines(run: Run) -> Iterator[str]:
    """The report."""
    seen = run.seen
    yield _what(run.plan)
    yield (
        f"{seen.rate:.0f} committed actions/s over {seen.seconds:.1f} s; "
        f"{run.running[0]:.0f} matches at once in the mean, {run.running[1]} at the least"
    )
    if run.share.count:
        yield f"mean group of a commit {run.mean_group:.1f}; streams by worker: {streams(run.streams)}"
        yield (
            f"server's share of a turn  p50 {_server(run, 0.5):6.1f} ms  p99 {_server(run, 0.99):6.1f} ms  "
            "(answer read, committed, both bots told)"
        )
    else:
        yield "server's share of a turn: not known; give --metrics URL of its /metrics"
    start = "planned time" if run.plan.pacing.rate else "due answer"
    yield f"client, {start} to ack   {_times(seen.latency)}"
    yield f"client's own lateness     {_times(seen.lateness)}"
    if run.committed:
        yield "processor time"
        yield from cpu.table(run.cpu_s, run.committed)
    if run.queued_s:
        busy = run.queued_s / seen.seconds
        yield f"workers waited for a processor for {busy:.0%} of the time (all threads)"
    yield f"ended matches (told to each bot): {_counts(seen.ended)}; refused: {_counts(seen.refused)}"


def object_of(run: Run) -> dict[str, Any]:  # JSON values
    """For `--json`; times in ms, processor time in microseconds a committed action."""
    seen = run.seen
    return {
        "matches": run.plan.matches,
        "bots": run.plan.bots,
        "actions_a_second": seen.rate,
        "seconds": seen.seconds,
        "running_mean": run.running[0],
        "running_min": run.running[1],
        "mean_group": run.mean_group,
        "server_ms": {"p50": _server(run, 0.5), "p99": _server(run, 0.99), "count": run.share.count},
        "client_ms": _quantiles(seen.latency),
        "lateness_ms": _quantiles(seen.lateness),
        "cpu_us": {role: used / max(1.0, run.committed) * 1e6 for role, used in run.cpu_s.items()},
        "queued_s": run.queued_s,
        "streams": run.streams,
        "ended": dict(seen.ended),
        "refused": dict(seen.refused),
        "bytes_a_frame": seen.sent_bytes / max(1, seen.frames),
    }


def _what(plan: Plan) -> str:
    pacing = plan.pacing
    loop = f"open loop, {pacing.rate:.0f} answers/s planned" if pacing.rate else "closed loop"
    think = f", think time {pacing.think_ms:g} ms {pacing.think_model}" if pacing.think_ms else ""
    idle = f", {plan.idle} idle bots besides" if plan.idle else ""
    return (
        f"{plan.matches} matches ({plan.ruleset}) of {plan.bots} bots in {plan.processes} processes; "
        f"{loop}{think}{idle}"
    )


def _server(run: Run, share: float) -> float:
    return run.share.quantile(share) * 1000


def _times(spread: Spread) -> str:
    found = _quantiles(spread)
    return f"p50 {found['p50']:6.1f} ms  p99 {found['p99']:6.1f} ms  longest {found['max']:.1f} ms"


def _quantiles(spread: Spread) -> dict[str, float]:
    return {"p50": spread.quantile(0.5), "p99": spread.quantile(0.99), "max": spread.largest}


def streams(found: dict[str, float]) -> str:
    """How many each worker has."""
    return ", ".join(f"{worker}: {count:.0f}" for worker, count in sorted(found.items()))


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"
