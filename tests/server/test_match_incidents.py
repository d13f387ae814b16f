"""Incidents of a match: one line each, and words for anybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from targi_server.match.incidents import MOST_TEXT, Incident, IncidentKind, outages_within, received

SAMPLES = {
    IncidentKind.STRIKE: ((2,), "'@99'", "strike 2 for '@99'"),
    IncidentKind.REFUSED: ((), "STALE '@7'", "'@7' was refused as STALE"),
    IncidentKind.DEPARTED: ((1_500, 60_000, 0), "its connection broke", "58.500 s of 60.000 s"),
    IncidentKind.ARRIVED: ((3_000, 1_000, 2_000, 60_000), "", "after 3.000 s away, 1.000 s of it credited"),
    IncidentKind.LOST: ((), "one", "its server process one fell silent"),
    IncidentKind.RECOVERED: ((2_500,), "one", "one was silent for 2.500 s"),
    IncidentKind.OUTAGE: ((4_000,), "", "stood still for 4.000 s"),
    IncidentKind.DESERTED: ((90_000,), "", "no server had the rules of this match for 90.000 s"),
    IncidentKind.HELD: ((), "", "stopped its clock"),
    IncidentKind.RELEASED: ((), "", "let its clock run"),
    IncidentKind.LET_GO: ((600_000,), "", "clock runs again: it was stopped for 600.000 s"),
    IncidentKind.LATE: ((900, 950, 1, 2, 50, 0), "", "0.900 s were on its clock, it took 0.950 s"),
    IncidentKind.JUDGED: ((900, 3_000, 0, 0, 0, 61_000, 5_000), "", "seat 1 was gone for 61.000 s"),
    IncidentKind.WAITING: ((), "time", "seat 1's clock ended while both were away"),
}


def sample(kind: IncidentKind) -> Incident:
    numbers, text, _ = SAMPLES[kind]
    return Incident(1_700_000_000_000, kind, 1, 17, numbers, text)


@pytest.mark.parametrize("kind", IncidentKind)
def test_every_kind_says_in_words_what_happened(kind: IncidentKind) -> None:
    assert SAMPLES[kind][2] in sample(kind).words


@pytest.mark.parametrize("kind", IncidentKind)
def test_an_incident_can_be_printed_and_read_back(kind: IncidentKind) -> None:
    assert Incident.decode(sample(kind).encode()) == sample(kind)


@pytest.mark.parametrize("line", ["", "1 strike", "1 strike 0 0", "1 unheard-of 0 0", "x held 0 0"])
def test_what_is_no_incident_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Incident.decode(line)


@given(st.text(max_size=300))
def test_what_a_bot_sent_becomes_one_short_printable_line(text: str) -> None:
    shown = received(text)
    assert shown.isprintable()
    assert len(shown) <= 10 * (MOST_TEXT + 4)


def test_an_outage_belongs_to_the_matches_that_ran_meanwhile() -> None:
    rows = ["5000 9000 7000", "1000 4000 3000"]
    assert [each.numbers for each in outages_within(rows, 0, 10_000)] == [(3_000,), (4_000,)]
    assert [each.at_ms for each in outages_within(rows, 4_000, 5_001)] == [5_000]
    assert outages_within(rows, 9_000, 10_000) == []
