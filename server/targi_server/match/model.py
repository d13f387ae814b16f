"""Values of a match: who plays what (header), where it stands (live), how it ended (verdict).

Times are milliseconds. A moment (`_ms` of a clock reading) is the time of the Redis that holds the match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final

from targi_server.match.entries import MOST_MS, Entry

__all__ = [
    "OVER",
    "Culprit",
    "Kind",
    "Live",
    "MatchHeader",
    "Presence",
    "SeatHeader",
    "Secrets",
    "StoredMatch",
    "Termination",
    "Verdict",
]

OVER: Final = -1
"""Seat to move of a match that is over."""


class Kind(StrEnum):
    """What a match is part of."""

    RATED = "rated"
    SINGLE = "single"
    MIRRORED = "mirrored"


class Termination(StrEnum):
    """Why a match ended, in the words of a record."""

    NORMAL = "normal"
    RESIGNED = "resigned"
    TIME = "time"
    ILLEGAL = "illegal"
    BOT_ERROR = "bot_error"
    ABANDONED = "abandoned"
    ABORTED = "aborted"
    SERVER_ERROR = "server_error"


class Culprit(StrEnum):
    """Who caused the end of a match."""

    SEAT0 = "0"
    SEAT1 = "1"
    BOTH = "both"
    SERVER = "server"
    NONE = "none"

    @classmethod
    def of_seat(cls, seat: int) -> Culprit:
        """The culprit who sits on `seat`, 0 or 1."""
        return cls(str(seat))


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the opening and the seeds of an offer were derived from; each 32 bytes."""

    opening_secret: bytes = field(repr=False)
    game_secrets: tuple[bytes, ...] = field(repr=False)
    nonce_a: bytes = field(repr=False)
    nonce_b: bytes = field(repr=False)
    chained: tuple[bool, bool]
    """Whether nonce A and nonce B came from a chain whose head was known before."""


@dataclass(frozen=True, slots=True)
class SeatHeader:
    """Who sits on a seat."""

    bot: str
    version: str
    owner: str


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What never changes while a match runs. Carries secrets: see the table of what is redacted."""

    match_id: str
    pair_id: str
    """Empty for a single game."""
    game: int
    """Of the pair, 1 or 2."""
    next_match_id: str
    """The second game of the pair, empty if there is none or this is it."""
    kind: Kind
    ruleset: str
    variants: str
    """In record notation, empty for none."""
    cards_hash: str
    """64 lower-case hex digits."""
    rules: int
    vocabulary: int
    """Versions of the rules and of the actions' ids in the log."""
    seed: bytes = field(repr=False)
    opening: bytes | None = field(repr=False)
    seats: tuple[SeatHeader, SeatHeader]
    base_ms: int
    increment_ms: int
    budget_ms: int
    """Time that a seat may be away, in total."""
    secrets: Secrets | None
    given_seeds: bool
    hold_allowed: bool
    created_ms: int

    def encode(self) -> bytes:
        """Compact form for the store. Raises ValueError if `cards_hash` is no hex."""
        return _packed(self)

    @classmethod
    def decode(cls, data: bytes) -> MatchHeader:
        """Reverse of `encode`. Raises ValueError for anything else."""
        try:
            return _unpacked(data)
        except (TypeError, IndexError, KeyError) as error:
            raise ValueError(f"no match header: {error}") from error


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match ended."""

    result: str
    """"1-0", "0-1", "1/2-1/2" or "*" (no contest)."""
    termination: Termination
    culprit: Culprit
    words: str
    """The cause in words. Of BOT_ERROR: what the bot sent, for its owner only."""
    scores: tuple[int, int] | None = None
    """Of a game played to its end."""
    at_ms: int = 0
    """When it was given; the store fills it in."""

    def encode(self) -> bytes:
        """`result termination culprit at score0 score1`, a line break, the words."""
        first, second = self.scores or ("-", "-")
        head = f"{self.result} {self.termination} {self.culprit} {self.at_ms} {first} {second}"
        return f"{head}\n{self.words}".encode()

    @classmethod
    def decode(cls, data: bytes) -> Verdict:
        """Reverse of `encode`. Raises ValueError for anything else."""
        head, _, words = data.decode().partition("\n")
        result, termination, culprit, at_ms, first, second = head.split(" ")
        scores = None if first == "-" else (int(first), int(second))
        return cls(result, Termination(termination), Culprit(culprit), words, scores, int(at_ms))


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether the bot of a seat is there."""

    connected: bool
    replica: str
    """Where it is connected, or was last."""
    since_ms: int
    """Connected, or gone, since then."""
    used_ms: int
    """Disconnect budget used up by absences that are over."""
    credited: bool = False
    """Of an absence: whether it is the server's fault (see `match.clock`)."""


