"""How late this machine is: what processes on it suffer, and no bot and no service is to blame for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from notebook import now_ms
from spans import Span

__all__ = ["starving", "watched"]

LOOK_MS = 50
LATE_MS = 200
STARVED_LOOK_MS = 1_000
STARVED_SHARE = 0.3
"""Of a second, so that what takes half a second alone may take two."""
AROUND_MS = 1_000
"""Other processes were late a little before or after."""


@contextmanager
def watched() -> Iterator[list[Span]]:
    """The times within the block at which a thread that sleeps for a moment woke up late."""
    found: list[Span] = []

    def look(before: int, now: int) -> None:
        if now - before > LOOK_MS + LATE_MS:
            found.append(Span("busy", before - AROUND_MS, now + AROUND_MS))

    with _each(LOOK_MS, look):
        yield found


@contextmanager
def starving(pids: Callable[[], Iterable[int]]) -> Iterator[list[Span]]:
    """The times within the block at which one of the processes could run and was not let.

    The canary above sleeps, and whoever sleeps is let run soon: it does not notice what busy ones suffer.
    """
    found: list[Span] = []
    waited: Mapping[int, float] = {}

    def look(before: int, now: int) -> None:
        nonlocal waited
        try:
            so_far = {pid: _waited_ms(pid) for pid in pids()}
        except psutil.NoSuchProcess:  # one of the faults hit it while it was looked for
            so_far = {}
        worst = max((ms - waited[pid] for pid, ms in so_far.items() if pid in waited), default=0.0)
        if worst > STARVED_SHARE * (now - before):
            found.append(Span("starving", before - AROUND_MS, now + AROUND_MS))
        waited = so_far

    with _each(STARVED_LOOK_MS, look):
        yield found


def _waited_ms(pid: int) -> float:
    """How long a process waited for a processor so far; 0 where the system does not tell."""
    try:
        return float(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e6
    except OSError:
        return 0.0


@contextmanager
def _each(every_ms: int, look: Callable[[int, int], None]) -> Iterator[None]:
    """Looks so often, from a thread of its own, with the times of the look before and of this one."""
    over = threading.Event()

    def watch() -> None:
        before = now_ms()
        while not over.wait(every_ms / 1000):
            now = now_ms()
            look(before, now)
            before = now

    thread = threading.Thread(target=watch, name="canary")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
