"""Seeds of the games that `targi play` and the local arena play: all follow from one series seed.

Bytes are joined so that they can be read in one way only: labels and decimal numbers are ASCII and end with a
zero byte, the series seed S has 32 bytes and no end mark. For pair i (from 0) of a series:

    opening = SHA-256("targi-play" 00 | S | i 00 | "0" 00)
    game k  = SHA-256("targi-play" 00 | S | i 00 | k 00)      k = 1, 2

Test vector, S = 00 01 02 .. 1f, pair 0: see `tests/sdk/test_seeds_play.py`.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from targi_sdk.errors import UsageError

__all__ = ["SEED_BYTES", "PairSeeds", "SeedTextError", "game_seed", "pair_seeds", "series_seed"]

SEED_BYTES = 32
LABEL = "targi-play"
_HEX_SEED = re.compile(r"[0-9a-fA-F]{64}")


class SeedTextError(UsageError):
    """A text that is no seed of a game."""


class PairSeeds(NamedTuple):
    """What the two games of a pair are dealt from: 32 bytes each."""

    opening: bytes | None
    """Seed of the layout that both games share; None when the games are mirrored."""
    games: tuple[bytes, bytes]
    """Seeds of game 1 and game 2; equal when the games are mirrored."""


def series_seed(text: str) -> bytes:
    """The 32 bytes S that `--seed TEXT` stands for.

    64 hexadecimal digits are the bytes themselves; any other text, a number included, stands for the SHA-256
    of its UTF-8 bytes. So `--seed 7` and `--seed 07` are two different series.
    """
    if _HEX_SEED.fullmatch(text):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode()).digest()


def game_seed(text: str) -> bytes:
    """The 32 bytes of one game's seed, given as 64 hexadecimal digits. Raises `SeedTextError`."""
    if not _HEX_SEED.fullmatch(text):
        raise SeedTextError(f"a seed has 64 hexadecimal digits (32 bytes), not {text!r:.100}")
    return bytes.fromhex(text)


def pair_seeds(seed: bytes, pair: int, *, mirrored: bool = False) -> PairSeeds:
    """Seeds of pair number `pair` (from 0) of the series with the 32-byte seed `seed`.

    A mirrored pair plays the same deal twice: the seed of game 1 for both games, and no opening.
    """
    first = _derive(seed, pair, 1)
    if mirrored:
        return PairSeeds(None, (first, first))
    return PairSeeds(_derive(seed, pair, 0), (first, _derive(seed, pair, 2)))


def _derive(seed: bytes, pair: int, part: int) -> bytes:
    return hashlib.sha256(_ended(LABEL) + seed + _ended(pair) + _ended(part)).digest()


def _ended(value: str | int) -> bytes:
    """A label or a decimal number in ASCII with the zero byte that ends it."""
    return f"{value}\0".encode("ascii")
