"""The soak itself: sound games pass, and a game in which something does not hold can be seen again."""

from __future__ import annotations

import pytest
import soak
import soak_game
from targi_engine import RULESETS, Record, State, verify


@pytest.mark.parametrize("ruleset", RULESETS)
def test_sound_games_are_played_to_their_end(ruleset: str) -> None:
    total = soak.run(soak.Task(ruleset, first=3, games=2, seed=1))
    assert total.games == 2
    assert total.decisions > 100
    assert total.violations == ()


def test_a_game_of_the_same_number_is_the_same_game() -> None:
    one, other = (soak_game.SoakGame("expansion", 5, 1) for _ in range(2))
    one.play()
    other.play()
    assert one.record() == other.record()


def test_a_violation_ends_the_game_and_gives_seed_and_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: State) -> None:
        assert state.ply < 9

    monkeypatch.setattr(soak_game, "check_table", broken)
    total = soak.run(soak.Task("mixed", first=0, games=1, seed=1))
    (words,) = total.violations
    assert "--seed 1 --ruleset mixed --first 0 --games 1" in words
    assert "AssertionError" in words
    record = Record.parse(words[words.index("[Format") :])
    assert verify(record).plies == 9
    assert f"seed {record.seed.hex()}" in words


def test_a_soak_with_a_violation_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak_game, "verify", lambda record: 1 / 0)
    monkeypatch.setattr("sys.argv", ["soak.py", "--games", "1", "--jobs", "1", "--ruleset", "base"])
    assert soak.main() == 1
    printed = capsys.readouterr().out
    assert "ZeroDivisionError" in printed
    assert "1 games" in printed.splitlines()[-1]
    assert "1 violations" in printed.splitlines()[-1]
