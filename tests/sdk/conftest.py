"""A scripted arena on a real port, and clients that play on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from fake_arena import FakeArena, fake_arena
from targi_sdk.bot import Bot
from targi_sdk.client import News, Summary, run_bot

Launch = Callable[..., "asyncio.Task[Summary]"]


@pytest.fixture
async def arena() -> AsyncIterator[FakeArena]:
    """An arena that says what the test says."""
    async with fake_arena() as running:
        yield running


@pytest.fixture
def news() -> list[News]:
    """What the clients of a test told."""
    return []


@pytest.fixture
async def launch(arena: FakeArena, news: list[News]) -> AsyncIterator[Launch]:
    """Starts a client of the arena; it is stopped at the end of the test."""
    tasks: list[asyncio.Task[Summary]] = []

    def start(bot: type[Bot], **options: object) -> asyncio.Task[Summary]:
        given = {"token": "secret", "server": arena.address, "seed": bytes(32), "report": news.append}
        task = asyncio.create_task(run_bot(bot, **{**given, **options}))  # type: ignore[arg-type]
        tasks.append(task)
        return task

    yield start
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
