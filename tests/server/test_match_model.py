"""Values of a match: what is stored comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_log import header
from targi_server.match.model import Culprit, Kind, MatchHeader, SeatHeader, Termination, Verdict

names = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    kind=st.sampled_from(Kind),
    words=names,
    opening=st.none() | st.binary(min_size=32, max_size=32),
    secret=st.booleans(),
    flags=st.tuples(st.booleans(), st.booleans()),
)
def test_a_header_comes_back_as_it_was(
    kind: Kind, words: str, opening: bytes | None, secret: bool, flags: tuple[bool, bool]
) -> None:
    head = replace(
        header(),
        kind=kind,
        variants=words,
        opening=opening,
        seats=(SeatHeader(words, words, words), SeatHeader("b", "2", "o")),
        given_seeds=flags[0],
        hold_allowed=flags[1],
    )
    head = head if secret else replace(head, secrets=None)
    assert MatchHeader.decode(head.encode()) == head


def test_a_header_is_small() -> None:
    assert len(header().encode()) < 550


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"[1,2]", b"7", header().encode()[:-1]])
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        MatchHeader.decode(data)


@given(
    termination=st.sampled_from(Termination),
    culprit=st.sampled_from(Culprit),
    words=st.text(st.characters(codec="utf-8"), max_size=200),
    scores=st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99)),
)
def test_a_verdict_comes_back_as_it_was(
    termination: Termination, culprit: Culprit, words: str, scores: tuple[int, int] | None
) -> None:
    verdict = Verdict("1/2-1/2", termination, culprit, words, scores, 1_700_000_000_000)
    assert Verdict.decode(verdict.encode()) == verdict


@pytest.mark.parametrize("data", [b"", b"1-0 normal", b"1-0 nonsense none 5 - -\nwords"])
def test_what_is_no_verdict_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        Verdict.decode(data)


def test_the_culprit_of_a_seat_is_its_number() -> None:
    assert [Culprit.of_seat(seat) for seat in (0, 1)] == [Culprit.SEAT0, Culprit.SEAT1]
