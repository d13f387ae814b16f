"""What the match log is asked and what it answers. Answers are values; only a store that is away raises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from targi_server.match.entries import Entry
from targi_server.match.model import Verdict

__all__ = [
    "Append",
    "Appended",
    "Committed",
    "Ended",
    "Gap",
    "Missing",
    "NotYourTurn",
    "Over",
    "Repeat",
    "Stale",
    "StrikeAnswer",
    "Struck",
    "Waiting",
]


class Append(NamedTuple):
    """An answer whose first `len(actions)` links are legal at `ply`, at least one."""

    match_id: str
    ply: int
    seat: int
    actions: tuple[int, ...]
    """The links that count. Of a ply that is known to be old: all as received, for comparison only."""
    digest: bytes
    """8 bytes of the list of actions as received: what makes a resend the same."""
    received: int
    """Number of actions as received."""
    arrived_ms: int
    """When the answer arrived, by `MatchStore.now_ms`."""
    out_ms: int
    """From the commit before until the turn entered the queue to this bot."""
    turn_ended: bool
    """Whether the own turn is over after the last link."""
    next_seat: int
    """To move after the last link; OVER if the game is over."""
    result: str | None = None
    """Of a game that is over now."""
    scores: tuple[int, int] | None = None
    struck: bool = False
    """Whether an illegal link ended the chain: one strike."""
    shown: str = ""
    """The illegal link as received, fit for one line."""
    since_ms: int = 0
    """When the action before was committed, as the caller knows it. After the log lost actions this tells the
    position from another one at the same ply. 0: whatever was there before."""


class Committed(NamedTuple):
    """The links are in the log."""

    ply: int
    """Of the first link."""
    taken: int
    charged_ms: int
    clocks: tuple[int, int]
    at_ms: int
    entries: tuple[Entry, ...]
    strikes: int
    """Of the seat that acted."""
    verdict: Verdict | None
    """NORMAL if the game is over, ILLEGAL after a third strike."""


@dataclass(frozen=True, slots=True)
class Struck:
    """The answer was illegal and the seat has a strike for it."""

    strikes: int
    verdict: Verdict | None
    """ILLEGAL after the third."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same answer came before; this is what it was told then. The match did not change."""

    first: Committed | Struck


@dataclass(frozen=True, slots=True)
class Stale:
    """The ply was answered already, in another way."""


@dataclass(frozen=True, slots=True)
class NotYourTurn:
    """The other seat is to move."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The caller knows actions that the log lost, and must read it again."""

    ply: int
    """Where it stands."""


@dataclass(frozen=True, slots=True)
class Over:
    """The match is over. After a late answer the verdict is TIME, given in its place."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Waiting:
    """A clock or budget ended while both were away; nothing counts until the verdict falls."""


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such match any more (it was filed), or there never was."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The verdict that is in force: the given one, or that which came first.

    None: the match is not at the ply for which the end was meant, or there is no such match.
    """

    verdict: Verdict | None
    given: bool
    """Whether it is the given one, just now."""


Appended: TypeAlias = Committed | Repeat | Stale | NotYourTurn | Gap | Over | Waiting | Missing
StrikeAnswer: TypeAlias = Struck | Repeat | Stale | NotYourTurn | Gap | Over | Waiting | Missing
