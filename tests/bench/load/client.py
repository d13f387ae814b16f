"""A client process: `python -m load.client`, with its plan as the first line of its input.

Further lines are orders: `go` (the warm-up is over), `begin` and `end` (of the window that is measured). It
writes a line of JSON several times a second, `{"state": ..}`, and one for each order that has an answer. It
ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys

from load.company import COMPANIES, Company
from load.errors import StreamEnded
from load.plan import ClientPlan

EVERY_S = 0.1


def tell(what: str, values: object) -> None:
    """A line for the parent."""
    sys.stdout.write(json.dumps({what: values}) + "\n")
    sys.stdout.flush()


async def report(company: Company) -> None:
    """How things are, again and again."""
    while True:
        tell("state", company.state())
        await asyncio.sleep(EVERY_S)


async def listen(orders: asyncio.StreamReader, company: Company) -> None:
    """Follow orders until there are no more."""
    while word := (await orders.readline()).decode().strip():
        answer = company.obey(word)
        if answer is not None:
            tell("answer", answer)


async def run() -> None:
    """Play while there are orders."""
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(orders), sys.stdin
    )
    plan = ClientPlan.decode((await orders.readline()).decode())
    company = COMPANIES[plan.role](plan)
    play = asyncio.create_task(company.play(plan.address))
    told = asyncio.create_task(report(company))
    heard = asyncio.create_task(listen(orders, company))
    await asyncio.wait((play, told, heard), return_when=asyncio.FIRST_COMPLETED)
    for task in (told, heard, play):
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(play, told, heard, return_exceptions=True)


def main() -> None:
    """Ends with 1 and a sentence if a stream breaks."""
    try:
        asyncio.run(run())
    except* StreamEnded as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise SystemExit(f"load client: {error}") from None


if __name__ == "__main__":
    main()
