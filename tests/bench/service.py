"""The service under load, beside the bare echo in the same run.

Starts a server with an embedded Redis, registers bots, and lets two bot processes play N matches at once
against each other. Reports committed actions a second, the mean group of a commit, the ratio to the echo, and
the processor time of an action by process: the figure that means something on a busy machine.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cpu
import echo
import psutil
from arena_api import api
from arena_process import Arena, arena, free_port

HERE = Path(__file__).resolve().parent
MESSAGE_BYTES = 120
WARM_UP_S = 0.5


@dataclass
class Measured:
    """One run of two bot processes."""

    matches: int
    actions_a_second: float
    mean_group: float
    latencies_ms: list[float]
    committed: float
    """Actions over the whole run, warm-up and all: what the processor time was spent on."""
    cpu_s: dict[str, float]

    def percentile(self, share: float) -> float:
        """Latency in ms below which this share of the answers lies."""
        return self.latencies_ms[min(len(self.latencies_ms) - 1, int(len(self.latencies_ms) * share))]


def total(metrics: str, name: str) -> float:
    """Sum of a metric over all of its labels."""
    return sum(float(value) for value in re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", metrics, re.M))


def play(server: Arena, tokens: list[str], matches: int, seconds: float, rate: float = 0.0) -> Measured:
    """Two bot processes, `matches` at once between them, for some seconds; `rate` 0 is as fast as it goes."""
    clients = [
        subprocess.Popen(
            [
                *(sys.executable, str(HERE / "load_client.py")),
                json.dumps(
                    {
                        "address": server.address,
                        "token": token,
                        "capacity": matches,
                        "seconds": seconds,
                        "rate": rate / len(tokens),
                        "seed": number + 1,
                        "warm_up_s": 6.0,
                    }
                ),
            ],
            stdout=subprocess.PIPE,
        )
        for number, token in enumerate(tokens)
    ]
    before, cpu_before = server.metrics(), cpu.spent(server)
    results = [json.loads(client.communicate()[0]) for client in clients]
    after, cpu_after = server.metrics(), cpu.spent(server)
    groups, items, committed = (
        total(after, f"targi_{name}") - total(before, f"targi_{name}")
        for name in ("commit_batch_size_count", "commit_batch_size_sum", "actions_total")
    )
    used = {role: cpu_after[role] - cpu_before[role] for role in cpu_after}
    used["both clients"] = sum(result["cpu_s"] for result in results)
    return Measured(
        matches,
        sum(result["acknowledged"] / result["seconds"] for result in results),
        items / max(1.0, groups),
        sorted(value for result in results for value in result["latencies_ms"]),
        committed,
        used,
    )


@contextmanager
def echo_server() -> Iterator[tuple[int, psutil.Process]]:
    port = free_port()
    process = subprocess.Popen([sys.executable, str(HERE / "echo.py"), str(port)])
    try:
        yield port, psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()


def measure_echo(in_flight: int, seconds: float) -> tuple[float, float]:
    """Messages a second, and microseconds of processor time of a message, server and client together."""
    with echo_server() as (port, process):
        asyncio.run(echo.measure(port, MESSAGE_BYTES, in_flight, WARM_UP_S))
        before = cpu.of(process) + time.process_time()
        rate = asyncio.run(echo.measure(port, MESSAGE_BYTES, in_flight, seconds))
        used_s = cpu.of(process) + time.process_time() - before
        return rate, used_s / (rate * seconds) * 1e6


def bench(seconds: float = 10.0, sizes: tuple[int, ...] = (1, 64, 200)) -> Iterator[str]:
    """Lines of the report."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with arena(data, "--max-capacity", "256", "--log-level", "warning") as server:
            with api(server.address) as calls:
                tokens = [calls.register(bot) for bot in ("load-one", "load-two")]
            best = 0.0
            yield "matches  actions/s  echo/s  ratio  mean group  p50 ms  p99 ms"
            for matches in sizes:
                bare, bare_us = measure_echo(matches, seconds / 2)
                run = play(server, tokens, matches, seconds)
                best = max(best, run.actions_a_second)
                yield (
                    f"{matches:7d}  {run.actions_a_second:9.0f}  {bare:6.0f}  "
                    f"{run.actions_a_second / bare:5.2f}  {run.mean_group:10.1f}  "
                    f"{run.percentile(0.5):6.1f}  {run.percentile(0.99):6.1f}"
                )
                yield from cpu.table(run.cpu_s, run.committed)
                yield f"    {'bare echo':<12s} {bare_us:7.1f} us a message, both ends"
            half = play(server, tokens, sizes[-1], seconds, rate=best / 2)
            yield (
                f"open loop at half of the maximum ({best / 2:.0f} actions/s planned, "
                f"{half.actions_a_second:.0f} done): p50 {half.percentile(0.5):.1f} ms, "
                f"p99 {half.percentile(0.99):.1f} ms from the planned time to the acknowledgement"
            )


if __name__ == "__main__":
    for line in bench():
        print(line, flush=True)
