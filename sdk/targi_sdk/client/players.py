"""Where the bots of the running matches think: the contract, and the way without worker processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Protocol

from targi_sdk.bot import End, Start
from targi_sdk.client.questions import Failure, Question, Reply
from targi_sdk.client.seat import Factory, Seat

__all__ = ["InProcess", "Players", "Replies", "drop_reply"]

Replies = Callable[[Reply], None]
"""Takes replies, in the event loop; also inside `ask` and `start`."""


class Players(Protocol):
    """The bots of all running matches. No call waits for a bot; `replies` is set before the first call."""

    replies: Replies

    async def open(self) -> None:
        """Get ready. Raises an `SdkError` if the bot cannot be loaded."""

    async def close(self) -> None:
        """Stop all bots, also those that think."""

    def start(self, start: Start) -> None:
        """A match starts: make its bot."""

    def ask(self, question: Question) -> None:
        """Let the bot of a match choose. At most one question a match is open."""

    def end(self, match_id: str, end: End | None) -> None:
        """A match is over; None where it is not known how."""


class InProcess:
    """Bots in the event loop's own thread, for those that answer at once or wait with `await`."""

    def __init__(self, factory: Factory, bot_seed: bytes) -> None:
        self.replies: Replies = drop_reply
        self._factory = factory
        self._bot_seed = bot_seed
        self._seats: dict[str, Seat] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    async def open(self) -> None:
        """Nothing to prepare."""

    async def close(self) -> None:
        """Cancel the bots that wait."""
        waiting = list(self._waiting.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def start(self, start: Start) -> None:
        """Make the bot of a match."""
        seat = self._seats[start.match_id] = Seat(self._factory, start, self._bot_seed)
        self._tell(seat.open())

    def ask(self, question: Question) -> None:
        """Let the bot choose, and reply before returning unless it waits."""
        reply = self._seats[question.match_id].ask(question)
        if isinstance(reply, Coroutine):
            self._waiting[question.match_id] = asyncio.create_task(self._wait(question.match_id, reply))
        else:
            self.replies(reply)

    def end(self, match_id: str, end: End | None) -> None:
        """Let the bot of a match go, whatever it waits for."""
        seat = self._seats.pop(match_id)
        if (task := self._waiting.pop(match_id, None)) is not None:
            task.cancel()
        if end is not None:
            self._tell(seat.close(end))

    async def _wait(self, match_id: str, reply: Coroutine[None, None, Reply]) -> None:
        answer = await reply
        self._waiting.pop(match_id, None)
        self.replies(answer)

    def _tell(self, failure: Failure | None) -> None:
        if failure is not None:
            self.replies(failure)


def drop_reply(reply: Reply) -> None:
    """Where replies go before anybody asked."""
