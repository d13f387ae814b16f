"""`targi match` and `targi watch` against a real server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from play_client import Arena, arena
from targi.v1 import play_pb2
from targi_sdk.cli import main
from targi_sdk.credentials import Credentials
from targi_server.lobby.terms import Times


@pytest.fixture
async def here(redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Arena]:
    async with arena(redis_url) as found:
        monkeypatch.setenv("TARGI_SERVER", address(found))
        monkeypatch.setenv("TARGI_HOME", str(tmp_path))
        monkeypatch.delenv("TARGI_TOKEN", raising=False)
        yield found


def address(here: Arena) -> str:
    return f"127.0.0.1:{here.service.port}"


async def targi(*arguments: str) -> int:
    """Run a command in a thread of its own; the server is in this one."""
    return await asyncio.to_thread(main, arguments)


async def test_explain_begins_with_the_verdict_and_shows_the_evidence(
    here: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    duel = await here.duel(times=Times(2_000, 0, 60_000))
    await duel.move()
    seat = duel.state.current_seat
    await duel.mover.act(duel.match_id, 1, "nonsense")
    await duel.waiter.next("match_ended")
    assert await targi("match", "explain", duel.match_id) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"{('bot-one', 'bot-two')[seat]} (seat {seat}) lost: its clock ran out;"
        " that was its own time, not the server's."
    )
    assert "bot-one 1.0 against bot-two 1.0" in lines[1]
    course = "\n".join(lines[lines.index("What happened") :])
    assert "strike 1 for 'nonsense'" in course
    assert f"seat {seat} was to move with 2.000 s on its clock" in course


async def test_explain_as_json_holds_the_whole_course(
    here: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    duel = await here.duel()
    told, _ = await duel.play_out()
    assert await targi("match", "explain", duel.match_id, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["blamed"] == "nobody"
    assert document["match"]["ending"]["scores"] == list(told.outcome.scores)
    actions = [row for row in document["timeline"] if row["action"]]
    assert len(actions) == document["match"]["ply"] == duel.state.ply
    for row in actions:
        assert row["asked_unix_ms"] <= row["answered_unix_ms"] + 50  # it is all one machine's clock
        assert row["answered_unix_ms"] <= row["committed_unix_ms"]
    spent = document["time_spent"]
    assert sum(each["answers"] for each in spent) == len(actions)


@pytest.mark.parametrize(("flags", "shown"), [((), 12), (("--all",), None)])
async def test_explain_shows_the_last_actions_or_all(
    here: Arena, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], shown: int | None
) -> None:
    duel = await here.duel()
    await duel.play_out()
    assert await targi("match", "explain", duel.match_id, *flags) == 0
    course = capsys.readouterr().out.partition("What happened\n")[2]
    rows = [line for line in course.splitlines() if re.match(r"\d+\.\d{3} +\d+ +[01] ", line)]
    assert len(rows) == (shown or duel.state.ply)


async def test_what_a_bot_reported_is_shown_to_whoever_keeps_its_owners_token(
    here: Arena, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    duel = await here.duel()
    error = play_pb2.BotError(match_id=duel.match_id, ply=0, text="ZeroDivisionError: in choose")
    await duel.clients[0].send(bot_error=error)
    await duel.clients[1].next("match_ended")
    assert await targi("match", "explain", duel.match_id) == 0
    assert "ZeroDivisionError" not in capsys.readouterr().out
    kept = Credentials(tmp_path / "credentials.json")
    kept.save_owner(address(here), "owner-of-bot-one", here.tokens["owner-of-bot-one"])
    assert await targi("match", "explain", duel.match_id) == 0
    out = capsys.readouterr().out
    assert out.startswith("bot-one (seat 0) lost: its own code failed")
    assert "ZeroDivisionError: in choose" in out


async def test_explain_of_no_match_fails_with_words(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    assert await targi("match", "explain", "0" * 16) == 1
    assert "there is no match" in capsys.readouterr().err


async def test_list_shows_running_and_ended_matches(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    over, running = await here.duel(), await here.duel("bot-three", "bot-four")
    await over.clients[0].send(resign=play_pb2.Resign(match_id=over.match_id))
    await here.filed(over.match_id)
    assert await targi("match", "list") == 0
    _, first, second = capsys.readouterr().out.splitlines()
    assert first.split()[:3] == [running.match_id, "bot-three", "bot-four"] and "running" in first
    assert second.split()[:3] == [over.match_id, "bot-one", "bot-two"] and "resigned" in second
    for flags, wanted in (
        (("--state", "running"), [running.match_id]),
        (("--state", "ended"), [over.match_id]),
        (("--bot", "bot-two"), [over.match_id]),
        (("--limit", "1"), [running.match_id]),
    ):
        assert await targi("match", "list", "--json", *flags) == 0
        assert [row["match_id"] for row in json.loads(capsys.readouterr().out)] == wanted


async def test_watch_prints_a_line_an_answer_and_the_verdict_last(
    here: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    duel = await here.duel()
    for _ in range(3):
        await duel.move()
    watching = asyncio.create_task(targi("watch", duel.match_id, "--from", "1"))
    await duel.play_out()
    assert await watching == 0
    first, *plays, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{duel.match_id} (base, ") and first.endswith("from ply 1")
    assert [int(line.split()[0]) for line in plays] == list(range(1, duel.state.ply))
    assert last.startswith("The game was played to its end")


async def test_watch_as_json_is_one_object_a_line(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    duel = await here.duel()
    await duel.play_out()
    assert await targi("watch", duel.match_id, "--json") == 0
    lines: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [line["event"] for line in lines]
    assert (kinds[0], kinds[-1], set(kinds[1:-1])) == ("match", "ended", {"played"})
    assert lines[-1]["scores"] == list(duel.state.scores())


async def test_watch_of_no_match_fails_with_words(here: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    assert await targi("watch", "0" * 16) == 1
    assert "there is no match" in capsys.readouterr().err
