"""A bot of the SDK that writes down all it is told: `python sdk_bot.py '{"address": ..}'`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import zlib
from pathlib import Path

from notebook import Notebook
from targi_sdk import Bot, Turn
from targi_sdk.bot import End, Start
from targi_sdk.client import run_bot
from targi_sdk.client.news import Kind, News

GIVEN = json.loads(sys.argv[1])
BOOK = Notebook(Path(GIVEN["notebook"]))


class SdkBot(Bot):
    """Plays at random."""

    version = "1"

    def on_start(self, start: Start) -> None:
        BOOK.write("S", start.match_id, start.seat, start.ply, "-", 0, "-")

    async def choose(self, turn: Turn) -> int:
        crc = zlib.crc32(turn.observation.encode())
        BOOK.write("T", turn.match_id, turn.ply, crc)
        await asyncio.sleep(GIVEN["pause_s"])
        action = turn.rng.choice(turn.legal)
        BOOK.write("A", turn.match_id, turn.ply, action)
        return action

    def on_end(self, end: End) -> None:
        BOOK.write("E", end.match_id, end.result, end.termination, end.culprit)


def report(news: News) -> None:
    """Notes connections that come and go; the rest goes to the log."""
    if news.kind is Kind.CONNECTED:
        BOOK.write("W")
    elif news.kind is Kind.LOST:
        BOOK.write("X", news.words.replace("\n", " "))
    elif news.kind is Kind.ENDED:
        BOOK.write("N", news.match_id)
    else:
        print(news.kind, news.words, flush=True)


async def main() -> None:
    await run_bot(
        SdkBot,
        token=os.environ["TARGI_TOKEN"],
        server=GIVEN["address"],
        capacity=GIVEN["capacity"],
        report=report,
        signals=True,
        patience_s=60,
    )


if __name__ == "__main__":
    asyncio.run(main())
