"""Which bots are connected, where, and as what: one session a bot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Arrival", "Claim", "Online", "Presence"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a Hello says, checked."""

    bot: str
    owner: str
    session: str
    version: str
    capacity: int
    rulesets: tuple[str, ...]
    ladder: bool
    chain_head: bytes
    """Head of the nonce chain, 32 bytes, or empty."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A session's hold on its bot. A later claim has a higher fence; only the highest holds."""

    bot: str
    session: str
    replica: str
    fence: int
    resumed: bool
    """Whether the same session held the bot before."""


@dataclass(frozen=True, slots=True)
class Online:
    """A connected bot."""

    bot: str
    owner: str
    session: str
    version: str
    replica: str
    fence: int
    capacity: int
    rulesets: tuple[str, ...]
    ladder: bool
    leaving: bool
    """It takes nothing new."""


class Presence:
    """Claims and releases of bots by sessions of all replicas."""

    async def claim(self, arrival: Arrival) -> Claim:
        """Makes this replica's session the one of the bot; the older one's replica hears bus kind "replaced".

        Raises TakeoverLimit: two takeovers within a minute.
        """
        raise NotImplementedError

    async def release(self, claim: Claim) -> bool:
        """Gives the bot up when the stream ends; False if a later claim holds it."""
        raise NotImplementedError

    async def leave(self, claim: Claim) -> None:
        """Leave: takes nothing new."""
        raise NotImplementedError

    async def quiet(self, claim: Claim, quiet: bool) -> None:
        """Says that the stream was silent for a heartbeat, or heard again: call it on changes only."""
        raise NotImplementedError

    async def fences(self, bots: Iterable[str]) -> Mapping[str, int]:
        """Fence that holds each bot now (0: none); a local session with another one was replaced."""
        raise NotImplementedError

    async def of(self, bot: str) -> Online | None:
        """The bot's session, None if it is not connected."""
        raise NotImplementedError

    async def online(self) -> list[Online]:
        """All connected bots, by name."""
        raise NotImplementedError
