"""Bots that fail cost their own match, with an explanation, and nothing else."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_arena import FakeArena, welcome
from fake_match import FakeMatch
from targi.v1 import play_pb2 as pb
from targi_engine import Observation
from targi_sdk.client import News, Summary
from targi_sdk.errors import UsageError
from trial_bots import (
    Answers,
    Crash,
    CrashAtStart,
    Dies,
    Exits,
    Farewell,
    First,
    LoudCrash,
    Stuck,
    StuckOrDies,
)

Launch = Callable[..., "asyncio.Task[Summary]"]


def failures(news: list[News]) -> list[News]:
    return [each for each in news if each.kind == "failed"]


async def report_of(arena: FakeArena, match: FakeMatch) -> pb.BotError:
    line = await arena.welcomed()
    await line.say(match.started())
    report = (await line.hear("bot_error")).bot_error
    await line.settle()
    assert line.count("act") == 0
    return report


async def test_a_crash_in_choose_is_shown_with_its_turn_and_traceback(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(Crash)
    match = FakeMatch()
    match.play(match.state.legal_actions()[0])
    match.reply()
    report = await report_of(arena, match)
    assert (report.match_id, report.ply) == (match.match_id, match.state.ply)
    (shown,) = failures(news)
    assert shown.words == "`choose` raised KeyError: 'nothing'"
    for part in ("legal: @5 ", 'self.plan(turn)["nothing"]', "trial_bots.py", "the match so far: @"):
        assert part in shown.details
    assert "seat.py" not in shown.details
    assert shown.details in report.text


async def test_the_shown_observation_can_be_pasted_back(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(Crash)
    match = FakeMatch()
    await report_of(arena, match)
    (shown,) = failures(news)
    (line,) = [each for each in shown.details.splitlines() if each.startswith("turn.observation = ")]
    pasted = eval(line.removeprefix("turn.observation = "), {"Observation": Observation, "bytes": bytes})
    assert pasted == match.state.observation(0)


async def test_a_long_text_is_cut_to_what_the_service_takes(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(LoudCrash)
    report = await report_of(arena, FakeMatch())
    assert 3_000 < len(report.text.encode()) <= 4_096
    assert "[...]" in report.text
    assert len(failures(news)[0].details) > 20_000


@pytest.mark.parametrize("workers", [0, 1])
async def test_a_bot_that_does_not_start_is_reported_before_its_first_turn(
    arena: FakeArena, launch: Launch, workers: int
) -> None:
    launch(CrashAtStart, workers=workers)
    match = FakeMatch()
    match.play(match.state.legal_actions()[0])
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    report = (await line.hear("bot_error")).bot_error
    await line.settle()
    assert report.text.startswith("the bot does not start: OSError: no weights to load")
    assert (report.ply, line.count("bot_error")) == (match.state.ply, 1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "`choose` returned None (NoneType)"),
        (True, "`choose` returned True (bool)"),
        (1.0, "`choose` returned 1.0 (float)"),
        ("fly", "`choose` returned the text 'fly', which is no action"),
        ("end", "action 51 (end) is not legal at this 'place' decision; legal are 1 (@2)"),
        (9_999, "action 9999 (there is none of that number) is not legal"),
        ([0], "`choose` returned [0] (list)"),
    ],
)
async def test_what_is_no_legal_action_is_explained_and_never_sent(
    arena: FakeArena, launch: Launch, monkeypatch: pytest.MonkeyPatch, answer: object, words: str
) -> None:
    monkeypatch.setattr(Answers, "answer", answer)
    launch(Answers)
    report = await report_of(arena, FakeMatch())
    assert words in report.text


@pytest.mark.parametrize("workers", [0, 1])
async def test_sys_exit_in_choose_ends_that_match_only(
    arena: FakeArena, launch: Launch, workers: int
) -> None:
    client = launch(Exits, workers=workers)
    report = await report_of(arena, FakeMatch())
    assert report.text.startswith("`choose` raised SystemExit: 3")
    assert not client.done()


async def test_a_failed_match_is_reported_again_after_a_reconnect_and_not_played(
    arena: FakeArena, launch: Launch
) -> None:
    launch(Crash)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    report = (await line.hear("bot_error")).bot_error
    line.end()
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    assert (await line.hear("bot_error")).bot_error == report
    await line.say(match.ended("0-1", "bot_error", "0"))
    await line.settle()
    assert line.count("bot_error") == 1


@pytest.mark.parametrize("view", [None, b"", b"\x63"])
async def test_a_turn_that_cannot_be_read_is_reported(
    arena: FakeArena, launch: Launch, view: bytes | None
) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch()
    message = match.started()
    message.match_started.view.Clear()
    if view is not None:
        message.match_started.view.compact = view
    await line.say(message)
    assert "the turn cannot be read" in (await line.hear("bot_error")).bot_error.text


async def test_a_slow_match_starves_neither_the_others_nor_the_connection(
    arena: FakeArena, launch: Launch
) -> None:
    launch(Stuck, capacity=2, workers=1)
    line = await arena.line()
    await line.hear("hello")
    slow, quick = FakeMatch("a" * 16), FakeMatch("b" * 16)
    await line.say(welcome(heartbeat_ms=2_000), slow.started(), quick.started())
    for _ in range(5):
        act = (await line.hear("act")).act
        assert act.match_id == quick.match_id
        await line.settle()
        await line.say(*quick.answer(act))
    await line.hear("ping")


async def test_a_process_that_dies_costs_the_match_that_was_thinking(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(Dies, capacity=2, workers=1)
    line = await arena.welcomed()
    safe, dead = FakeMatch("b" * 16), FakeMatch("a" * 16)
    await line.say(safe.started())
    act = (await line.hear("act")).act
    await line.say(dead.started())
    report = (await line.hear("bot_error")).bot_error
    assert report.match_id == dead.match_id
    assert "exit code 9" in report.text
    await line.say(*safe.answer(act))
    assert (await line.hear("act")).act.match_id == safe.match_id
    assert len(failures(news)) == 1


async def test_of_several_that_were_thinking_the_one_that_dies_twice_is_to_blame(
    arena: FakeArena, launch: Launch
) -> None:
    launch(StuckOrDies, capacity=2, workers=1)
    line = await arena.welcomed()
    patient, dead = FakeMatch("b" * 16), FakeMatch("a" * 16)
    await line.say(patient.started())
    await line.settle()
    await line.say(dead.started())
    assert (await line.hear("bot_error")).bot_error.match_id == dead.match_id
    await line.settle()
    assert line.count("bot_error") == 1


async def test_a_bot_that_no_worker_can_import_stops_the_start(launch: Launch) -> None:
    class Local(First):
        pass

    with pytest.raises(UsageError, match=r"Local.* a module or file of its own"):
        await launch(Local, workers=1)


async def test_a_bot_that_fails_to_import_in_the_worker_stops_the_start(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "only_here", types.ModuleType("only_here"))
    bot = type("Ghost", (First,), {"__module__": "only_here"})
    monkeypatch.setattr(sys.modules["only_here"], "Ghost", bot, raising=False)
    with pytest.raises(UsageError, match=r"could not load the bot \(exit code 1; its message is above\)"):
        await launch(bot, workers=1)
    assert "No module named 'only_here'" in capfd.readouterr().err


async def test_the_bot_can_finish_what_it_does_after_its_last_match(
    arena: FakeArena, launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TARGI_TEST_FAREWELL", str(tmp_path / "farewell"))
    client = launch(Farewell, games=1, workers=1)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("act")
    await line.say(match.ended("1-0", "resigned", "1"))
    line.end()
    await client
    assert (tmp_path / "farewell").read_text(encoding="utf-8") == f"{match.match_id} 1-0"
