"""`targi play`: records, summary, determinism, and what it refuses."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from arena_process import wait_for
from targi_engine import Record, verify
from targi_sdk.cli import main
from targi_sdk.seeds import pair_seeds, series_seed

LICENSE = Path(__file__).resolve().parents[2] / "LICENSE"
Captured = pytest.CaptureFixture[str]


def play(*arguments: str) -> int:
    return main(["play", "random", "builder", *arguments])


def files(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in directory.iterdir()}


def test_records_are_numbered_and_verify(tmp_path: Path) -> None:
    assert play("--games", "3", "--seed", "7", "--out", str(tmp_path)) == 0
    assert sorted(files(tmp_path)) == ["000001.targi", "000002.targi", "000003.targi"]
    for text in files(tmp_path).values():
        verify(Record.parse(text))


def test_the_same_seed_writes_the_same_files(tmp_path: Path) -> None:
    for directory, jobs in (("one", "1"), ("other", "2")):
        assert play("--games", "4", "--seed", "7", "--jobs", jobs, "--out", str(tmp_path / directory)) == 0
    assert files(tmp_path / "one") == files(tmp_path / "other")
    assert play("--games", "4", "--seed", "8", "--out", str(tmp_path / "third")) == 0
    assert files(tmp_path / "one").keys() == files(tmp_path / "third").keys()
    assert files(tmp_path / "one") != files(tmp_path / "third")


def test_the_records_hold_the_derived_seeds_and_the_seats_swapped(tmp_path: Path) -> None:
    assert play("--games", "4", "--seed", "cup", "--out", str(tmp_path)) == 0
    for number, text in enumerate(map(files(tmp_path).get, sorted(files(tmp_path)))):
        assert text is not None
        record = Record.parse(text)
        seeds = pair_seeds(series_seed("cup"), number // 2)
        assert (record.seed, record.opening) == (seeds.games[number % 2], seeds.opening)
        seats = ["random 1.0", "builder 1.0"]
        assert [record.tags["Seat0"], record.tags["Seat1"]] == (seats[::-1] if number % 2 else seats)


def test_a_mirrored_pair_has_one_seed_and_no_opening(tmp_path: Path) -> None:
    assert play("--games", "2", "--seed", "7", "--mirror", "--out", str(tmp_path)) == 0
    records = [Record.parse(text) for text in files(tmp_path).values()]
    assert records[0].seed == records[1].seed == pair_seeds(series_seed("7"), 0).games[0]
    assert records[0].opening is records[1].opening is None


def test_the_ruleset_and_its_variants_are_played(tmp_path: Path) -> None:
    variants = ("--ruleset", "expansion", "--variants", "easy_start=yes")
    assert play("--games", "1", *variants, "--out", str(tmp_path)) == 0
    tags = Record.parse(files(tmp_path)["000001.targi"]).tags
    assert (tags["Ruleset"], tags["Variants"]) == ("expansion", "easy_start=yes")


def test_the_summary_tells_wins_and_mean_scores_in_plain_columns(capsys: Captured) -> None:
    assert play("--games", "4", "--seed", "7") == 0
    printed = capsys.readouterr().out
    header, first, second, last = printed.splitlines()
    assert header.split() == ["bot", "won", "drawn", "lost", "points", "mean", "score"]
    won, drawn, lost = map(int, first.split()[1:4])
    assert (won + drawn + lost, list(map(int, second.split()[1:4]))) == (4, [lost, drawn, won])
    assert last == f"4 games of base, seed {series_seed('7').hex()}"
    assert printed.isascii()


def test_a_series_without_a_seed_prints_one_that_repeats_it(capsys: Captured) -> None:
    assert play("--games", "1", "--json") == 0
    first = capsys.readouterr().out
    assert play("--games", "1", "--json", "--seed", json.loads(first)["seed"]) == 0
    assert capsys.readouterr().out == first


def test_json_holds_the_games_the_bots_and_the_coverage(capsys: Captured) -> None:
    assert play("--games", "2", "--seed", "7", "--json", "--coverage") == 0
    report = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in report["games"]] == [1, 2]
    assert [bot["bot"] for bot in report["bots"]] == ["random", "builder"]
    assert sum(game["points"][1] for game in report["games"]) == report["bots"][1]["points"]
    placed = [row for row in report["coverage"] if (row["group"], row["name"]) == ("decision", "place")]
    assert placed[0]["times"] > 0


def test_coverage_is_a_table_of_what_came_up(capsys: Captured) -> None:
    assert play("--games", "1", "--seed", "7", "--coverage") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["what", "name", "times"] in rows
    assert any(row[:2] == ["decision", "place"] and int(row[-1]) > 0 for row in rows)


def test_a_terminal_gets_a_rich_table(capfd: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as out:
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setenv("TERM", "xterm-256color")
        assert play("--games", "1", "--seed", "7") == 0
        shown = os.read(reader, 65536).decode()
    os.close(reader)
    assert "\x1b[" in shown
    assert "┃" in shown


def test_records_of_an_earlier_series_are_kept(tmp_path: Path, capsys: Captured) -> None:
    assert play("--games", "2", "--seed", "7", "--out", str(tmp_path)) == 0
    before = files(tmp_path)
    assert play("--games", "2", "--seed", "8", "--out", str(tmp_path)) == 2
    assert "holds records already" in capsys.readouterr().err
    assert files(tmp_path) == before
    assert play("--games", "2", "--seed", "8", "--out", str(tmp_path), "--force") == 0
    assert files(tmp_path) != before


def test_a_failing_bot_is_told_about_and_the_series_goes_on(tmp_path: Path, capsys: Captured) -> None:
    bot = tmp_path / "failing.py"
    bot.write_text(
        "from targi_sdk.bot import Bot\n\nclass Failing(Bot):\n"
        "    def choose(self, turn):\n        raise ValueError('no plan')\n"
    )
    assert main(["play", str(bot), "random", "--games", "2", "--json", "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr()
    told = [line for line in printed.err.splitlines() if line.startswith("game ")]
    assert [line.split(":")[0] for line in told] == ["game 1", "game 2"]
    assert all("ValueError: no plan" in line for line in told)
    assert printed.err.count("turn.observation = ") == 1
    assert f"record {tmp_path / 'out' / '000001.targi'}" in printed.err
    assert json.loads(printed.out)["terminations"] == {"bot_error": 2}
    for text in files(tmp_path / "out").values():
        verify(Record.parse(text))


LEAVING = """
import os
from targi_bots.random_bot import RandomBot

