"""A bot's part of the seeds: a chain of nonces that it cannot choose late.

The head of the chain is given before any offer; every nonce after it is the preimage of the one before under
SHA-256, so that the bot has no choice left when it sees an offer.
"""

from __future__ import annotations

import hashlib

from targi_sdk.errors import SdkError

__all__ = ["LENGTH", "ChainError", "NonceChain"]

LENGTH = 1 << 16
BLOCK = 256


class ChainError(SdkError):
    """The chain must be announced anew: it is used up, or the service lost count."""


class NonceChain:
    """A chain of `length` nonces of 32 bytes that grows out of `secret`, 32 bytes."""

    def __init__(self, secret: bytes, length: int = LENGTH) -> None:
        self._left = length
        self._marks = []
        value = secret
        for position in range(length):
            if position % BLOCK == 0:
                self._marks.append(value)
            value = _hash(value)
        self._head = value
        self._block: list[bytes] = []

    @property
    def head(self) -> bytes:
        """What the next nonce is the preimage of: the head at first, then the nonce used last."""
        return self._head

    @property
    def left(self) -> int:
        """How many nonces are left."""
        return self._left

    def next(self) -> bytes:
        """Use the next nonce. Raises `ChainError`."""
        if not self._left:
            raise ChainError("all nonces of the chain are used: announce a new chain")
        self._left -= 1
        if not self._block:
            self._block = self._walk(self._left)
        self._head = self._block.pop()
        return self._head

    def _walk(self, position: int) -> list[bytes]:
        """The nonces of the block in which a position lies, up to that position."""
        block = [self._marks[position // BLOCK]]
        for _ in range(position % BLOCK):
            block.append(_hash(block[-1]))
        return block


def _hash(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()
