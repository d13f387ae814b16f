"""A thousand games of the base game between all kinds of bots: nothing breaks, and everything comes up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from targi_engine import Coverage, Record, trace, verify
from targi_sdk.arena import GameResult, Series, play_series
from targi_sdk.seeds import series_seed

PAIRINGS = (
    ("builder", "builder"),
    ("builder", "greedy"),
    ("greedy", "random"),
    ("random", "builder"),
    ("builder", "builder?seed=other"),
)
GAMES_EACH = 200
AT_LEAST = 20
JUDGED = ("decision", "border", "laid", "ending")
DECISION_KEYS = {
    *(
        "ply",
        "round",
        "first",
        "seat",
        "decision",
        "legal",
        "action",
        "players",
        "centre",
        "robber",
        "targia",
    ),
    *("targis", "markers", "dunes", "top", "decks", "discards"),
}
END_KEYS = {"result", "score", "breakdown"}


def games() -> Iterator[GameResult]:
    for first, second in PAIRINGS:
        seed = series_seed(f"{first} {second}")
        yield from play_series(Series((first, second), seed, GAMES_EACH, ruleset="base", jobs=2))


def branches(record: Record) -> list[int]:
    """Numbers of legal actions at the record's decisions; fails on a trace of another shape."""
    *decisions, end = trace(record)
    assert end.keys() == END_KEYS
    found = []
    for decision in decisions:
        assert decision.keys() - {"revealed"} == DECISION_KEYS
        legal = decision["legal"]
        assert isinstance(legal, list)
        assert decision["action"] in legal
        found.append(len(legal))
    return found


@pytest.mark.full
def test_a_thousand_base_games_of_all_bots_verify_and_reach_everything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    coverage = Coverage()
    numbers: list[int] = []
    for result in games():
        assert result.termination == "normal"
        record = Record.parse(result.record)
        verify(record)
        coverage.add(record)
        numbers += branches(record)
    played = coverage.games
    assert played == len(PAIRINGS) * GAMES_EACH
    with capsys.disabled():
        print(
            f"\n{played} base games: {len(numbers) / played:.1f} decisions a game, "
            f"{sum(numbers) / len(numbers):.2f} legal actions a decision"
        )
    assert [row for row in coverage.rows() if row.group in JUDGED and row.times < AT_LEAST] == []
