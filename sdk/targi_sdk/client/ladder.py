"""The ladder's table and a sent challenge as plain values."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from targi.v1 import ladder_service_pb2

__all__ = ["Challenge", "Standing", "Table"]


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the table; the fields mean what they mean in `targi.v1.Standing`."""

    rank: int
    bot: str
    version: str
    owner: str
    rating: int
    low: int
    high: int
    pairs: int
    score: float
    provisional: bool
    anchor: bool
    online: bool

    @classmethod
    def of(cls, message: ladder_service_pb2.Standing) -> Standing:
        """The row that a message holds."""
        return cls(**{field.name: getattr(message, field.name) for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class Table:
    """The published table of a ruleset."""

    ruleset: str
    pairs: int
    """Rated pairs that the fit rests on."""
    matches: int
    """Rated matches that are over."""
    computed_unix_ms: int
    standings: tuple[Standing, ...]
    """By rank."""

    @classmethod
    def of(cls, message: ladder_service_pb2.GetStandingsResponse) -> Table:
        """The table that a message holds."""
        rows = tuple(map(Standing.of, message.standings))
        return cls(message.ruleset, message.pairs, message.matches, message.computed_unix_ms, rows)


class Challenge(NamedTuple):
    """A challenge that was sent."""

    challenge_id: str
    match_ids: tuple[str, ...]
    """In game order; the first match starts as soon as both bots are ready."""
