"""Where a match stands, as the scripts tell it (`standing` in `parts/match.lua`)."""

from __future__ import annotations

from typing import NamedTuple

from targi_server.match.entries import ENTRY_BYTES, Entry, decode_log
from targi_server.match.model import Verdict

__all__ = ["Standing"]


class Standing(NamedTuple):
    """A match after a change."""

    ply: int
    """Of the first of `entries`, or where the match stands if there are none."""
    seat: int
    clocks: tuple[int, int]
    turn_at_ms: int
    strikes: tuple[int, int]
    entries: tuple[Entry, ...]
    verdict: Verdict | None

    @classmethod
    def parse(cls, text: bytes) -> Standing:
        """From a script's text. Raises ValueError if it is none."""
        head, _, rest = text.partition(b"\n")
        ply, seat, clock0, clock1, turn_at, strikes0, strikes1, count = map(int, head.split())
        entries, verdict = rest[: count * ENTRY_BYTES], rest[count * ENTRY_BYTES :]
        return cls(
            ply,
            seat,
            (clock0, clock1),
            turn_at,
            (strikes0, strikes1),
            decode_log(entries),
            Verdict.decode(verdict) if verdict else None,
        )
