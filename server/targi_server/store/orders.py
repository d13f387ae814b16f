"""Orders to the committer: what callers wait for, and the requests that they consist of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple, TypeAlias

from targi_server.errors import ServerError
from targi_server.store.commands import Argument, Reply
from targi_server.store.trouble import Trouble

__all__ = ["Order", "Outcome", "Request", "Sent", "reply_of"]


class Sent(NamedTuple):
    """A reply, and how it came about."""

    reply: Reply
    uncertain: bool
    """Whether it may have been carried out before the attempt that was answered."""
    sent_at: float
    """On the monotonic clock, in seconds: when the batch left."""
    answered_at: float


Outcome: TypeAlias = Sent | ServerError


class Order:
    """Requests of one caller: it waits once, for all of their outcomes.

    A caller that was cancelled has taken only its own wait away.
    """

    __slots__ = ("_left", "_outcomes", "done", "since")

    def __init__(self, size: int) -> None:
        self.since = monotonic()
        self.done: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()
        self._outcomes: list[Outcome | None] = [None] * size
        self._left = size

    def settle(self, place: int, outcome: Outcome) -> None:
        """What became of the request at `place`."""
        self._outcomes[place] = outcome
        self._left -= 1
        if not self._left and not self.done.done():
            self.done.set_result([outcome for outcome in self._outcomes if outcome is not None])


@dataclass(eq=False, slots=True)
class Request:
    """A command on its way."""

    wire: Sequence[Argument]
    order: Order
    place: int
    """In its order."""
    trouble: Trouble | None = None
    """Of the last attempt."""
    uncertain: bool = False
    """Whether an attempt may have been carried out that was not answered."""

    def fail(self, failure: ServerError, cause: Exception | None = None) -> None:
        """Gives up."""
        failure.__cause__ = cause
        self.order.settle(self.place, failure)


def reply_of(outcome: Outcome) -> Sent:
    """The reply, if there is one. Raises the error that came in its place."""
    if isinstance(outcome, ServerError):
        raise outcome
    return outcome
