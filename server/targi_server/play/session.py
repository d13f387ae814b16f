"""One connected bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import NamedTuple

from targi_server.errors import ServerError
from targi_server.lobby.presence import Arrival, Claim
from targi_server.match.model import MatchHeader
from targi_server.play.door import Door
from targi_server.play.ends import Ends
from targi_server.play.outbox import Outbox
from targi_server.play.pulse import Pulse

__all__ = ["Form", "Session"]


class Form(NamedTuple):
    """How a session gets positions and actions: compact bytes or a message; ids alone or with notation."""

    compact: bool
    named: bool


@dataclass(eq=False, slots=True)
class Session:
    """A bot's stream, as its tables see it."""

    arrival: Arrival
    claim: Claim
    form: Form
    action_ids: bool
    """Whether action ids mean the same on both sides."""
    outbox: Outbox
    pulse: Pulse
    since_ms: int
    """Time of the match clock from which on it is connected."""
    digest: str = field(default="", repr=False)
    """What is kept of the token with which it came."""
    leaving: bool = False
    door: Door = field(default_factory=Door)
    """Passed while it sits down at a table, shut before it leaves all of them."""
    care: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while it is brought what it lacks."""
    spending: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while it spends the next nonce of its chain for an offer."""
    quiet: bool = False
    matches: dict[str, int] = field(default_factory=dict)
    """Running matches by id, with the own seat."""
    elsewhere: dict[str, MatchHeader] = field(default_factory=dict)
    """Running matches that this server cannot play, of which the bot was told."""
    offers: set[str] = field(default_factory=set)
    """Offers that were sent and are not known to be over."""
    taken: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Those of them that the bot took, with the nonce of its Ready."""
    ends: Ends = field(default_factory=Ends)

    @property
    def bot(self) -> str:
        """Name of the bot."""
        return self.arrival.bot

    @property
    def idle(self) -> bool:
        """Whether there is nothing that it plays, was offered, or was told the end of."""
        return not (self.matches or self.elsewhere or self.offers or self.ends or self.leaving)

    def knows(self, match_id: str) -> bool:
        """Whether the bot was told of a match: that it runs, that it is over, or that it runs elsewhere."""
        return match_id in self.matches or match_id in self.ends or match_id in self.elsewhere

    def push(self, event: bytes) -> None:
        """Send an encoded event."""
        self.outbox.push(event)

    def close(self, error: ServerError | None = None) -> None:
        """End the stream, with a status or well."""
        self.outbox.close(error)
