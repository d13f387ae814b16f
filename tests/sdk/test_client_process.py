"""The process of `targi bot run`: signals, exit codes, and nothing that outlives it."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import psutil
import pytest
from fake_arena import PATIENCE_S, FakeArena
from fake_match import FakeMatch


@asynccontextmanager
async def bot_process(arena: FakeArena, tmp_path: Path, bot: str = "First") -> AsyncIterator[Process]:
    """`targi bot run` as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "targi_sdk.cli", "bot", "run", f"trial_bots:{bot}"),
        *("--server", arena.address, "--name", "trial"),
        cwd=Path(__file__).parents[1] / "support",
        env={"TARGI_HOME": str(tmp_path), "TARGI_TOKEN": "secret"},
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(process: Process) -> tuple[int | None, str, str]:
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, out.decode(), err.decode()


async def test_the_command_ends_with_75_when_replaced(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.welcomed()
        line.end(grpc.StatusCode.ABORTED, "REPLACED", "a newer session took over")
        code, _, err = await ended(process)
    assert code == 75
    assert "another process plays this bot now" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_one_signal_leaves_and_finishes_what_runs(
    arena: FakeArena, tmp_path: Path, number: signal.Signals
) -> None:
    async with bot_process(arena, tmp_path) as process:
        line, match = await arena.welcomed(), FakeMatch()
        await line.say(match.started())
        act = (await line.hear("act")).act
        process.send_signal(number)
        await line.hear("leave")
        await line.say(*match.answer(act))
        await line.hear("act")
        await line.say(match.ended("1-0", "resigned", "1"))
        line.end()
        code, out, err = await ended(process)
    assert code == 0
    assert out == "1 match: 1 won, 0 drawn, 0 lost, 0 void\n"
    assert "leaving after 1 running matches" in err


async def test_a_second_signal_stops_at_once(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.welcomed()
        await line.say(FakeMatch().started())
        await line.hear("act")
        process.send_signal(signal.SIGINT)
        await line.hear("leave")
        process.send_signal(signal.SIGINT)
        code, _, err = await ended(process)
    assert code == 130
    assert "Traceback" not in err


async def test_no_worker_outlives_a_client_that_is_killed(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path, "Stuck") as process:
        line = await arena.welcomed()
        await line.say(FakeMatch("a" * 16).started())
        await line.settle()
        workers = psutil.Process(process.pid).children(recursive=True)
        assert workers
        process.kill()
        await process.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, workers, PATIENCE_S)
    assert not alive


async def test_the_command_says_in_one_line_what_is_wrong_with_the_token(
    arena: FakeArena, tmp_path: Path
) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.line()
        line.end(grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN", "nobody has this token")
        code, _, err = await ended(process)
    assert code == 1
    assert err == f"targi: {arena.address} does not accept the token: nobody has this token\n"
