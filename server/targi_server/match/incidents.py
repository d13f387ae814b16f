"""What happens in a match besides plays, as values and in words: the evidence behind a verdict.

An incident is one line of text, written by the scripts (`store/lua/parts/story.lua`) and kept with the match:

    <time> <kind> <seat, - for none> <ply> <numbers of that kind> <text of that kind>

Times are milliseconds. Nothing here is private or secret: it may be shown while the match runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["MOST_TEXT", "Incident", "IncidentKind", "outages_within", "received"]

MOST_TEXT: Final = 80
"""Characters of what a bot sent that are kept."""


class IncidentKind(StrEnum):
    """What happened."""

    STRIKE = "strike"
    REFUSED = "refused"
    DEPARTED = "departed"
    ARRIVED = "arrived"
    LOST = "lost"
    RECOVERED = "recovered"
    OUTAGE = "outage"
    DESERTED = "deserted"
    HELD = "held"
    RELEASED = "released"
    LET_GO = "let_go"
    LATE = "late"
    JUDGED = "judged"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident. `numbers` and `text` mean what `words` says, by kind."""

    at_ms: int
    kind: IncidentKind
    seat: int | None
    """Whom it concerns; None for both or nobody."""
    ply: int
    """Asked decisions applied by then."""
    numbers: tuple[int, ...] = ()
    text: str = ""

    def encode(self) -> str:
        """Its line."""
        seat = "-" if self.seat is None else str(self.seat)
        return " ".join([str(self.at_ms), self.kind, seat, str(self.ply), *map(str, self.numbers), self.text])

    @classmethod
    def decode(cls, line: str) -> Incident:
        """Reverse of `encode`. Raises ValueError for anything else."""
        at_ms, kind_name, seat, ply, *rest = line.split(" ")
        kind = IncidentKind(kind_name)
        count, _ = _KINDS[kind]
        if len(rest) < count:
            raise ValueError(f"no incident: {kind} has {count} numbers, not {len(rest)}: {line[:80]!r}")
        numbers = tuple(map(int, rest[:count]))
        return cls(
            int(at_ms), kind, None if seat == "-" else int(seat), int(ply), numbers, " ".join(rest[count:])
        )

    @property
    def words(self) -> str:
        """What happened, for anybody."""
        return _KINDS[self.kind][1](self)


def received(shown: str) -> str:
    """What a bot sent, fit for one line: quoted, without anything that is not printable."""
    cut = shown if len(shown) <= MOST_TEXT else f"{shown[:MOST_TEXT]}.."
    return repr(cut)


def outages_within(rows: Iterable[str], since_ms: int, until_ms: int) -> list[Incident]:
    """Outages of a bucket, as `parts/bucket.lua` keeps them, that overlap a stretch of Redis' time."""
    spans = [tuple(map(int, row.split(" ")[:2])) for row in rows]
    return [
        Incident(start, IncidentKind.OUTAGE, None, 0, (end - start,))
        for start, end in sorted(spans)
        if start < until_ms and end > since_ms
    ]


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f} s"


def _strike(incident: Incident) -> str:
    (strikes,) = incident.numbers
    return f"seat {incident.seat}: strike {strikes} for {incident.text}, which is not legal there"


def _refused(incident: Incident) -> str:
    reason, _, what = incident.text.partition(" ")
    return f"seat {incident.seat}: {what} was refused as {reason} and changed nothing"


def _departed(incident: Incident) -> str:
    used, budget, credited = incident.numbers
    spare = "the server's doing, which uses up no budget" if credited else _budget(used, budget)
    return f"seat {incident.seat} is gone: {incident.text} ({spare})"


def _budget(used: int, budget: int) -> str:
    return f"{_seconds(budget - used)} of {_seconds(budget)} disconnect budget are left"


def _arrived(incident: Incident) -> str:
    away, credited, used, budget = incident.numbers
    if not away:
        return f"seat {incident.seat} is here on a newer stream, without having been away"
    lent = f", {_seconds(credited)} of it credited as the server's doing" if credited else ""
    return f"seat {incident.seat} is here after {_seconds(away)} away{lent} ({_budget(used, budget)})"


def _lost(incident: Incident) -> str:
    return f"seat {incident.seat} lost its connection because its server process {incident.text} fell silent"


def _recovered(incident: Incident) -> str:
    (silent,) = incident.numbers
    who, name = f"seat {incident.seat}", incident.text
    return (
        f"{who}: its server process {name} was silent for {_seconds(silent)} and is back; that is not charged"
    )


def _outage(incident: Incident) -> str:
    return f"the service stood still for {_seconds(incident.numbers[0])}; no clock and no budget ran"


def _deserted(incident: Incident) -> str:
    missed = _seconds(incident.numbers[0])
    return f"no server had the rules of this match for {missed}; no clock and no budget of it ran"


def _let_go(incident: Incident) -> str:
    return (
        f"seat {incident.seat}'s clock runs again: it was stopped for {_seconds(incident.numbers[0])},"
        " which is as long as it may be (debug)"
    )


def _late(incident: Incident) -> str:
    clock, spent, out, inside, lag, credited = incident.numbers
    return (
        f"seat {incident.seat} answered too late: {_seconds(clock)} were on its clock, it took"
        f" {_seconds(spent)};"
        f" not counted in that: {_seconds(out)} before its turn was sent, {_seconds(inside)} in the server,"
        f" {_seconds(lag)} allowance for lag, {_seconds(credited)} credited"
    )


def _judged(incident: Incident) -> str:
    clock, spent, credited, *both = incident.numbers
    return (
        f"seat {incident.seat} was to move with {_seconds(clock)} on its clock; its turn had lasted"
        f" {_seconds(spent)}, and {_seconds(credited)} more that were credited;"
        f" {_standing(0, both[0], both[1])}; {_standing(1, both[2], both[3])}"
    )


def _standing(seat: int, away: int, used: int) -> str:
    where = f"gone for {_seconds(away)}" if away else "connected"
    before = f", after absences of {_seconds(used)}" if used else ""
    return f"seat {seat} was {where}{before}"


_WAITS: Final = {"time": "clock", "abandoned": "disconnect budget"}


def _waiting(incident: Incident) -> str:
    what = _WAITS[incident.text]
    return f"seat {incident.seat}'s {what} ended while both were away: the verdict waits for a return"


_KINDS: Final[Mapping[IncidentKind, tuple[int, Callable[[Incident], str]]]] = {
    IncidentKind.STRIKE: (1, _strike),
    IncidentKind.REFUSED: (0, _refused),
    IncidentKind.DEPARTED: (3, _departed),
    IncidentKind.ARRIVED: (4, _arrived),
    IncidentKind.LOST: (0, _lost),
    IncidentKind.RECOVERED: (1, _recovered),
    IncidentKind.OUTAGE: (1, _outage),
    IncidentKind.DESERTED: (1, _deserted),
    IncidentKind.HELD: (0, lambda incident: f"seat {incident.seat} stopped its clock (debug)"),
    IncidentKind.RELEASED: (0, lambda incident: f"seat {incident.seat} let its clock run again"),
    IncidentKind.LET_GO: (1, _let_go),
    IncidentKind.LATE: (6, _late),
    IncidentKind.JUDGED: (7, _judged),
    IncidentKind.WAITING: (0, _waiting),
}
"""How many numbers a kind has, and its words."""
