"""Ctrl-C and SIGTERM: once to leave, twice to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Stoppable", "stop_on_signals"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stoppable(Protocol):
    """What can be stopped in two steps."""

    def leave(self) -> None:
        """Finish what runs."""

    def quit(self) -> None:
        """Stop at once."""


@contextmanager
def stop_on_signals(client: Stoppable, *, wanted: bool = True) -> Iterator[None]:
    """While the block runs, the first signal leaves and every later one stops. Main thread only."""
    steps = iter([client.leave])

    def step() -> None:
        next(steps, client.quit)()

    loop = asyncio.get_running_loop()
    for number in SIGNALS if wanted else ():
        loop.add_signal_handler(number, step)
    try:
        yield
    finally:
        for number in SIGNALS if wanted else ():
            loop.remove_signal_handler(number)
