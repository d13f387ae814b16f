"""Work that is done again and again as long as a block runs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NoReturn

from targi_server.errors import ServerError

__all__ = ["SECOND_S", "repeated"]

log = logging.getLogger(__name__)

SECOND_S = 1.0


@asynccontextmanager
async def repeated(interval_s: float, *works: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Does each work by itself at fixed times; what takes too long skips some, what fails is logged."""
    tasks = [asyncio.create_task(_repeat(interval_s, work)) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _repeat(interval_s: float, work: Callable[[], Awaitable[None]]) -> NoReturn:
    due = time.monotonic()
    while True:
        try:
            await work()
        except ServerError as error:
            log.warning("%s", error)
        except Exception:
            log.exception("%s failed; it is tried again", getattr(work, "__qualname__", work))
        due = max(due + interval_s, time.monotonic())
        await asyncio.sleep(due - time.monotonic())
