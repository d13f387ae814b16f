"""`python tests/bench`: all benchmarks, one after the other, each in words and ratios."""

from collections.abc import Callable, Iterator

import bench_redis_memory
import clocks
import memory
import playouts
import service
import workers

BENCHES: tuple[tuple[str, Callable[[], Iterator[str]]], ...] = (
    ("random playouts", playouts.bench),
    ("service", service.bench),
    ("two workers", workers.bench),
    ("memory of the server", memory.bench),
    ("memory in Redis", bench_redis_memory.bench),
    ("clocks", clocks.bench),
)

for title, bench in BENCHES:
    print(f"\n## {title}", flush=True)
    for line in bench():
        print(line, flush=True)
