"""The demo: from nothing to standings and a record, and nothing left of it."""

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from arena_process import pids_with, wait_for
from targi_server.commands.bots import BotProcess
from targi_server.commands.progress import counted

COMMAND = [sys.executable, "-m", "targi_sdk.cli", "demo"]


class Terminal(io.StringIO):
    """What a program takes for a terminal."""

    def isatty(self) -> bool:
        return True


def demo(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--data-dir", str(folder / "data"), "--out", str(folder / "out"), *flags],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


def counted_matches(text: str) -> int:
    found = re.search(r"(\d+) rated pairs, (\d+) matches", text)
    assert found, text
    return int(found[2])


def test_it_prints_progress_standings_and_the_path_of_a_record_that_reads(tmp_path: Path) -> None:
    done = demo(tmp_path, "--matches", "2")
    assert done.returncode == 0, done.stderr
    assert "rated matches: 2 of 2" in done.stdout
    assert counted_matches(done.stdout) >= 2
    header = next(line for line in done.stdout.splitlines() if line.startswith("rank "))
    assert {"bot", "rating", "low", "high"} <= set(header.split())
    (record,) = (tmp_path / "out").glob("*.targi")
    assert done.stdout.rstrip().endswith(str(record))
    verify = [sys.executable, "-m", "targi_sdk.cli", "record", "verify", str(record)]
    verified = subprocess.run(verify, capture_output=True, check=False)
    assert verified.returncode == 0, verified
    assert pids_with(str(tmp_path)) == []


@pytest.mark.full
def test_a_second_demo_on_its_directory_goes_on_with_the_same_ladder(tmp_path: Path) -> None:
    before = counted_matches(demo(tmp_path, "--matches", "2").stdout)
    after = demo(tmp_path, "--matches", str(before + 2))
    assert after.returncode == 0, after.stderr
    assert counted_matches(after.stdout) > before


@contextlib.contextmanager
def playing(folder: Path) -> Iterator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """A demo whose bots run, with its children; its temporary directories are in `folder`."""
    command = [*COMMAND, "--out", str(folder / "out")]
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, start_new_session=True, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert "arena at" in process.stdout.readline()
        supervisor = psutil.Process(process.pid)
        wait_for("all bots", lambda: len(bots(supervisor)) == 3)
        yield process, supervisor.children(recursive=True)


def assert_all_gone(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_and_a_closed_terminal_leave_nothing(tmp_path: Path, number: signal.Signals) -> None:
    with playing(tmp_path) as (process, tree):
        os.killpg(process.pid, number)  # what a terminal does
        assert process.wait(60) == 130
        assert_all_gone(tree)
    assert pids_with(str(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its Redis lives on until it is adopted")
def test_a_killed_demo_takes_its_bots_and_all_else_along(tmp_path: Path) -> None:
    with playing(tmp_path) as (process, tree):
        process.kill()
        process.wait(10)
        assert_all_gone(tree)
    assert pids_with(str(tmp_path)) == []
    assert {path.name.split("-")[1] for path in tmp_path.iterdir()} == {"demo", "metrics", "redis"}
    with playing(tmp_path) as (process, _):
        assert {path.name.split("-")[2] for path in tmp_path.iterdir()} == {str(process.pid)}
        process.terminate()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_place_where_no_record_can_be_written_is_refused_at_once(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    done = demo(tmp_path, "--out", str(tmp_path / name))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"targi: --out={tmp_path / name}: no record can be written there (")
    assert not (tmp_path / "data").exists()


def bots(supervisor: psutil.Process) -> list[psutil.Process]:
    return [child for child in supervisor.children() if "bot" in child.cmdline()]


async def test_a_bot_that_ends_is_quoted(tmp_path: Path) -> None:
    bot = BotProcess("nobody", address="127.0.0.1:1", token="none", folder=tmp_path)
    await bot.start()
    words = await bot.ended()
    assert words.startswith("bot nobody ended with exit code ")
    assert words.count("nobody") > 1
    await bot.stop(1)


def test_a_pipe_gets_a_line_for_each_tenth() -> None:
    out = io.StringIO()
    with counted("rated matches", 40, out) as show:
        for done in (1, 3, 4, 5, 12, 13, 40, 44):
            show(done)
    assert out.getvalue().splitlines() == [
        "rated matches: 4 of 40",
        "rated matches: 12 of 40",
        "rated matches: 40 of 40",
    ]


def test_a_terminal_gets_a_bar() -> None:
    out = Terminal()
    with counted("rated matches", 40, out) as show:
        show(40)
    assert "40/40" in out.getvalue()
    assert "rated matches" in out.getvalue()


@pytest.mark.parametrize("flags", [("--matches", "0"), ("--matches", "few")])
def test_a_wrong_number_of_matches_is_a_wrong_command_line(tmp_path: Path, flags: tuple[str, ...]) -> None:
    done = demo(tmp_path, *flags)
    assert done.returncode == 2
    assert "--matches: a whole number of 1 or more is needed" in done.stderr
