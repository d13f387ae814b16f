"""`python tests/bench`: all benchmarks, one after the other, each in words and ratios."""

from collections.abc import Callable, Iterator

import idle
import playouts
import service

BENCHES: tuple[tuple[str, Callable[[], Iterator[str]]], ...] = (
    ("random playouts", playouts.bench),
    ("service", service.bench),
    ("idle bots", idle.bench),
)

for title, bench in BENCHES:
    print(f"\n## {title}", flush=True)
    for line in bench():
        print(line, flush=True)
