"""A person who plays at the terminal."""

from __future__ import annotations

import io
import json

import pytest
from targi_engine import ACTIONS, Record, ruleset, verify
from targi_sdk.arena import Game, Played, Player, play_match
from targi_sdk.cli import main
from targi_sdk.human import HumanBot, position
from targi_sdk.specs import BotSpec

SEED = bytes(range(32))


def play(answers: str, monkeypatch: pytest.MonkeyPatch, rules: str = "base") -> Played:
    """A game between a person who gives these answers and a second one who always takes the first action."""
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    person = HumanBot()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 4000))
    game = Game(ruleset(rules), SEED)
    return play_match(game, (Player(person, "person"), Player(HumanBot(), "other")))


def test_an_answer_is_a_number_of_the_menu_or_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play("@7\n2\n" + "1\n" * 4000, monkeypatch)
    assert played.termination == "normal"
    own = [action for action, _ in played.record.actions][::2]
    assert ACTIONS[own[0]] == "@7"
    verify(played.record)


def test_a_wrong_answer_is_explained_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play("@4\nend\n99\n\n@7\n" + "1\n" * 4000, monkeypatch)
    assert played.termination == "normal"
    assert ACTIONS[played.record.actions[0][0]] == "@7"
    shown = capsys.readouterr().err
    assert "'@4', which is no action" in shown
    assert "(end) is not legal at this 'place' decision" in shown
    assert "'99', which is no action" in shown


def test_the_end_of_input_loses_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play("@7\n", monkeypatch)
    assert (played.result, played.termination, played.culprit) == ("0-1", "bot_error", "0")
    assert "standard input ended" in played.failure.line


@pytest.mark.parametrize("rules", ["base", "expansion"])
def test_the_position_shows_centre_stock_and_figures(rules: str) -> None:
    spectator = BotSpec.parse("random").make()
    record = play_match(Game(ruleset(rules), SEED), (Player(spectator, "a"), Player(spectator, "b"))).record
    states = record.states()
    for _ in range(9):
        state = next(states)
    view = state.observation(1)
    lines = "\n".join(position(view, 1))
    assert all(name in lines for name in view.centre_names if name)
    assert f"Targis {' '.join(map(str, view.players[1].targis))}" in lines
    assert ("Targia on" in lines) == (rules == "expansion")


def test_a_game_with_a_person_has_no_clock_and_leaves_the_results_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 4000))
    assert main(["play", "human", "random", "--games", "1", "--seed", "7", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["time"] == "none"
    assert "Round 1, seat 0 first" in printed.err


def test_a_person_cannot_play_in_other_processes(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--jobs", "2"], ["--mirror"]):
        assert main(["play", "human", "random", *option]) == 2
        assert "human" in capsys.readouterr().err


def test_a_record_of_a_person_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Record.parse(play("", monkeypatch).record.text()).tags["Seat0"] == "person 1.0"
