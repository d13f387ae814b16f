"""Series of games: seats swapped, the same over any number of processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from targi_engine import Record, UnknownRuleset, verify
from targi_sdk.arena import Series, Summary, play_series
from targi_sdk.specs import UnknownBotError

S = bytes(range(32))

REMEMBERING = """
from targi_bots.random_bot import RandomBot

GAMES = []

class Remembering(RandomBot):
    def on_start(self, start):
        if start.commitment in GAMES:
            raise RuntimeError("this deal was played before")
        GAMES.append(start.commitment)
"""


def series(games: int = 4, *, mirrored: bool = False, jobs: int = 1, first: str = "random") -> Series:
    return Series((first, "random?seed=other"), S, games, mirrored=mirrored, jobs=jobs)


def test_the_first_bot_changes_its_seat_and_keeps_its_points() -> None:
    for result in play_series(series()):
        record = Record.parse(result.record)
        on_seat = result.fixture.seats
        seat_points = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}[record.tags["Result"]]
        assert result.points == (seat_points[on_seat.index(0)], seat_points[on_seat.index(1)])
        score = [int(part) for part in record.tags["Score"].split("-")]
        assert result.scores == (score[on_seat.index(0)], score[on_seat.index(1)])


def test_several_processes_play_the_same_games_in_the_same_order() -> None:
    alone = [result.record for result in play_series(series())]
    assert [result.record for result in play_series(series(jobs=2))] == alone


def test_a_mirrored_game_finds_nothing_remembered(tmp_path: Path) -> None:
    bot = tmp_path / "remembering.py"
    bot.write_text(REMEMBERING)
    results = list(play_series(series(2, mirrored=True, first=str(bot))))
    assert [result.termination for result in results] == ["normal", "normal"]
    seeds = [Record.parse(result.record).tags["Seed"] for result in results]
    assert seeds[0] == seeds[1]


def test_what_cannot_be_played_fails_before_the_first_game() -> None:
    with pytest.raises(UnknownBotError):
        play_series(Series(("random", "nobody"), S, 1))
    with pytest.raises(UnknownRuleset):
        play_series(Series(("random", "random"), S, 1, ruleset="chess"))


def test_a_summary_counts_for_the_first_bot() -> None:
    results, summary = list(play_series(series())), Summary()
    for result in results:
        summary.add(result)
    assert summary.games == 4
    assert summary.points == sum(result.points[0] for result in results)
    assert summary.mean_scores[1] == sum(result.scores[1] for result in results) / 4
    assert summary.terminations == {"normal": 4}


def test_an_empty_summary_has_no_games() -> None:
    assert (Summary().games, Summary().mean_scores) == (0, (0.0, 0.0))


KILLING = """
import os
from targi_bots.random_bot import RandomBot

class Killing(RandomBot):
    def on_start(self, start):
        self.doomed = start.seat == 0
        if self.doomed and WHERE == "on_start":
            os._exit(1)

    def choose(self, turn):
        if self.doomed and WHERE == "choose" and turn.ply > 3:
            os._exit(1)
        return super().choose(turn)

    def on_end(self, end):
        if self.doomed and WHERE == "on_end":
            os._exit(1)
"""


def killing(directory: Path, where: str) -> str:
    """A bot that ends its process, but only when it sits on seat 0."""
    bot = directory / "killing.py"
    bot.write_text(f"WHERE = {where!r}\n{KILLING}")
    return str(bot)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_bot_that_kills_its_process_loses_that_game_only(tmp_path: Path, mirrored: bool) -> None:
    one = series(4, mirrored=mirrored, jobs=2, first=killing(tmp_path, "choose"))
    results = list(play_series(one))
    assert [result.fixture.number for result in results] == [1, 2, 3, 4]
    assert [result.termination for result in results] == ["bot_error", "normal"] * 2
    for dead in results[::2]:
        assert dead.points == (0.0, 1.0)
        assert dead.words.startswith("the bot on seat 0 failed at ply ")
        assert "its process died" in dead.failure.line
        record = Record.parse(dead.record)
        assert (record.tags["Termination"], record.tags["Culprit"]) == ("bot_error", "0")
        verify(record)


def test_a_process_that_dies_before_the_first_decision_costs_that_game(tmp_path: Path) -> None:
    first, second = play_series(series(2, jobs=2, first=killing(tmp_path, "on_start")))
    assert (first.words, first.points) == ("the bot on seat 0 failed in on_start", (0.0, 1.0))
    assert second.termination == "normal"


def test_a_process_that_dies_after_the_end_leaves_the_result(tmp_path: Path) -> None:
    dead = list(play_series(series(2, jobs=2, first=killing(tmp_path, "on_end"))))
    alive = list(play_series(series(2, jobs=2, first=killing(tmp_path, "nowhere"))))
    assert [result.record for result in dead] == [result.record for result in alive]
