"""Ratings: the fit is where it says it is, its intervals cover, and equal results give equal tables."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from targi_server.ladder import rating
from targi_server.ladder.rating import Player, Rated, Results, Tally, fit

A, B, C = (Player(bot, "1") for bot in ("alba", "bora", "cleo"))

tallies = st.tuples(*[st.integers(0, 60)] * 5).filter(any)
tables = st.dictionaries(st.sampled_from([(A, B), (A, C), (B, C)]), tallies, min_size=1)


def expected(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def simulated(rng: random.Random, win: float) -> int:
    """Score in quarters of a pair whose games are won with that expectation, one in ten drawn."""
    drawn = min(0.1, 2 * win, 2 * (1 - win))
    games = (rng.random() for _ in range(2))
    return sum(2 if u < win - drawn / 2 else 1 if u < win + drawn / 2 else 0 for u in games)


def season(rng: random.Random, players: int, pairs: int) -> tuple[dict[Player, float], Results]:
    """True ratings around their mean of 1500, and that many simulated pairs between random players."""
    raw = [rng.gauss(0, 200) for _ in range(players)]
    truth = {Player(f"bot{n:03}", "1"): x - sum(raw) / players + 1500 for n, x in enumerate(raw)}
    results: dict[tuple[Player, Player], Tally] = {}
    for _ in range(pairs):
        first, second = sorted(rng.sample(sorted(truth), 2))
        quarters = simulated(rng, expected(truth[first] - truth[second]))
        tally = results.get((first, second), (0, 0, 0, 0, 0))
        results[first, second] = tuple(n + (k == quarters) for k, n in enumerate(tally))  # type: ignore[assignment]
    return truth, results


def row(table: list[Rated], player: Player) -> Rated:
    return next(row for row in table if row.player == player)


def test_no_results_no_table() -> None:
    assert fit({}, {}) == []


def test_even_results_are_even_ratings() -> None:
    table = fit({(A, B): (10, 20, 40, 20, 10)}, {})
    assert [r.rating for r in table] == [1500, 1500]
    assert table[0].low + table[0].high == 3000
    assert [r.score for r in table] == [0.5, 0.5]


def test_a_long_match_tells_the_difference_of_its_score() -> None:
    """3 of 4 points are 191 Elo; the prior takes off little from a thousand pairs."""
    table = fit({(A, B): (0, 0, 0, 1000, 0)}, {})
    assert row(table, A).rating - row(table, B).rating == pytest.approx(400 * math.log10(3), abs=2)


def slow_gradient(results: Results, ratings: dict[Player, float]) -> dict[Player, float]:
    """Of the log of quasi-likelihood times prior, in plain loops; every player is a first version."""
    slope = {player: -value / 300**2 for player, value in ratings.items()}
    for (first, second), tally in results.items():
        for quarters, count in enumerate(tally):
            surplus = quarters / 4 - expected(ratings[first] - ratings[second])
            slope[first] += count * surplus * math.log(10) / 400
            slope[second] -= count * surplus * math.log(10) / 400
    return slope


@given(tables)
def test_the_fit_is_where_the_slope_is_zero(results: Results) -> None:
    games = rating._Games(results, {})
    ratings = dict(zip(games.players, map(float, rating._solved(games)), strict=True))
    assert max(map(abs, slow_gradient(results, ratings).values())) < 1e-9


def test_a_step_between_versions_is_held_by_its_own_prior() -> None:
    """Without the link the new version's five wins would be worth far more than 100 points."""
    old, new = Player("alba", "1"), Player("alba", "2")
    results = {(old, B): (0, 0, 100, 0, 0), (new, B): (0, 0, 0, 0, 5)}
    linked = row(fit(results, {"alba": ["1", "2"]}), new)
    free = row(fit(results, {}), new)
    assert linked.step is not None
    assert linked.step.before == "1"
    assert 0 < linked.step.difference < 100
    assert linked.rating < free.rating
    assert free.step is None


def test_versions_without_results_are_stepped_over() -> None:
    old, new = Player("alba", "1"), Player("alba", "3")
    results = {(old, B): (0, 0, 50, 0, 0), (new, B): (0, 0, 50, 0, 0)}
    step = row(fit(results, {"alba": ["1", "2", "3"]}), new).step
    assert step is not None
    assert step.before == "1"


def test_a_player_with_few_pairs_comes_after_the_placed_ones() -> None:
    results = {(A, B): (0, 0, 60, 0, 0), (A, C): (10, 0, 0, 0, 0)}
    table = fit(results, {})
    assert [r.player for r in table][-1] == C
    assert [r.provisional for r in table] == [False, False, True]
    assert table[-1].rating > table[0].rating


def test_a_new_version_stays_provisional_until_it_differs_or_has_played_400_pairs() -> None:
    old, new = Player("alba", "1"), Player("alba", "2")
    lineage = {"alba": ["1", "2"]}
    even: Tally = (50, 0, 100, 0, 50)
    equal = fit({(old, B): even, (new, B): even}, lineage)
    better = fit({(old, B): even, (new, B): (10, 0, 50, 0, 140)}, lineage)
    long = fit({(old, B): even, (new, B): (100, 0, 200, 0, 100)}, lineage)
    assert row(equal, new).provisional
    assert not row(better, new).provisional
    assert not row(long, new).provisional


def test_the_table_is_ordered_by_the_lower_end() -> None:
    _, results = season(random.Random(5), 12, 1200)
    table = fit(results, {})
    assert all(not upper.provisional for upper in table)
    assert all(upper.low >= lower.low for upper, lower in itertools.pairwise(table))


def test_anchors_hold_the_mean_at_1500() -> None:
    _, results = season(random.Random(6), 6, 2000)
    anchors = frozenset({"bot001", "bot004"})
    table = fit(results, {}, anchors)
    held = [r for r in table if r.anchor]
    assert {r.player.bot for r in held} == anchors
    assert sum(r.rating for r in held) / 2 == pytest.approx(1500, abs=0.5)


def test_the_only_anchor_has_no_interval() -> None:
    anchor = row(fit({(A, B): (5, 5, 40, 5, 5)}, {}, frozenset({"alba"})), A)
    assert (anchor.low, anchor.rating, anchor.high) == (1500, 1500, 1500)


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    rng, covered, asked = random.Random(11), 0, 0
    for _ in range(60):
        truth, results = season(rng, 20, 3000)
        for line in fit(results, {}):
            asked += 1
            covered += line.low - 0.5 <= truth[line.player] <= line.high + 0.5
    assert asked == 1200
    assert 0.93 <= covered / asked <= 0.97


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(rng: random.Random) -> None:
    _, results = season(random.Random(3), 8, 300)
    shuffled = list(results.items())
    rng.shuffle(shuffled)
    assert repr(fit(dict(shuffled), {})).encode() == repr(fit(results, {})).encode()


def test_a_season_of_500_players_is_fitted_whole() -> None:
    truth, results = season(random.Random(7), 500, 20_000)
    table = fit(results, {})
    assert len(table) == 500
    error = sum(abs(line.rating - truth[line.player]) for line in table) / 500
    assert error < 60
