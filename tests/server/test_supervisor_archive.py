"""The archive directory of a whole arena: where it is, what refuses the start, and what a kill leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from arena_process import Arena, arena, targi, wait_for
from bot_process import running_bots
from targi_engine import Record, verify

KILLS = 3


def names(directory: Path) -> set[str]:
    """Whole records of a directory."""
    return {str(path.relative_to(directory)) for path in directory.glob("*/*")}


def texts(directory: Path) -> dict[str, str]:
    return {name: (directory / name).read_text() for name in names(directory)}


def test_an_archive_directory_that_cannot_be_written_stops_the_start_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    flags = ("--port", "0", "--http-port", "0", "--data-dir", str(tmp_path / "data"))
    done = subprocess.run(
        [sys.executable, "-m", "targi_server", *flags, "--archive-dir", str(tmp_path / "file" / "a")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done
    assert f"targi: cannot write archive directory {tmp_path / 'file' / 'a'}: Not a directory" in done.stderr


def is_over(server: Arena) -> bool:
    """Whether no match runs."""
    done = targi("match", "list", "--server", server.address, "--state", "running", "--json")
    return done.returncode == 0 and json.loads(done.stdout) == []


def exported(server: Arena, out: Path) -> bool:
    """Adds to `out` the record of each match that is over; whether all could be had."""
    done = targi("records", "export", str(out), "--server", server.address, "--json")
    return done.returncode == 0 and json.loads(done.stdout)["missing"] == []


def wait_for_the_archive(server: Arena, archive: Path, out: Path, within_s: float = 120.0) -> None:
    """Until no match runs and the archive has the record of each that is over.

    The server itself is asked for the records: its figure of those that wait is as old as the leader's last
    round, and 0 for as long as nobody leads.
    """
    wait_for("the end of all matches", lambda: is_over(server), within_s)
    wait_for("all records", lambda: exported(server, out), within_s)
    wait_for("all records in the archive", lambda: names(out) <= names(archive), within_s)


def kill_workers(server: Arena, archive: Path, records: int) -> None:
    """SIGKILL to all workers as soon as there are so many records."""
    wait_for(f"{records} records", lambda: len(names(archive)) >= records, 120)
    for worker in server.find_all("worker"):
        worker.kill()
    server.wait_ready()


@pytest.mark.full
def test_kills_of_workers_under_play_leave_every_finished_match_in_the_archive(tmp_path: Path) -> None:
    archive, out = tmp_path / "data" / "archive", tmp_path / "out"
    with arena(tmp_path / "data", "--workers", "2", "--disconnect-budget-ms", "2000") as server:
        bots = [("random", "anna"), ("random", "bela")]
        with running_bots(server.address, bots, tmp_path, "--capacity", "8", "--in-process"):
            for number in range(1, KILLS + 1):
                kill_workers(server, archive, 8 * number)
            wait_for("records after the last kill", lambda: len(names(archive)) >= 8 * KILLS + 8, 120)
        wait_for_the_archive(server, archive, out)
        assert texts(out) == texts(archive)
        assert len(names(archive)) >= 8 * KILLS + 8
    for name, text in texts(archive).items():
        record = Record.parse(text)
        verify(record)
        assert name.endswith(f"/{record.tags['Match']}.targi")
