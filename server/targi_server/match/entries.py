"""The log of a match: one entry of 12 bytes for each asked decision.

    bits of the first two bytes (little-endian): 0 to 12 action id, 13 seat, 14 chained, 15 turn ended
    2 bytes out, 2 bytes in, 3 bytes charged, 3 bytes elapsed, each in ms, little-endian, at most its limit

`chained`: the entry goes on with the answer of the one before it; all its time belongs to the
first.
`turn ended`: the own turn of the seat was over after it, so its clock got the increment.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from struct import Struct
from typing import Final, NamedTuple

__all__ = ["ENTRY_BYTES", "MOST_ACTION", "MOST_MS", "Entry", "decode_log", "encode_log"]

ENTRY_BYTES: Final = 12
MOST_ACTION: Final = 0x1FFF
"""The largest action id that an entry holds."""
_SEAT_BIT: Final = 13
_CHAINED: Final = 1 << 14
_TURN_ENDED: Final = 1 << 15
# Numbers of 3 bytes are split: low 2 bytes, then the high one.
_LAYOUT: Final = Struct("<HHHHBHB")
_SHORT: Final = 0xFFFF
MOST_MS: Final = 0xFFFFFF
"""The longest time that an entry holds, in ms."""


class Entry(NamedTuple):
    """One asked decision that was committed."""

    action: int
    seat: int
    charged_ms: int
    out_ms: int
    """From the commit before until the turn entered the queue to the bot; not charged."""
    in_ms: int
    """From the arrival of the answer until its commit; not charged."""
    elapsed_ms: int
    """Between the commit before and this one, outages and all."""
    chained: bool = False
    turn_ended: bool = False

    def encode(self) -> bytes:
        """Its 12 bytes. Raises ValueError for an action id over 8191."""
        if not 0 <= self.action <= MOST_ACTION:
            raise ValueError(f"action id {self.action} does not fit an entry: 0 to {MOST_ACTION}")
        head = self.action | self.seat << _SEAT_BIT
        head |= _CHAINED * self.chained | _TURN_ENDED * self.turn_ended
        charged, elapsed = min(self.charged_ms, MOST_MS), min(self.elapsed_ms, MOST_MS)
        return _LAYOUT.pack(
            head,
            min(self.out_ms, _SHORT),
            min(self.in_ms, _SHORT),
            charged & _SHORT,
            charged >> 16,
            elapsed & _SHORT,
            elapsed >> 16,
        )

    @classmethod
    def decode(cls, data: bytes) -> Entry:
        """Reverse of `encode`. Raises ValueError if it is not 12 bytes."""
        if len(data) != ENTRY_BYTES:
            raise ValueError(f"an entry has {ENTRY_BYTES} bytes, not {len(data)}")
        return _entry(*_LAYOUT.unpack(data))


def _entry(
    head: int, out: int, inside: int, charged: int, charged_high: int, elapsed: int, elapsed_high: int
) -> Entry:
    return Entry(
        head & MOST_ACTION,
        head >> _SEAT_BIT & 1,
        charged | charged_high << 16,
        out,
        inside,
        elapsed | elapsed_high << 16,
        head & _CHAINED != 0,
        head & _TURN_ENDED != 0,
    )


def encode_log(entries: Iterable[Entry]) -> bytes:
    """Entries one behind the other."""
    return b"".join(entry.encode() for entry in entries)


def decode_log(data: bytes) -> tuple[Entry, ...]:
    """Reverse of `encode_log`. Raises ValueError if a part of an entry is left over."""
    if len(data) % ENTRY_BYTES:
        raise ValueError(f"entries have {ENTRY_BYTES} bytes each, these are {len(data)} in all")
    return tuple(starmap(_entry, _LAYOUT.iter_unpack(data)))
