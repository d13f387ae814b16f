"""Fields in the encoding of protobuf, well-formed and of no meaning."""

from __future__ import annotations

import random
from typing import Final

__all__ = ["VARINTS", "chunk", "varint", "wire"]

U32: Final = 2**32 - 1
VARINTS: Final = (0, 1, 2, 63, 64, 127, 128, 2**31, U32, 2**53, 2**63, 2**64 - 1)


def varint(value: int) -> bytes:
    """A number as the wire has it; a negative one in its ten bytes."""
    value %= 1 << 64
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def chunk(number_of_field: int, content: bytes) -> bytes:
    """A field with content of a length."""
    return varint(number_of_field << 3 | 2) + varint(len(content)) + content


def wire(rng: random.Random, depth: int = 3) -> bytes:
    """Fields of any number and type, nested: well-formed, and of no meaning."""
    made = [_field(rng, depth) for _ in range(rng.randint(0, 5))]
    return b"".join(made)


def _field(rng: random.Random, depth: int) -> bytes:
    place = rng.choice((1, 2, 3, 4, 5, 11, 12, 99, 2**29 - 1)) << 3
    nested = wire(rng, depth - 1) if depth else rng.randbytes(rng.randint(0, 8))
    return rng.choice(
        (
            varint(place) + varint(rng.choice(VARINTS)),
            varint(place | 1) + rng.randbytes(8),
            varint(place | 2) + varint(len(nested)) + nested,
            varint(place | 3) + nested + varint(place | 4),
            varint(place | 5) + rng.randbytes(4),
        )
    )