@dataclass(frozen=True, slots=True)
class Live:
    """Where a match stands."""

    ply: int
    seat: int
    """To move, OVER when the match is over."""
    clocks: tuple[int, int]
    """Time left as of the last committed action."""
    turn_at_ms: int
    """When the last action was committed: the clock of `seat` runs from here."""
    credit_ms: int
    """Time since `turn_at_ms` that is not charged, as known when this was read."""
    held: bool
    """Whether the clock of `seat` stands still (Hold)."""
    strikes: tuple[int, int]
    seats: tuple[Presence, Presence]
    verdict: Verdict | None
    let_go: tuple[int, int] = (0, 0)
    """How often the clock of a seat was let run again because it had been held for as long as it may be."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is in the store, read in one step."""

    header: MatchHeader
    live: Live
    entries: tuple[Entry, ...]
    """The asked decisions, by ply."""

    @property
    def began_ms(self) -> int:
        """When the first turn began: the log's times count from here."""
        return self.reached_ms(0)

    def reached_ms(self, ply: int) -> int:
        """When it came to that ply, one that it reached: its first turn began or an action was committed."""
        return self.live.turn_at_ms - sum(entry.elapsed_ms for entry in self.entries[ply:])

    def is_timed(self, ply: int) -> bool:
        """Whether `reached_ms` is exact: an entry holds 4 hours at most."""
        return all(entry.elapsed_ms < MOST_MS for entry in self.entries[ply:])


def _packed(header: MatchHeader) -> bytes:
    """A JSON list by position (field names would cost more than the values), a line break, the bytes."""
    secrets = header.secrets
    blobs = [bytes.fromhex(header.cards_hash), header.seed, header.opening or b""]
    if secrets is not None:
        blobs += [secrets.opening_secret, secrets.nonce_a, secrets.nonce_b, *secrets.game_secrets]
    row = [
        header.match_id,
        header.pair_id,
        header.game,
        header.next_match_id,
        str(header.kind),
        header.ruleset,
        header.variants,
        header.rules,
        [[seat.bot, seat.version, seat.owner] for seat in header.seats],
        [header.base_ms, header.increment_ms, header.budget_ms],
        int(header.given_seeds),
        int(header.hold_allowed),
        header.created_ms,
        None if secrets is None else [int(chained) for chained in secrets.chained],
        [len(blob) for blob in blobs],
        header.vocabulary,
    ]
    text = json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    return b"\n".join((text.encode(), b"".join(blobs)))


def _unpacked(data: bytes) -> MatchHeader:
    line, _, tail = data.partition(b"\n")
    row: Any = json.loads(line)  # JSON values have no better type than Any
    cards_hash, seed, opening, *rest = _blobs(tail, row[14])
    first, second = (SeatHeader(*seat) for seat in row[8])
    base_ms, increment_ms, budget_ms = row[9]
    return MatchHeader(
        match_id=row[0],
        pair_id=row[1],
        game=row[2],
        next_match_id=row[3],
        kind=Kind(row[4]),
        ruleset=row[5],
        variants=row[6],
        cards_hash=cards_hash.hex(),
        rules=row[7],
        vocabulary=row[15],
        seed=seed,
        opening=opening or None,
        seats=(first, second),
        base_ms=base_ms,
        increment_ms=increment_ms,
        budget_ms=budget_ms,
        secrets=None if row[13] is None else _secrets(rest, row[13]),
        given_seeds=bool(row[10]),
        hold_allowed=bool(row[11]),
        created_ms=row[12],
    )


def _blobs(tail: bytes, sizes: Sequence[int]) -> list[bytes]:
    if len(tail) != sum(sizes):
        raise ValueError(f"no match header: {len(tail)} bytes follow its first line, not {sum(sizes)}")
    ends = list(accumulate(sizes))
    return [tail[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def _secrets(blobs: Sequence[bytes], chained: Sequence[int]) -> Secrets:
    opening_secret, nonce_a, nonce_b, *game_secrets = blobs
    first, second = chained
    return Secrets(opening_secret, tuple(game_secrets), nonce_a, nonce_b, (bool(first), bool(second)))
