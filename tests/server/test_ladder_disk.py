"""The disk below the archive: it hangs, is full, refuses, and a process dies while it writes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from arena_process import wait_for
from export_floor import DAY, TTL_S, export, figure, files, over, pending
from lobby_floor import Floor, floor
from targi_engine import Record
from targi_server.ladder.files import STALE_S, checked
from targi_server.start_errors import ArchiveUnusable

MATCHES = 64

CHILD = """
import asyncio, sys
from pathlib import Path
from lobby_floor import floor

async def main(url, archive):
    async with floor(url, "doomed", archive=Path(archive), finished_ttl_s=600) as here:
        await here.ladder.export.run(lambda: True)

asyncio.run(main(*sys.argv[1:]))
"""
"""A replica that exports what waits, and ends."""
SLOW_DISK = """
import os, time
sync = os.fsync
os.fsync = lambda file: (time.sleep(0.01), sync(file))
"""
FULL_DISK = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
"""
IMPORTING = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "support")}


@pytest.fixture
async def here(redis_url: str, tmp_path: Path) -> AsyncIterator[Floor]:
    async with floor(redis_url, archive=tmp_path / "archive", finished_ttl_s=TTL_S) as made:
        yield made


async def test_a_directory_that_cannot_be_written_loses_nothing_and_is_told(
    here: Floor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = tmp_path / "archive"
    ended = await over(here, 3)
    archive.write_text("no directory")
    for _ in range(2):
        await export(here)
    assert "records cannot be exported to" in caplog.text and "3 wait" in caplog.text
    assert figure(here, "export_failures_total", reason="unwritable") == 2
    assert pending(here) == 3
    assert figure(here, "export_lag_seconds", worker="0") >= 0
    archive.unlink()
    await export(here)
    assert files(archive) == sorted(f"{DAY}/{each}.targi" for each in ended)
    assert pending(here) == 0


async def test_a_disk_that_hangs_holds_up_neither_play_nor_filing(
    here: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, reached = threading.Event(), threading.Event()

    def hang(_: int) -> None:
        reached.set()
        assert hangs.wait(60)

    monkeypatch.setattr(os, "fsync", hang)
    await here.store.matches.tick()
    assert await here.ladder.matchmaker.step()
    (first,) = await over(here)
    exporting = asyncio.create_task(here.ladder.matchmaker.export())
    try:
        assert await asyncio.to_thread(reached.wait, 60)
        (second,) = await over(here, plies=5)
        assert await here.ladder.matchmaker.step()
        assert await here.ladder.archive.get(second) is not None
        assert files(tmp_path / "archive") == []
    finally:
        hangs.set()
    await exporting
    assert files(tmp_path / "archive") == sorted(f"{DAY}/{each}.targi" for each in (first, second))


def whole(archive: Path) -> int:
    """How many records there are; each must be whole. What is being written does not count."""
    found = list(archive.glob("*/*.targi"))
    for path in found:
        record = Record.parse(path.read_text())
        assert record.tags["Match"] == path.stem
        assert record.termination == "resigned"
    return len(found)


def kill_exporting(redis_url: str, archive: Path, files_wanted: int) -> None:
    """SIGKILL to a replica that exports, as soon as there are so many files."""
    doomed = subprocess.Popen(
        [sys.executable, "-c", SLOW_DISK + CHILD, redis_url, str(archive)], env=IMPORTING
    )
    try:
        wait_for("files", lambda: len(list(archive.glob("*/*.targi"))) >= files_wanted)
    finally:
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()


async def test_kill_9_in_the_middle_leaves_no_half_file_and_the_export_completes_later(
    here: Floor, redis_url: str, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    ended = await over(here, MATCHES)
    for wanted in (1, 33):
        kill_exporting(redis_url, archive, wanted)
        assert whole(archive) >= wanted
    await export(here)
    assert whole(archive) == len(list(archive.glob("*/*"))) == MATCHES
    assert {path.stem for path in archive.glob("*/*.targi")} == set(ended)
    assert pending(here) == 0


async def test_what_a_dead_replica_left_half_written_is_swept_once_it_is_old(
    here: Floor, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    old, fresh = archive / ".0001.dead.part", archive / ".0002.other.part"
    for part in (old, fresh):
        part.write_text("half of a rec")
    then = time.time() - 2 * STALE_S
    os.utime(old, (then, then))
    await export(here)
    assert files(archive) == [fresh.name]


async def test_a_disk_that_takes_half_a_record_keeps_none_of_it(
    here: Floor, redis_url: str, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    long, short = [*await over(here, plies=60), *await over(here)]
    limit = len(await record_of(here, short)) + 100
    assert limit < len(await record_of(here, long))
    done = export_limited(redis_url, archive, limit)
    assert done.returncode == 0, done.stderr
    assert "File too large" in done.stderr
    assert files(archive) == [f"{DAY}/{short}.targi"]
    await export(here)
    assert files(archive) == sorted(f"{DAY}/{each}.targi" for each in (long, short))


def export_limited(redis_url: str, archive: Path, limit: int) -> subprocess.CompletedProcess[str]:
    """A replica for which no file may grow beyond so many bytes exports what waits."""
    code = FULL_DISK.format(limit=limit) + CHILD
    return subprocess.run(
        [sys.executable, "-c", code, redis_url, str(archive)],
        env=IMPORTING,
        capture_output=True,
        text=True,
        check=False,
    )


async def record_of(here: Floor, match_id: str) -> str:
    kept = await here.ladder.archive.get(match_id)
    assert kept is not None
    return kept.record


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_an_archive_directory_that_cannot_be_written_is_refused_in_words(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(
        ArchiveUnusable, match=r"cannot write archive directory .*; give one .* --archive-dir"
    ):
        checked(tmp_path / place)
    assert checked(tmp_path / "new" / "one").is_dir()
