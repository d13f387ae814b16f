"""Randomness that any implementation can repeat: SHA-256 over seed, label and counter.

The format is fixed by the rules: change it and no old record replays.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from typing import Final

from targi_engine.errors import SeedError

SEED_BYTES: Final = 32
_WORD_RANGE: Final = 1 << 32
_WORDS_OF: Final = struct.Struct(">8I")  # of a digest


class Words:
    """The stream of 32-bit words that belongs to a seed and a label."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, seed: bytes, label: str) -> None:
        self._prefix: bytes = seed + label.encode()
        self._block: int = 0
        self._words: list[int] = []

    def next(self) -> int:
        """The next word, 0 to 2^32 - 1."""
        if not self._words:
            digest = hashlib.sha256(self._prefix + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            self._words = list(_WORDS_OF.unpack(digest))
            self._words.reverse()
        return self._words.pop()

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, each equally likely: words past the last full range are skipped."""
        bound = _WORD_RANGE - _WORD_RANGE % limit
        word = self.next()
        while word >= bound:
            word = self.next()
        return word % limit

    def shuffled(self, cards: Sequence[int]) -> list[int]:
        """The cards in a new order; they are drawn from index 0."""
        order = list(cards)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def check_seed(seed: bytes, what: str = "seed") -> bytes:
    """The seed itself; raises SeedError unless it has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise SeedError(f"the {what} has {len(seed)} bytes: give exactly {SEED_BYTES}")
    return bytes(seed)
