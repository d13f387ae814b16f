"""Whether the store answers: one small question at a time, and word of each change."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from targi_server.errors import ServerError
from targi_server.store.commands import Commands
from targi_server.store.keys import replica_key

__all__ = ["asked"]

PERIOD_S = 1.0
PATIENCE_S = 2.0
"""Without an answer for this long the store counts as away; the question goes on waiting."""


@contextlib.asynccontextmanager
async def asked(commands: Commands, replica: str, report: Callable[[bool], None]) -> AsyncIterator[None]:
    """Asks for as long as the block runs; `report` hears False when the store goes, True when it is back."""
    task = asyncio.create_task(ask(commands, replica, report))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def ask(commands: Commands, replica: str, report: Callable[[bool], None]) -> None:
    """Asks again and again."""
    here = True
    while True:
        question = asyncio.create_task(answered(commands, replica))
        try:
            done, _ = await asyncio.wait((question,), timeout=PATIENCE_S)
            if here and not (done and question.result()):
                report(here := False)
            if await question and not here:
                report(here := True)
        finally:
            question.cancel()
        await asyncio.sleep(PERIOD_S)


async def answered(commands: Commands, replica: str) -> bool:
    """Whether there is an answer in the end."""
    try:
        await commands.command("EXISTS", replica_key(replica))
    except ServerError:
        return False
    return True
