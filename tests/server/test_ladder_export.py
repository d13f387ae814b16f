"""Export: finished matches become files, once each, and stay in Redis until then."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from export_floor import DAY, TTL_S, export, figure, files, over, pending
from lobby_floor import Floor, floor
from targi_engine import Record, verify
from targi_server.ladder.archive import GRACE_S
from targi_server.match.model import Kind
from targi_server.store.answers import Append
from targi_server.store.keys import bucket_keys, match_keys


@pytest.fixture
async def here(redis_url: str, tmp_path: Path) -> AsyncIterator[Floor]:
    async with floor(redis_url, archive=tmp_path / "archive", finished_ttl_s=TTL_S) as made:
        yield made


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
    claims = await here.arrive("alba", ladder=False), await here.arrive("bora", ladder=False)
    offer = await here.agree(*claims, kind=Kind.SINGLE)
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
