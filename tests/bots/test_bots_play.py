"""The reference bots: legal in every ruleset, repeatable, and as strong as they claim."""

from __future__ import annotations

from collections import Counter

import pytest
from targi_bots.builder import BuilderBot
from targi_bots.greedy import GreedyBot
from targi_bots.random_bot import RandomBot
from targi_engine import Coverage, Record, ruleset, verify
from targi_sdk.arena import Game, GameResult, Player, Series, play_match, play_series
from targi_sdk.bot import Bot
from targi_sdk.seeds import series_seed

BOTS: tuple[type[Bot], ...] = (RandomBot, BuilderBot, GreedyBot)
SEED = bytes(range(32))
RULESETS = ("base", "expansion", "mixed")
EXEMPT = ("action",)


def play(first: str, second: str, games: int, *, rules: str = "base", jobs: int = 1) -> list[GameResult]:
    series = Series((first, second), series_seed("reference bots"), games, ruleset=rules, jobs=jobs)
    return list(play_series(series))


def share_of_twelfth_cards(results: list[GameResult]) -> float:
    """Share of the games that end by the twelfth card."""
    coverage = Coverage()
    for result in results:
        coverage.add(Record.parse(result.record))
    endings = {row.name: row.times for row in coverage.rows() if row.group == "ending"}
    return endings["twelfth card"] / len(results)


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_whole_games_of_every_ruleset(bot: type[Bot], rules: str) -> None:
    played = play_match(Game(ruleset(rules), SEED), (Player(bot(), "one"), Player(bot(), "two")))
    assert (played.termination, played.failure.line) == ("normal", "")
    verify(played.record)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_the_same_for_the_same_seeds(bot: type[Bot]) -> None:
    games = [
        play_match(Game(ruleset("mixed"), SEED), (Player(bot(), "one", seed), Player(RandomBot(), "two")))
        for seed in (SEED, SEED, SEED[::-1])
    ]
    texts = [game.record.text() for game in games]
    assert texts[0] == texts[1] != texts[2]


def test_greedy_beats_random() -> None:
    assert sum(result.points[0] for result in play("greedy", "random", 20)) >= 19


def test_greedy_beats_builder_more_often_than_not() -> None:
    assert sum(result.points[0] for result in play("greedy", "builder", 20)) > 10


def test_builder_beats_random() -> None:
    assert sum(result.points[0] for result in play("builder", "random", 20)) > 15


@pytest.mark.full
@pytest.mark.parametrize("rules", RULESETS)
def test_greedy_beats_random_in_95_of_100_games(rules: str) -> None:
    results = play("greedy", "random", 100, rules=rules, jobs=2)
    assert sum(result.points[0] == 1 for result in results) >= 95


@pytest.mark.full
@pytest.mark.parametrize("rules", RULESETS)
def test_one_in_twenty_games_of_builders_ends_by_the_twelfth_card(rules: str) -> None:
    assert share_of_twelfth_cards(play("builder", "builder", 200, rules=rules, jobs=2)) >= 0.05


@pytest.mark.full
def test_a_thousand_mixed_games_reach_every_effect_decision_border_card_and_ending() -> None:
    coverage, terminations = Coverage(), Counter[str]()
    for result in play("builder", "builder?seed=other", 1000, rules="mixed", jobs=2):
        record = Record.parse(result.record)
        verify(record)
        coverage.add(record)
        terminations[result.termination] += 1
    assert terminations == {"normal": 1000}
    assert [row for row in coverage.rows() if row.group not in EXEMPT and row.times < 20] == []
