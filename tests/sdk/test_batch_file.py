"""`targi play --out FILE.jsonl` and `FILE.parquet`: what is written, that it repeats, and that it goes on."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from targi_engine import Record, verify
from targi_sdk.arena import NO_CLOCKS, Series
from targi_sdk.arena.batch import play_lines
from targi_sdk.cli import main
from targi_sdk.seeds import pair_seeds, series_seed

Captured = pytest.CaptureFixture[str]
TARGI = (sys.executable, "-m", "targi_sdk.cli")
GAMES = 12


def play(out: Path, *arguments: str, games: int = GAMES) -> int:
    return main(["play", "random", "builder", "--games", str(games), "--out", str(out), *arguments])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a batch that was not interrupted."""
    file = tmp_path_factory.mktemp("whole") / "games.jsonl"
    assert play(file, "--seed", "7", "--jobs", "1") == 0
    return file.read_bytes()


def test_every_line_is_a_game_with_seeds_players_result_and_record(whole: bytes) -> None:
    for number, text in enumerate(whole.splitlines(), 1):
        line = json.loads(text)
        seeds, second = pair_seeds(series_seed("7"), (number - 1) // 2), (number - 1) % 2
        assert (line["game"], line["series"]) == (number, series_seed("7").hex())
        assert (line["seed"], line["opening"]) == (seeds.games[second].hex(), (seeds.opening or b"").hex())
        assert line["bots"] == ["builder", "random"][:: 1 if second else -1]
        assert line["players"] == [f"{bot} 1.0" for bot in line["bots"]]
        assert line["scores"] == [sum(parts.values()) for parts in line["breakdown"]]
        record = Record.parse(line["record"])
        verify(record)
        assert (record.result, record.tags["Cards"]) == (line["result"], line["cards"])
        assert (len(record.actions), record.rounds[-1]) == (line["decisions"], line["rounds"])
    assert number == GAMES


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_the_same_seed_writes_the_same_bytes_on_any_number_of_processes(
    jobs: str, whole: bytes, tmp_path: Path
) -> None:
    assert play(tmp_path / "games.jsonl", "--seed", "7", "--jobs", jobs) == 0
    assert (tmp_path / "games.jsonl").read_bytes() == whole


def test_the_summary_is_that_of_all_games(whole: bytes, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "games.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:5]))
    assert play(tmp_path / "games.jsonl", "--seed", "7", "--jobs", "1", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    lines = [json.loads(text) for text in whole.splitlines()]
    won = sum(line["result"] == ("1-0", "0-1")[line["bots"].index("builder")] for line in lines)
    assert report["bots"][1]["won"] == won
    assert report["terminations"] == {"normal": GAMES}
    assert "games" not in report


@pytest.mark.parametrize("cut", [0, 1, 700, 10_000])
def test_an_interrupted_file_goes_on_where_it_ended(cut: int, whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(whole[: len(whole) - cut])
    assert play(file, "--seed", "7", "--jobs", "1") == 0
    assert file.read_bytes() == whole


def test_a_file_that_goes_on_needs_no_seed_and_may_become_longer(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert play(file, "--seed", "7", "--jobs", "1", games=5) == 0
    assert play(file, "--jobs", "1") == 0
    assert file.read_bytes() == whole


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_batch_that_is_killed_or_stopped_goes_on_to_the_same_bytes(
    ending: signal.Signals, code: int, tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    command = [*TARGI, "play", "random", "builder", "--games", "100000", "--seed", "7", "--out", str(file)]
    process = subprocess.Popen([*command, "--jobs", "2"], stderr=subprocess.PIPE, start_new_session=True)
    wait_for(lambda: lines_in(file) >= 3)
    # Ctrl-C reaches the workers too, a kill does not; they hold standard error open as long as they live.
    os.killpg(process.pid, ending) if ending is signal.SIGINT else process.send_signal(ending)
    _, told = process.communicate(timeout=120)
    assert process.returncode == code
    assert b"Traceback" not in told
    games = lines_in(file) + 2
    assert play(file, "--seed", "7", "--jobs", "1", games=games) == 0
    assert play(tmp_path / "other.jsonl", "--seed", "7", "--jobs", "2", games=games) == 0
    assert file.read_bytes() == (tmp_path / "other.jsonl").read_bytes()


def test_a_mirrored_batch_plays_each_deal_twice(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert play(file, "--seed", "7", "--mirror", "--jobs", "2", games=2) == 0
    one, other = map(json.loads, file.read_bytes().splitlines())
    assert one["seed"] == other["seed"]
    assert one["opening"] is other["opening"] is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_length_of_a_series_costs_nothing_before_its_games(jobs: int) -> None:
    lines = play_lines(Series(("random", "random"), bytes(32), 10**12, control=NO_CLOCKS, jobs=jobs))
    first = [json.loads(line.text)["game"] for line in itertools.islice(lines, 3)]
    lines.close()  # type: ignore[attr-defined]
    assert first == [1, 2, 3]


OTHER = (
    (["--seed", "8"], "line 1 is of another series: its series is"),
    (["--seed", "7", "--ruleset", "expansion"], "line 1 is of another series: its ruleset is 'base'"),
    (["--seed", "7", "--mirror"], "line 1 is of another series: its opening is"),
    (["--seed", "7", "--games", "3"], "has more than game 3"),
)


@pytest.mark.parametrize(("arguments", "words"), OTHER)
def test_a_file_of_another_series_is_left_alone(
    arguments: list[str], words: str, whole: bytes, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(whole)
    assert play(file, *arguments) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"targi: {file}: ")
    assert words in message
    assert file.read_bytes() == whole


@pytest.mark.parametrize("text", ["a shopping list\n", "[1]\n", '{"game": 1}\n'])
@pytest.mark.parametrize("seed", [[], ["--seed", "7"]])
def test_a_file_of_something_else_is_left_alone(
    text: str, seed: list[str], tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    assert play(file, *seed) == 1
    assert capsys.readouterr().err.startswith(f"targi: {file}: line 1 is ")
    assert file.read_text() == text
    assert play(file, *seed, "--force", "--jobs", "1", games=1) == 0
    assert lines_in(file) == 1


def test_one_process_writes_a_file_at_a_time(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "games.jsonl"
    with file.open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert play(file) == 1
    assert f"{file}: another process is writing this file" in capsys.readouterr().err


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("")
    assert play(tmp_path / "file" / "games.jsonl") == 1
    assert "Not a directory" in capsys.readouterr().err


def test_coverage_counts_the_games_of_before_too(whole: bytes, tmp_path: Path, capsys: Captured) -> None:
    seen = []
    for kept in (whole, whole.splitlines(keepends=True)[0]):
        (tmp_path / "games.jsonl").write_bytes(kept)
        assert play(tmp_path / "games.jsonl", "--seed", "7", "--jobs", "1", "--coverage", "--json") == 0
        seen.append(json.loads(capsys.readouterr().out)["coverage"])
    assert seen[0] == seen[1]
    assert any(row["times"] > 100 for row in seen[0])


def test_without_pyarrow_a_parquet_file_is_refused_before_the_first_game(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "targi_sdk.arena.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert play(tmp_path / "games.parquet") == 1
    assert "pip install 'targi[parquet]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


READ = """
import json, sys
import pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
print(json.dumps(file.read().to_pylist()))
"""


@pytest.mark.full
def test_a_parquet_file_holds_the_same_games(whole: bytes, tmp_path: Path) -> None:
    """In an environment with pyarrow, which is too large for the one of the other tests."""
    extra, file = tmp_path / "extra", tmp_path / "games.parquet"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(extra)]
    subprocess.run([*install, "pyarrow>=17"], check=True)
    environment = {**os.environ, "PYTHONPATH": str(extra)}
    half = [*TARGI, "play", "random", "builder", "--games", "6", "--out", f"{file}.jsonl", "--seed", "7"]
    command = [*TARGI, "play", "random", "builder", "--games", str(GAMES), "--out", str(file), "--jobs", "2"]
    for each in (half, command):
        subprocess.run(each, env=environment, check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["extra", "games.parquet"]
    read = subprocess.run(
        [sys.executable, "-c", READ, str(file)], env=environment, check=True, capture_output=True
    )
    assert json.loads(read.stdout) == [json.loads(text) for text in whole.splitlines()]
    again = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert again.returncode == 1
    assert "is there already" in again.stderr
    before = file.read_bytes()
    subprocess.run([*command, "--force", "--seed", "7"], env=environment, check=True)
    assert file.read_bytes() == before
