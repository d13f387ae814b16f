"""Bots as plain values: as their owner sees them, as they are connected, as the ladder knows them."""

from __future__ import annotations

from dataclasses import dataclass

from targi.v1 import account_service_pb2, ladder_service_pb2, lobby_service_pb2

from targi_sdk.client.ladder import Standing

__all__ = ["OnlineBot", "OwnedBot", "PairResult", "Profile"]


@dataclass(frozen=True, slots=True)
class OwnedBot:
    """A bot as its owner sees it."""

    bot: str
    active: bool
    """Whether it has a valid token."""
    retired: bool
    paused: str
    """Why it is kept from playing, empty if it is not."""
    online: bool

    @classmethod
    def of(cls, message: account_service_pb2.OwnedBot) -> OwnedBot:
        """The bot that a message holds."""
        return cls(message.bot, message.active, message.retired, message.paused, message.online)


@dataclass(frozen=True, slots=True)
class OnlineBot:
    """A connected bot."""

    bot: str
    version: str
    owner: str
    matches: int
    """That it plays now."""
    capacity: int
    """Matches that it can play at a time."""
    ladder: bool
    """Whether the ladder may pair it."""
    rulesets: tuple[str, ...]

    @classmethod
    def of(cls, message: lobby_service_pb2.OnlineBot) -> OnlineBot:
        """The bot that a message holds."""
        return cls(
            message.bot,
            message.version,
            message.owner,
            message.matches,
            message.capacity,
            message.ladder,
            tuple(message.rulesets),
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """One bot for anybody."""

    bot: str
    owner: str
    paused: str
    """Why it is kept from playing, empty if it is not."""
    retired: bool
    versions: tuple[Standing, ...]
    """Its rows of the table, the newest version first."""

    @classmethod
    def of(cls, message: ladder_service_pb2.GetBotResponse) -> Profile:
        """The bot that a message holds."""
        versions = tuple(map(Standing.of, message.versions))
        return cls(message.bot, message.owner, message.paused, message.retired, versions)


@dataclass(frozen=True, slots=True)
class PairResult:
    """A rated pair: two games from one opening."""

    pair_id: str
    bots: tuple[str, ...]
    """Who sat on seats 0 and 1 of game 1."""
    versions: tuple[str, ...]
    match_ids: tuple[str, ...]
    quarters: int
    """Score of the first bot in quarters, 0 to 4."""
    void: bool
    """Whether it counts for nobody."""
    ended_unix_ms: int

    @classmethod
    def of(cls, message: ladder_service_pb2.PairResult) -> PairResult:
        """The pair that a message holds."""
        return cls(
            message.pair_id,
            tuple(seat.bot for seat in message.seats),
            tuple(seat.version for seat in message.seats),
            tuple(message.match_ids),
            message.quarters,
            message.void,
            message.ended_unix_ms,
        )
