"""The verdict on a match in one sentence, and how its time was spent."""

from __future__ import annotations

import pytest
from targi_sdk.blame import TimeSpent, blamed, sentence, time_spent
from targi_sdk.client.chronicle import Ending, Match, Moment
from targi_sdk.wire import CULPRITS, TERMINATIONS


def match(ending: Ending | None) -> Match:
    return Match(
        match_id="0123456789abcdef",
        pair_id="",
        rated=True,
        ruleset="base",
        variants="",
        bots=("ann-one", "ben-one"),
        versions=("1", "2"),
        owners=("ann", "ben"),
        base_ms=60_000,
        increment_ms=1_000,
        ply=17,
        clocks=(1, 2),
        strikes=(0, 0),
        started_unix_ms=1,
        ended_unix_ms=2,
        ending=ending,
    )


def ending(termination: str, culprit: str = "none", result: str = "*", words: str = "") -> Ending:
    return Ending(result, termination, culprit, (40, 35), words)


@pytest.mark.parametrize("termination", ["resigned", "time", "illegal", "bot_error", "abandoned"])
@pytest.mark.parametrize(("culprit", "who"), [("0", "ann-one (seat 0)"), ("1", "ben-one (seat 1)")])
def test_a_bot_that_lost_by_its_own_doing_is_named(termination: str, culprit: str, who: str) -> None:
    words = sentence(match(ending(termination, culprit)))
    assert words.startswith(f"{who} lost: it")
    assert "own" in words


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (ending("normal", result="0-1"), "ben-one (seat 1) won it, 35 to 40"),
        (ending("normal", result="1-0"), "ann-one (seat 0) won it, 40 to 35"),
        (ending("normal", result="1/2-1/2"), "ann-one (seat 0) won it"),
        (ending("abandoned", "both"), "Both bots were away"),
        (ending("aborted", words="the pair is void"), "Neither bot is to blame: the pair is void"),
        (ending("server_error", "server", words="a log did not replay"), "It was the server: a log did not"),
    ],
)
def test_where_nobody_lost_by_its_own_doing_that_is_said(case: Ending, said: str) -> None:
    if case.result == "1/2-1/2":
        case = Ending(case.result, case.termination, case.culprit, (33, 33), "")
        said = "33 to 33: a draw"
    assert said in sentence(match(case))


@pytest.mark.parametrize("termination", TERMINATIONS)
def test_every_termination_has_a_sentence(termination: str) -> None:
    assert sentence(match(ending(termination, "0"))).endswith(".")


def test_a_match_that_runs_blames_nobody() -> None:
    assert sentence(match(None)) == "The match runs (ply 17): nobody is to blame for anything."
    assert blamed(None) == "nobody"


@pytest.mark.parametrize("culprit", CULPRITS)
def test_every_culprit_has_a_name(culprit: str) -> None:
    assert blamed(ending("time", culprit))


def moment(seat: int, action: str, charged_ms: int, out_ms: int, in_ms: int, lag_ms: int) -> Moment:
    return Moment(0, seat, action, 0, 0, 0, charged_ms, out_ms, in_ms, lag_ms, "")


def test_time_spent_is_summed_over_the_seats_own_actions() -> None:
    moments = [
        moment(0, "@1", 100, 1, 2, 50),
        moment(1, "@2", 900, 9, 9, 9),
        moment(0, "@3", 300, 4, 8, 10),
        moment(0, "", 7, 7, 7, 7),
    ]
    assert time_spent(moments, 0) == TimeSpent(2, 400, 300, 15, 12, 60)
    assert time_spent([], 0) == TimeSpent(0, 0, 0, 0, 0, 0)
