"""Lists of small numbers as bytes: seven bits a byte, the lowest first, the top bit for "more"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from targi_engine.errors import ObservationError

BITS: Final = 28  # that a number may have: rules shift by numbers, and a huge one would fill the memory


def pack(numbers: Sequence[int]) -> bytes:
    """The numbers, none negative, as bytes."""
    small = list(numbers)
    long: list[int] = []  # where the large ones are: few, if any
    for at, number in enumerate(small):
        if number > 127:
            long.append(at)
    if not long:
        return bytes(small)
    parts: list[bytes] = []
    start = 0
    for at in long:
        parts.append(bytes(small[start:at]))
        parts.append(_long(small[at]))
        start = at + 1
    parts.append(bytes(small[start:]))
    return b"".join(parts)


def _long(number: int) -> bytes:
    packed = bytearray()
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)
    return bytes(packed)


class Reader:
    """Takes numbers off packed bytes; raises ObservationError where they end too early or are too large."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def one(self, bits: int = BITS) -> int:
        """The next number, of so many bits at most, rounded up to sevens."""
        value = 0
        shift = 0
        while True:
            if self.at >= len(self.data):
                raise ObservationError(f"the observation is cut short after {self.at} bytes")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift >= bits:
                raise ObservationError(f"the observation holds a number of more than {bits} bits")

    def many(self, count: int) -> tuple[int, ...]:
        """The next numbers."""
        return tuple(self.one() for _ in range(count))

    def upto(self, most: int) -> int:
        """The next number, which is `most` at most."""
        value = self.one()
        if value > most:
            raise ObservationError(f"the observation holds a count of {value} where {most} is the most")
        return value

    def counted(self) -> tuple[int, ...]:
        """Numbers that their count comes before."""
        return self.many(self.one())

    def raw(self, count: int) -> bytes:
        """The next bytes as they are."""
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise ObservationError(f"the observation is cut short after {len(self.data)} bytes")
        self.at += count
        return taken

    def end(self) -> None:
        """Raise ObservationError unless all is read."""
        if self.at != len(self.data):
            raise ObservationError(f"{len(self.data) - self.at} bytes too many follow the observation")
