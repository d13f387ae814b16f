"""Work that is done again and again as long as a block runs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar

from targi_server.errors import ServerError

__all__ = ["SECOND_S", "repeated", "spread"]

log = logging.getLogger(__name__)

SECOND_S = 1.0

T = TypeVar("T")


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


async def spread(
    work: Callable[[Sequence[T]], Awaitable[None]], items: Sequence[T], *, most: int, within_s: float
) -> None:
    """Does the work for at most `most` items at a time, evenly over `within_s` seconds.

    What is done for each of a crowd once a second would else hold everybody up, all of it at once.
    """
    starts = range(0, len(items), most)
    for start in starts:
        if start:
            await asyncio.sleep(within_s / len(starts))
        await work(items[start : start + most])


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
