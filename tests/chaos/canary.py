"""How late this machine is: what every process on it suffers, and no bot and no service is to blame for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from notebook import now_ms
from spans import Span

__all__ = ["watched"]

LOOK_MS = 50
LATE_MS = 200
AROUND_MS = 1_000
"""Other processes were late a little before or after."""


@contextmanager
def watched() -> Iterator[list[Span]]:
    """The times within the block at which a thread that sleeps for a moment woke up late."""
    found: list[Span] = []
    over = threading.Event()

    def watch() -> None:
        before = now_ms()
        while not over.wait(LOOK_MS / 1000):
            now = now_ms()
            if now - before > LOOK_MS + LATE_MS:
                found.append(Span("busy", before - AROUND_MS, now + AROUND_MS))
            before = now

    thread = threading.Thread(target=watch, name="canary")
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()
