"""Who decides what is dealt: nobody alone. Secrets, commitments, nonces, and the seeds that follow from them.

The server draws one secret for the opening and one a game, and shows their SHA-256 before anybody says Ready;
each bot then adds a nonce. Neither side can steer the deal, and either can check it afterwards:

    opening     = SHA-256("opening" 00 | S0 | nonce A | nonce B)
    seed of k   = SHA-256("game" 00 | k 00 | Sk | nonce A | nonce B)          k = 1, 2
    commitment  = SHA-256(S)

Labels and decimal numbers are ASCII and end with a zero byte; secrets and nonces have 32 bytes and no end
mark. A is the bot on seat 0 of game 1. S0 and S1 are published after game 1, S2 after game 2, all of them
when an offer lapses.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = [
    "SECRET_BYTES",
    "ServerSecrets",
    "commitment",
    "continues",
    "game_seed",
    "is_preimage",
    "opening_seed",
]

SECRET_BYTES = 32
"""Length of secrets, nonces and seeds."""


@dataclass(frozen=True, slots=True)
class ServerSecrets:
    """The server's part of one offer: S0, and S1 and perhaps S2."""

    opening: bytes = field(repr=False)
    games: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def draw(cls, games: int, random: Callable[[int], bytes] = secrets.token_bytes) -> ServerSecrets:
        """Fresh secrets for 1 or 2 games."""
        return cls(random(SECRET_BYTES), tuple(random(SECRET_BYTES) for _ in range(games)))

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """SHA-256 of S0, S1 and, for two games, S2."""
        return tuple(commitment(secret) for secret in (self.opening, *self.games))

    def after(self, games: int) -> ServerSecrets:
        """The part that may be known once that many games (1 or 2) are over."""
        return ServerSecrets(self.opening, self.games[:games])


def commitment(secret: bytes) -> bytes:
    """SHA-256 of a secret or a seed, 32 bytes."""
    return hashlib.sha256(secret).digest()


def opening_seed(opening_secret: bytes, nonce_a: bytes, nonce_b: bytes) -> bytes:
    """Seed of the layout that both games share, 32 bytes."""
    return hashlib.sha256(_ended("opening") + opening_secret + nonce_a + nonce_b).digest()


def game_seed(game: int, game_secret: bytes, nonce_a: bytes, nonce_b: bytes) -> bytes:
    """Seed of game 1 or 2, 32 bytes."""
    return hashlib.sha256(_ended("game") + _ended(game) + game_secret + nonce_a + nonce_b).digest()


def is_preimage(nonce: bytes, head: bytes) -> bool:
    """Whether the nonce is the next one of the chain whose head is given."""
    return len(nonce) == SECRET_BYTES and hmac.compare_digest(commitment(nonce), head)


def continues(later: bytes, head: bytes, steps: int = 1024) -> bool:
    """Whether `later` lies on the chain below `head`, at most that many nonces further on, or is the head."""
    for _ in range(steps + 1):
        if later == head:
            return True
        later = commitment(later)
    return False


def _ended(value: str | int) -> bytes:
    """A label or a decimal number in ASCII with the zero byte that ends it."""
    return f"{value}\0".encode("ascii")
