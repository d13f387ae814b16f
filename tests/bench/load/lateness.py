"""How late this process' own event loop is: what no server can be blamed for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

__all__ = ["EVERY_S", "watch"]

EVERY_S = 0.01


async def watch(late: Callable[[float, float], None]) -> None:
    """Ask the loop every 10 ms; `late` gets when it should have come back and how late it did, in s."""
    while True:
        due = time.monotonic() + EVERY_S
        await asyncio.sleep(EVERY_S)
        late(due, max(0.0, time.monotonic() - due))
