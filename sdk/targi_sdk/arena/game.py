"""A game to be played in process, and what came of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from targi_engine import Breakdown, Record, Ruleset

from targi_sdk.arena.failure import Failure

__all__ = ["Game", "Played"]


@dataclass(frozen=True, slots=True)
class Game:
    """What a game is dealt from."""

    ruleset: Ruleset
    seed: bytes
    """32 bytes."""
    opening: bytes | None = None
    """32 bytes, or None for a game without one."""

    @property
    def commitment(self) -> bytes:
        """SHA-256 of the seed, 32 bytes: what the bots may know of it."""
        return hashlib.sha256(self.seed).digest()

    @property
    def match_id(self) -> str:
        """16 hexadecimal digits, the same whenever the same game is played."""
        return self.commitment.hex()[:16]


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a game, in the words of the record."""

    result: str
    """"1-0", "0-1" or "1/2-1/2"."""
    termination: str
    """"normal", "time" or "bot_error"."""
    culprit: str
    """"0", "1" or "none"."""
    scores: tuple[int, int]
    """Scores of seats 0 and 1; of a game that ended early as they would have counted then."""
    words: str
    """The cause in words, fit for both bots."""
    failure: Failure
    """For the author of a bot that failed: what it raised, and where."""
    record: Record
    breakdown: tuple[Breakdown, Breakdown]
    """Where the two scores come from."""