print("imported")

class Leaving(RandomBot):
    def choose(self, turn):
        print("thinking")
        os.system("echo child")
        if LEAVES and turn.seat == 1:
            os._exit(3)
        return super().choose(turn)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_that_ends_its_process_loses_that_game_with_its_exit_status(
    tmp_path: Path, jobs: str, capsys: Captured
) -> None:
    bot = tmp_path / "leaving.py"
    bot.write_text(f"LEAVES = True\n{LEAVING}")
    out = tmp_path / "out"
    assert main(["play", str(bot), "random", "--games", "3", "--jobs", jobs, "--out", str(out)]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("game ")]
    assert [line.split(" at ply")[0] for line in told] == ["game 2: the bot on seat 1 failed"]
    assert "its process died with exit status 3" in told[0]
    assert len(files(out)) == 3


HANGING = """
import time
from targi_bots.random_bot import RandomBot

class Hanging(RandomBot):
    def choose(self, turn):
        if turn.seat == 1:
            print("hangs", flush=True)
            time.sleep(600)
        return super().choose(turn)
"""


@pytest.mark.parametrize(("out", "kept"), [("out", "out/000001.targi"), ("out.jsonl", "out.jsonl")])
def test_ctrl_c_ends_a_series_in_which_a_bot_hangs_and_keeps_the_games(
    tmp_path: Path, out: str, kept: str
) -> None:
    bot = tmp_path / "hanging.py"
    bot.write_text(HANGING)
    file = tmp_path / kept
    command = [sys.executable, "-m", "targi_sdk.cli", "play", str(bot), "random", "--jobs", "1"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / out)], stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stderr is not None
        assert any(line == "hangs\n" for line in playing.stderr)
        text = wait_for("the first game", lambda: file.exists() and file.read_text())
        playing.send_signal(signal.SIGINT)
        assert playing.wait(120) == 130
    assert file.read_text() == text


def test_what_bots_print_is_no_part_of_the_document(tmp_path: Path) -> None:
    bot = tmp_path / "printing.py"
    bot.write_text(f"LEAVES = False\n{LEAVING}")
    command = [sys.executable, "-m", "targi_sdk.cli", "play", str(bot), "random", "--games", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["terminations"] == {"normal": 1}
    assert all(word in done.stderr for word in ("imported", "thinking", "child"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody", "random"], "no bot is called 'nobody'"),
        (["random"], "the following arguments are required"),
        (["random", "random", "--games", "0"], "must be a whole number from 1"),
        (["random", "random", "--games", "many"], "must be a whole number from 1"),
        (["random", "random", "--time", "1 h"], "a time control is written like 60+1"),
        (["random", "random?depth=2"], "no parameter 'depth'"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], words: str, capsys: Captured) -> None:
    assert main(["play", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ruleset", "chess"], "chess"),
        (["--variants", "easy_start=yes"], "easy_start"),
        (["--out", str(LICENSE)], f"{LICENSE}: "),
    ],
)
def test_what_cannot_be_played_is_explained(arguments: list[str], words: str, capsys: Captured) -> None:
    assert play(*arguments) == 1
    message = capsys.readouterr().err
    assert message.startswith("targi: ")
    assert words in message


ONLY_BASE = """
from targi_sdk.bot import Bot, Turn

class Plain(Bot):
    def choose(self, turn: Turn) -> int:
        return turn.legal[0]
"""


@pytest.mark.parametrize("out", [[], ["--out", "games.jsonl"]], ids=["series", "file of games"])
def test_a_bot_that_does_not_play_the_ruleset_is_refused(
    out: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text(ONLY_BASE, "utf-8")
    assert main(["play", "plain.py", "random", "--ruleset", "expansion", *out]) != 0
    said = capsys.readouterr().err
    assert "plain.py does not play expansion: its rulesets are base" in said
    assert "add 'expansion' to `rulesets` of Plain" in said
    assert main(["play", "plain.py", "random", "--games", "1"]) == 0


@pytest.mark.parametrize("name", ["games.csv", "games.json", "games.targi"])
def test_an_unknown_ending_of_out_is_refused_with_those_that_there_are(
    name: str, tmp_path: Path, capsys: Captured
) -> None:
    assert play("--games", "1", "--out", str(tmp_path / name)) != 0
    assert "a file of games ends in .jsonl or .parquet" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


def test_a_directory_that_is_there_may_have_any_name(tmp_path: Path) -> None:
    (directory := tmp_path / "round.1").mkdir()
    assert play("--games", "1", "--out", str(directory)) == 0
    assert len(files(directory)) == 1
