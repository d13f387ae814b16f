"""`targi records export` against a real server."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from play_client import Arena, arena
from targi.v1 import play_pb2
from targi_engine import Record, verify
from targi_sdk.cli import main
from targi_sdk.client.address import Address
from targi_sdk.client.records import Missing, Wanted, fetched, listed
from targi_sdk.client.unary import calling
from targi_server.store.keys import match_keys


@pytest.fixture
async def here(redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Arena]:
    async with arena(redis_url, archive_dir=tmp_path / "archive") as found:
        monkeypatch.setenv("TARGI_SERVER", f"127.0.0.1:{found.service.port}")
        yield found


async def export(directory: Path, *flags: str) -> int:
    """Run the command in a thread of its own; the server is in this one."""
    return await asyncio.to_thread(main, ("records", "export", str(directory), *flags))


async def summary(directory: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> Any:
    """The document of a run that went well."""
    capsys.readouterr()
    assert await export(directory, "--json", *flags) == 0
    return json.loads(capsys.readouterr().out)


async def over(here: Arena, *bots: str) -> str:
    """A match that was resigned after a few moves, and is filed."""
    duel = await here.duel(*bots)
    for _ in range(3):
        await duel.move()
    await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
    await here.filed(duel.match_id)
    return duel.match_id


def names(directory: Path) -> set[str]:
    """What is in a directory, hidden files and all."""
    return {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}


async def test_every_finished_match_becomes_a_file_that_verifies(
    here: Arena, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = {await over(here), await over(here, "bot-three", "bot-four")}
    running = await here.duel("bot-five", "bot-six")
    assert await export(tmp_path / "out") == 0
    printed = capsys.readouterr()
    assert printed.out == f"2 records exported to {tmp_path / 'out'}\n"
    assert printed.err == ""
    found = names(tmp_path / "out")
    assert {Path(name).name for name in found} == {f"{match_id}.targi" for match_id in ended}
    assert running.match_id not in str(found)
    for name in found:
        record = Record.parse((tmp_path / "out" / name).read_text())
        assert verify(record).plies == 3
        assert record.tags["Match"] == Path(name).stem


async def test_the_layout_is_that_of_the_servers_archive(here: Arena, tmp_path: Path) -> None:
    await over(here)
    await here.service.parts.matchmaker.export()
    assert await export(tmp_path / "out") == 0
    (name,) = names(tmp_path / "archive")
    assert names(tmp_path / "out") == {name}
    assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "archive" / name).read_bytes()


async def test_what_is_there_is_not_fetched_again(
    here: Arena, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    await over(here)
    assert (await summary(out, capsys))["exported"] == 1
    (first,) = (out / name for name in names(out))
    os.utime(first, (1, 1))
    await over(here, "bot-three", "bot-four")
    assert await summary(out, capsys) == {
        "directory": str(out),
        "exported": 1,
        "present": 1,
        "missing": [],
    }
    assert first.stat().st_mtime == 1
    assert len(names(out)) == 2


async def test_filters_choose_by_bot_ruleset_kind_and_end(
    here: Arena, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await over(here)
    await over(here, "bot-three", "bot-four")
    for number, (flags, count) in enumerate(
        {
            (): 2,
            ("--bot", "bot-three"): 1,
            ("--ruleset", "base"): 2,
            ("--ruleset", "mixed"): 0,
            ("--rated",): 0,
            ("--since", "2020-01-01"): 2,
            ("--since", "2999-01-01T12:00+02:00"): 0,
        }.items()
    ):
        assert (await summary(tmp_path / str(number), capsys, *flags))["exported"] == count, flags


async def test_a_match_that_vanishes_meanwhile_is_told_and_stops_nothing(here: Arena, tmp_path: Path) -> None:
    kept, gone = await over(here), await over(here, "bot-three", "bot-four")
    told: list[None] = []

    def fetch(listing: bool) -> list[Any]:
        with calling(Address.parse(os.environ["TARGI_SERVER"])) as calls:
            if listing:
                return list(listed(calls, Wanted()))
            return fetched(calls, tmp_path, matches, at_once=2, done=lambda: told.append(None))

    matches = await asyncio.to_thread(fetch, True)
    assert {match.match_id for match in matches} == {kept, gone}
    await here.service.store.commands.command("DEL", match_keys(gone).done)
    (missing,) = await asyncio.to_thread(fetch, False)
    assert isinstance(missing, Missing) and missing.match_id == gone
    assert "there is no match" in missing.why
    assert {Path(name).stem for name in names(tmp_path)} == {kept}
    assert len(told) == 2


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--since", "yesterday"), "'yesterday' is no time; give one like 2026-11-30"),
        (("--ruleset", "chess"), "invalid choice: 'chess'"),
    ],
)
async def test_a_filter_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], words: str
) -> None:
    assert await export(tmp_path, *flags) == 2
    assert words in capsys.readouterr().err


async def test_a_directory_that_cannot_be_written_is_said(
    here: Arena, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert await export(tmp_path / "file" / "out") == 1
    assert capsys.readouterr().err == f"targi: {tmp_path / 'file' / 'out'}: Not a directory\n"


async def test_a_server_that_is_away_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TARGI_SERVER", "127.0.0.1:1")
    assert await export(tmp_path) == 1
    assert "127.0.0.1:1" in capsys.readouterr().err
