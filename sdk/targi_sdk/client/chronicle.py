"""Matches as plain values: who plays, how it stands or ended, and what happened when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from targi.v1 import game_pb2, match_service_pb2, play_pb2

from targi_sdk.wire import (
    clocks_from_proto,
    culprit_from_proto,
    result_from_proto,
    scores_from_proto,
    termination_from_proto,
)

__all__ = ["Chronicle", "Ending", "Match", "MatchPage", "Moment", "Played", "Sight", "sight_of"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, in the words of a record."""

    result: str
    termination: str
    culprit: str
    """"0", "1", "both", "server" or "none"."""
    scores: tuple[int, int] | None
    words: str

    @classmethod
    def of(cls, message: game_pb2.Outcome) -> Ending:
        """The ending that a message holds."""
        return cls(
            result_from_proto(message.result),
            termination_from_proto(message.termination),
            culprit_from_proto(message.culprit),
            scores_from_proto(message),
            message.words,
        )


@dataclass(frozen=True, slots=True)
class Match:
    """What anybody may know of a match. Times are milliseconds."""

    match_id: str
    pair_id: str
    """Empty for a single game."""
    rated: bool
    ruleset: str
    variants: str
    bots: tuple[str, str]
    versions: tuple[str, str]
    owners: tuple[str, str]
    base_ms: int
    increment_ms: int
    ply: int
    clocks: tuple[int, int]
    strikes: tuple[int, int]
    started_unix_ms: int
    ended_unix_ms: int
    """0 while it runs."""
    ending: Ending | None
    """None while it runs."""

    @classmethod
    def of(cls, message: match_service_pb2.MatchSummary) -> Match:
        """The match that a message holds."""
        first, second = message.seats
        strikes = tuple(message.strikes) or (0, 0)
        return cls(
            match_id=message.match_id,
            pair_id=message.pair_id,
            rated=message.rated,
            ruleset=message.rules.ruleset,
            variants=message.rules.variants,
            bots=(first.bot, second.bot),
            versions=(first.version, second.version),
            owners=(first.owner, second.owner),
            base_ms=message.time_control.base_ms,
            increment_ms=message.time_control.increment_ms,
            ply=message.ply,
            clocks=clocks_from_proto(message.clocks),
            strikes=(strikes[0], strikes[1]),
            started_unix_ms=message.started_unix_ms,
            ended_unix_ms=message.ended_unix_ms,
            ending=Ending.of(message.outcome) if message.HasField("outcome") else None,
        )


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Some matches, and the token with which to ask for the next; empty after the last."""

    matches: tuple[Match, ...]
    token: str


@dataclass(frozen=True, slots=True)
class Moment:
    """One action with its times, or something else that happened (then `action` is empty).

    Times are milliseconds, those with `unix` since the epoch.
    """

    ply: int
    seat: int
    """Of an action: who acted. Of anything else `words` say whom it concerns."""
    action: str
    """Notation."""
    asked_unix_ms: int
    """When the turn was sent; 0 where there is none."""
    answered_unix_ms: int
    """When the answer arrived; 0 where there is none."""
    committed_unix_ms: int
    charged_ms: int
    out_ms: int
    """In the server before the turn was sent; not charged."""
    in_ms: int
    """In the server after the answer arrived; not charged."""
    lag_ms: int
    """Allowance for the network that was not charged."""
    words: str


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A match with all that happened in it."""

    match: Match
    moments: tuple[Moment, ...]
    private_error: str
    """What the bot of the token's owner reported of its own failure; else empty."""

    @classmethod
    def of(cls, message: match_service_pb2.GetMatchResponse) -> Chronicle:
        """The chronicle that a message holds."""
        match = Match.of(message.match)
        moments = tuple(_moments(message.timeline, match.started_unix_ms))
        return cls(match, moments, message.private_error)


@dataclass(frozen=True, slots=True)
class Played:
    """One answer that a spectator saw committed."""

    ply: int
    seat: int
    actions: tuple[str, ...]
    """Notation, with those that the engine took by itself."""
    charged_ms: int
    clocks: tuple[int, int]


Sight: TypeAlias = Match | Played | Ending
"""What a spectator sees: the match first, then what is played, its ending last."""


def sight_of(message: match_service_pb2.WatchResponse) -> Sight:
    """The sight that a message holds."""
    kind = message.WhichOneof("event")
    if kind == "started":
        return Match.of(message.started)
    return _played(message.applied) if kind == "applied" else Ending.of(message.ended.outcome)


def _played(message: play_pb2.Applied) -> Played:
    return Played(
        message.ply,
        message.actions[0].seat,
        tuple(logged.action.name for logged in message.actions),
        message.charged_ms,
        clocks_from_proto(message.clocks),
    )


def _moments(rows: Iterable[match_service_pb2.TimelineEntry], started_ms: int) -> Iterator[Moment]:
    """A turn is sent `out` after the commit before it, and its answer arrives `in` before its own commit."""
    before_ms = started_ms
    for row in rows:
        acted = row.HasField("action")
        yield Moment(
            ply=row.ply,
            seat=row.seat,
            action=row.action.name if acted else "",
            asked_unix_ms=before_ms + row.out_ms if acted else 0,
            answered_unix_ms=row.committed_unix_ms - row.in_ms if acted else 0,
            committed_unix_ms=row.committed_unix_ms,
            charged_ms=row.charged_ms,
            out_ms=row.out_ms,
            in_ms=row.in_ms,
            lag_ms=row.lag_ms,
            words=row.words,
        )
        before_ms = row.committed_unix_ms if acted else before_ms
