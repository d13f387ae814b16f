"""What the log says that each answer costs: neither more nor less, and given only what happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from facts import Facts
from spans import Span, overlap_ms
from targi_server.match.clock import LAG_ACT_MS, LAG_TURN_MS, LENT_MS, TOLERANCE_MS
from targi_server.match.incidents import Incident, IncidentKind

__all__ = ["charged_by_the_log", "credited_rightly"]

CLOCKS_MS = 50
"""Redis' clock is read a little later, or earlier, than a bot's."""
NEAR_MS = 4_000
"""The service notices what happened to it a little later."""
EVER = 1 << 62
GIVEN = {IncidentKind.OUTAGE: 0, IncidentKind.ARRIVED: 1, IncidentKind.RECOVERED: 0}
"""Place of the time that was given, among the numbers of an incident."""


class Range(NamedTuple):
    """A time that is known from and to, in ms."""

    least: int
    most: int

    def __add__(self, other: object) -> Range:
        assert isinstance(other, Range)
        return Range(self.least + other.least, self.most + other.most)


NOTHING = Range(0, 0)


def charged_by_the_log(facts: Facts) -> Iterator[str]:
    """Charged is what passed since the commit before, less out, in, the lag, and what was given meanwhile.

    Without an incident that gives time that is one number, and any other is a violation. Near a fault of the
    service it says only what is too much: how much is given then depends on when the service noticed it.
    """
    troubles = (*facts.services, *facts.busy, *facts.starving)
    commits, lags = facts.commits, [NOTHING, NOTHING]
    gifts = [list(_gifts(facts, seat)) for seat in (0, 1)]
    for ply, entry in enumerate(facts.kept.entries):
        seat = entry.seat
        given = overlap_ms(gifts[seat], commits[ply], commits[ply + 1])
        given += _seating_ms(facts, seat, commits[ply], commits[ply + 1])
        if overlap_ms(troubles, commits[ply] - NEAR_MS, commits[ply + 1] + NEAR_MS):
            given = EVER
        passed = entry.elapsed_ms - entry.out_ms - entry.in_ms
        spent = Range(max(0, passed - given), max(0, passed))
        lag = lag_of(spent, lags[seat])
        price = Range(spent.least - min(spent.least, lag.most), spent.most - min(spent.most, lag.least))
        if not price.least <= entry.charged_ms <= price.most:
            charged = f"seat {seat} was charged {entry.charged_ms} ms at ply {ply}"
            yield f"{charged}, {price.least} to {price.most} ms by the log"
        lags[seat] = NOTHING if entry.turn_ended else lags[seat] + lag


def _gifts(facts: Facts, seat: int) -> Iterator[Span]:
    """When time was given to a seat: outages, and absences that are the server's doing."""
    outages = [incident for incident in facts.kept.story if incident.kind is IncidentKind.OUTAGE]
    for outage in outages:
        yield Span("outage", outage.at_ms, outage.at_ms + outage.numbers[0])
    stood_ms = sum(outage.numbers[0] for outage in outages)
    gone_ms = EVER
    for incident in facts.kept.story:
        if incident.seat != seat:
            continue
        if incident.kind is IncidentKind.LOST or (
            incident.kind is IncidentKind.DEPARTED and incident.numbers[2]
        ):
            gone_ms = min(gone_ms, incident.at_ms - NEAR_MS)
        elif given := given_ms(incident):
            yield Span(incident.kind, min(gone_ms, incident.at_ms - given - stood_ms), incident.at_ms)
            gone_ms = EVER
    if gone_ms < EVER:
        yield Span("gone", gone_ms, EVER)


def given_ms(incident: Incident) -> int:
    """Most of the time that a return gives to its seat, 0 for anything else."""
    if incident.kind is IncidentKind.ARRIVED and not incident.numbers[0]:
        return LENT_MS  # on a newer stream: the server of the older one may have been silent
    return incident.numbers[GIVEN[incident.kind]] if incident.kind in GIVEN else 0


def _seating_ms(facts: Facts, seat: int, from_ms: int, to_ms: int) -> int:
    """Most of the time that a seat is given, without a word, until it sits at a match."""
    told = facts.told[seat]
    sat = told and any(from_ms - CLOCKS_MS <= start.at_ms <= to_ms + CLOCKS_MS for start in told.starts)
    return TOLERANCE_MS if sat else 0


def lag_of(spent: Range, used: Range) -> Range:
    """What of a time is the network's; `used`: of this own turn so far."""
    return Range(
        max(0, min(spent.least, LAG_ACT_MS, LAG_TURN_MS - used.most)),
        max(0, min(spent.most, LAG_ACT_MS, LAG_TURN_MS - used.least)),
    )


def credited_rightly(facts: Facts) -> Iterator[str]:
    """Nobody is given time unless the service was hit, or the machine let it wait."""
    troubles = (*facts.services, *facts.busy, *facts.starving)
    for incident in facts.kept.story:
        given = incident.numbers[GIVEN[incident.kind]] if incident.kind in GIVEN else 0
        from_ms, to_ms = incident.at_ms - given, incident.at_ms  # of an outage: when it began
        if incident.kind is IncidentKind.OUTAGE:
            from_ms, to_ms = to_ms, to_ms + given
        if given and not overlap_ms(troubles, from_ms - NEAR_MS, to_ms + NEAR_MS):
            yield f"{given} ms were given for nothing: {incident.words}"
