"""Bots that fail, or end their process, in the middle of a batch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from targi_engine import Record, verify
from targi_sdk.arena import Series
from targi_sdk.arena.game import Game
from targi_sdk.arena.schedule import fixture
from targi_sdk.cli import main
from targi_sdk.seeds import series_seed

Captured = pytest.CaptureFixture[str]
GAMES = 12


BOTS = """
import os
from targi_sdk.bot import Bot

class Failing(Bot):
    def choose(self, turn):
        if turn.ply > 20:
            raise ValueError("no plan")
        return turn.legal[0]

class Dying(Bot):
    def choose(self, turn):
        if turn.ply > 5 and turn.match_id in os.environ["DYING"]:
            os._exit(3)
        return turn.legal[0]

class Killed(Dying):
    def choose(self, turn):
        if turn.ply > 5 and turn.match_id in os.environ["DYING"]:
            os.kill(os.getpid(), 9)
        return turn.legal[0]

class Unlucky(Bot):
    def choose(self, turn):
        try:
            os.mkdir(os.environ["DYING"])
        except FileExistsError:
            return turn.legal[0]
        os._exit(1)
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    return file


def test_a_failing_bot_is_told_about_and_the_file_names_no_lines_of_code(
    bots: Path, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["play", f"{bots}:Failing", "random", "--games", "4", "--seed", "7", "--out", str(file)]
    assert main([*arguments, "--jobs", "2"]) == 0
    told = capsys.readouterr().err
    assert told.count("ValueError: no plan") == 5  # once in the traceback
    assert f"line 1 of {file}" in told
    for text in file.read_text().splitlines():
        line = json.loads(text)
        assert line["termination"] == "bot_error"
        assert line["bots"][int(line["culprit"])] == f"{bots}:Failing"
        assert "no plan" not in text
        verify(Record.parse(line["record"]))


def match_id(number: int) -> str:
    """What a bot of the seventh seed is told that a game is called."""
    series = Series(("random", "random"), series_seed("7"), GAMES)
    dealt = fixture(series.seed, number, mirrored=False)
    return Game(series.rules, dealt.seed, dealt.opening).match_id


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("bot", "status"), [("Dying", "exit status 3"), ("Killed", "signal SIGKILL")])
def test_a_bot_that_ends_its_process_is_named_with_the_game_and_the_games_before_are_kept(
    bots: Path,
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    bot: str,
    status: str,
    jobs: str,
) -> None:
    file = tmp_path / "games.jsonl"
    command = ["play", f"{bots}:{bot}", "random", "--out", str(file), "--games", "6", "--seed", "7"]
    monkeypatch.setenv("DYING", match_id(4))
    assert main([*command, "--jobs", jobs]) == 1
    message = capsys.readouterr().err
    assert f"in game 4 the bot {bots}:{bot} ended its process with {status}" in message
    assert "[Seat0" in message  # the game so far
    assert file.read_bytes().count(b"\n") == 3
    monkeypatch.setenv("DYING", "")
    assert main([*command, "--jobs", jobs]) == 0
    assert file.read_bytes().count(b"\n") == 6
    assert "holds 3 games already" in capsys.readouterr().err


def test_a_death_that_does_not_come_again_costs_nothing(
    bots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    monkeypatch.setenv("DYING", str(tmp_path / "died"))
    command = ["play", f"{bots}:Unlucky", "random", "--out", str(file), "--games", "6", "--seed", "7"]
    assert main([*command, "--jobs", "2"]) == 0
    assert (tmp_path / "died").exists()
    assert file.read_bytes().count(b"\n") == 6
