"""Stretches of time in which something was wrong that a bot or the service may not be to blame for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from storm import SERVICE, Done

__all__ = ["Span", "impairments", "overlap_ms", "returns", "services"]

GRACE_MS = 1_000
"""A process that goes on has to catch up first."""
SEATED_MS = 3_000
"""After its Hello a bot is brought its matches, one group after the other."""
RETURN_MS = 15_000
"""So long after the service is whole, bots may still be on their way back to it."""
MUST_RETURN = frozenset({"bot-kill", "cut", "loss-up", "loss-down"})
"""Faults after which a bot has to say Hello again."""
SLOWED = frozenset({"bot-stop", "stall-up", "stall-down", "latency"})
"""Faults after which it may have to."""
LATE_MS = 6_000
"""Within this time after it is healed a connection may still be given up."""
HARMLESS = frozenset({"skew", "bot-skew"})


class Span(NamedTuple):
    """From and to, ms of the right wall clock."""

    kind: str
    from_ms: int
    to_ms: int


def impairments(bot: str, ledger: Iterable[Done], welcomes: Sequence[int]) -> list[Span]:
    """When a bot could not play as it wanted to, through what was done to it and not to the service."""
    ordered = sorted(welcomes)
    mine = [done for done in ledger if done.who == bot and done.kind not in HARMLESS]
    return [Span(done.kind, done.from_ms - 100, _end(done, ordered)) for done in mine]


def _end(done: Done, welcomes: Sequence[int]) -> int:
    healed = done.until_ms + GRACE_MS
    at = bisect_left(welcomes, done.until_ms)
    back = welcomes[at] if at < len(welcomes) else None
    if done.kind in MUST_RETURN:
        return 1 << 62 if back is None else max(healed, back + SEATED_MS)
    if back is not None and back < done.until_ms + LATE_MS:
        return max(healed, back + SEATED_MS)
    return healed


def services(ledger: Iterable[Done]) -> list[Span]:
    """When the service was hit, until bots had time to come back."""
    hit = (done for done in ledger if done.who == SERVICE and done.kind not in HARMLESS)
    return [Span(done.kind, done.from_ms - 100, done.until_ms + RETURN_MS) for done in hit]


def overlap_ms(spans: Iterable[Span], from_ms: int, to_ms: int) -> int:
    """How much of a stretch lies within any of the spans."""
    total, reached = 0, from_ms
    for span in sorted(spans, key=lambda span: span.from_ms):
        begin, end = max(reached, span.from_ms), min(to_ms, span.to_ms)
        if end > begin:
            total += end - begin
            reached = end
    return total


def returns(bot: str, ledger: Iterable[Done], welcomes: Sequence[int]) -> list[tuple[Done, float]]:
    """Seconds that a bot took to come back after each fault that parts it from the service."""
    ordered = sorted(welcomes)
    found = []
    for done in ledger:
        if done.who == bot and done.kind in MUST_RETURN:
            at = bisect_left(ordered, done.until_ms)
            late = ordered[at] - done.until_ms if at < len(ordered) else float("inf")
            found.append((done, late / 1000))
    return found
