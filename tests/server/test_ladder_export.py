"""Export: finished matches become files, whole ones, once each, and stay in Redis until then."""

from __future__ import annotations

import asyncio
import json
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
from lobby_floor import Floor, floor
from targi_engine import Record, verify
from targi_server.ladder.archive import GRACE_S
from targi_server.ladder.files import STALE_S, checked
from targi_server.match.model import Kind
from targi_server.start_errors import ArchiveUnusable
from targi_server.store.answers import Append
from targi_server.store.keys import bucket_keys, match_keys

TTL_S = 600
MATCHES = 64
DAY = "2027-01-15"
"""Of the clock that the tests set."""

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


async def over(here: Floor, count: int = 1, *, plies: int = 0) -> list[str]:
    """Matches that were resigned and are filed."""
    ended = []
    for _ in range(count):
        claims = await here.arrive("alba"), await here.arrive("bora")
        offer = await here.agree(*claims, kind=Kind.SINGLE)
        await here.play(offer.offer_id, plies=plies)
        await here.end(offer.offer_id, "1-0")
        await here.ladder.filing.file_all()
        ended.append(offer.offer_id)
    return ended


async def export(here: Floor, *, leads: bool = True) -> None:
    assert here.ladder.export is not None
    await here.ladder.export.run(lambda: leads)


def figure(here: Floor, name: str, **labels: str) -> float:
    return here.metrics.registry.get_sample_value(f"targi_{name}", labels) or 0.0


def pending(here: Floor) -> float:
    return figure(here, "export_pending", worker="0")


def files(archive: Path) -> list[str]:
    return sorted(str(path.relative_to(archive)) for path in archive.rglob("*") if path.is_file())


async def left_s(here: Floor, match_id: str) -> int:
    """Seconds for which a filed match stays in Redis."""
    left = await here.store.commands.command("TTL", match_keys(match_id).done)
    assert isinstance(left, int)
    return left


async def test_each_finished_match_becomes_a_file_of_its_day_that_verifies(
    here: Floor, tmp_path: Path
) -> None:
    ended = await over(here, 3, plies=12)
    await export(here)
    assert files(tmp_path / "archive") == sorted(f"{DAY}/{match_id}.targi" for match_id in ended)
    for match_id in ended:
        kept = await here.ladder.archive.get(match_id)
        text = (tmp_path / "archive" / DAY / f"{match_id}.targi").read_text()
        assert kept is not None and text == kept.record
        assert verify(Record.parse(text)).plies == 12
    assert figure(here, "records_exported_total") == 3
    assert pending(here) == 0


async def test_a_match_that_does_not_replay_leaves_what_there_is_of_it(here: Floor, tmp_path: Path) -> None:
    offer = await here.agree(await here.arrive("alba"), await here.arrive("bora"), kind=Kind.SINGLE)
    answer = Append(offer.offer_id, 0, 0, (4_000,), b"8 bytes.", 1, 0, 0, True, 1)
    await here.store.matches.append(answer)
    await here.end(offer.offer_id, "1-0")
    await here.ladder.filing.file_all()
    await export(here)
    (name,) = files(tmp_path / "archive")
    assert name == f"{DAY}/{offer.offer_id}.json"
    remains = json.loads((tmp_path / "archive" / name).read_text())
    assert (remains["match"], remains["termination"]) == (offer.offer_id, "server_error")
    assert [entry[:2] for entry in remains["entries"]] == [[0, 4_000]]
    kept = await here.ladder.archive.get(offer.offer_id)
    assert kept is not None and remains["seed"] == kept.header.seed.hex()


async def test_only_the_leader_exports(here: Floor, redis_url: str, tmp_path: Path) -> None:
    await over(here)
    async with floor(redis_url, "replica-2", archive=tmp_path / "other", finished_ttl_s=TTL_S) as second:
        for replica in (here, second):
            await replica.store.matches.tick()
        assert await here.ladder.matchmaker.step()
        assert not await second.ladder.matchmaker.step()
        for replica in (second, here):
            await replica.ladder.matchmaker.export()
    assert len(files(tmp_path / "archive")) == 1
    assert not (tmp_path / "other").exists()


async def test_a_changed_leader_goes_on_where_the_other_stopped(
    here: Floor, redis_url: str, tmp_path: Path
) -> None:
    before = await over(here, 2)
    await export(here)
    after = await over(here, 2)
    await export(here, leads=False)
    async with floor(redis_url, "replica-2", archive=tmp_path / "second", finished_ttl_s=TTL_S) as second:
        await export(second)
    assert files(tmp_path / "archive") == sorted(f"{DAY}/{each}.targi" for each in before)
    assert files(tmp_path / "second") == sorted(f"{DAY}/{each}.targi" for each in after)


async def test_a_match_stays_in_redis_for_its_time_from_its_end(here: Floor) -> None:
    (match_id,) = await over(here)
    assert TTL_S < await left_s(here, match_id) <= TTL_S + GRACE_S
    await here.pass_ms(100_000)
    await export(here)
    assert TTL_S - 130 < await left_s(here, match_id) <= TTL_S - 100


async def test_a_match_whose_time_passed_before_it_was_exported_goes_when_it_is(
    here: Floor, tmp_path: Path
) -> None:
    (match_id,) = await over(here)
    await here.pass_ms((TTL_S + 5) * 1000)
    assert await here.ladder.archive.get(match_id) is not None
    await export(here)
    assert files(tmp_path / "archive") == [f"{DAY}/{match_id}.targi"]
    await gone(here, match_id)


async def gone(here: Floor, match_id: str) -> None:
    """Waits until Redis let go of a filed match, which it does by itself."""
    async with asyncio.timeout(20):
        while await here.ladder.archive.get(match_id) is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_match_that_was_never_exported_goes_at_last_and_is_counted(
    here: Floor, tmp_path: Path
) -> None:
    lost, kept = await over(here, 2)
    await here.store.commands.command("PEXPIRE", match_keys(lost).done, 1)
    await gone(here, lost)
    await export(here)
    assert files(tmp_path / "archive") == [f"{DAY}/{kept}.targi"]
    assert figure(here, "export_failures_total", reason="lost") == 1
    await export(here)
    assert pending(here) == 0


async def test_without_an_archive_nothing_waits(redis_url: str) -> None:
    async with floor(redis_url, finished_ttl_s=TTL_S) as here:
        (match_id,) = await over(here)
        assert 0 < await left_s(here, match_id) <= TTL_S
        key = bucket_keys(match_id).unexported
        assert await here.store.commands.command("EXISTS", key) == 0


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


async def test_what_cannot_be_read_keeps_nobody_waiting(
    here: Floor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, *others = await over(here, 4)
    await here.store.commands.command("SET", match_keys(broken).done, b"rubbish")
    for _ in range(2):
        await export(here)
    assert files(tmp_path / "archive") == sorted(f"{DAY}/{each}.targi" for each in others)
    assert caplog.text.count("does not read") == 1
    assert figure(here, "export_failures_total", reason="unreadable") == 1
    assert pending(here) == 1


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
