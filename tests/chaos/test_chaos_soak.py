"""The soak of the service: its plan, its tools, and a short run."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import chaos
import psutil
import pytest
from arena_process import pids_with, wait_for
from canary import starving
from faults import FAULTS
from leg import Outcome
from plan import KINDS, Shape, plan
from tcp_proxy import proxy
from venue import skewed

SHAPE = Shape(workers=2, supervisors=1, bots=6)
CLOCKS = """
import os, pathlib, time
pathlib.Path(os.environ["CHAOS_SKEW"], str(os.getpid())).write_text("-3600")
print(time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_REALTIME))
"""


def test_a_seed_gives_one_plan() -> None:
    assert plan(7, 300, SHAPE) == plan(7, 300, SHAPE) != plan(8, 300, SHAPE)


def test_a_long_plan_has_each_kind_of_fault_many_times() -> None:
    counts = Counter(fault.kind for fault in plan(7, 1800, SHAPE))
    assert counts.keys() == KINDS.keys() == FAULTS.keys()
    assert min(counts.values()) >= 5


@pytest.mark.parametrize("role", ["worker", "supervisor", "redis"])
def test_no_child_is_killed_so_often_that_the_arena_gives_up(role: str) -> None:
    for seed in range(20):
        kills = [f for f in plan(seed, 600, SHAPE) if f.kind == f"{role}-kill"]
        for target in range(SHAPE.count(role)):
            times = [fault.at_s for fault in kills if fault.target == target]
            assert all(later - first > 60 for first, later in zip(times, times[4:], strict=False))


def test_the_clocks_of_a_skewed_process_are_wrong(tmp_path: Path) -> None:
    env = {**os.environ, **skewed(tmp_path)}
    printed = subprocess.run(
        [sys.executable, "-c", CLOCKS], env=env, capture_output=True, text=True, check=True
    )
    wall, monotonic, right = map(float, printed.stdout.split())
    assert wall - right == pytest.approx(-3600, abs=60)
    assert abs(monotonic - time.monotonic()) > 60
    assert right == pytest.approx(time.time(), abs=60)


SPIN = "while True: pass"
SLEEP = "import time; time.sleep(600)"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not tell who waits")
def test_a_process_that_waits_for_a_processor_starves_and_one_that_sleeps_does_not() -> None:
    only = {min(os.sched_getaffinity(0))}
    with ExitStack() as stack:
        pids = []
        for program in (SPIN, SPIN, SPIN, SLEEP):
            process = subprocess.Popen([sys.executable, "-c", program])
            stack.callback(process.wait)
            stack.callback(process.kill)
            os.sched_setaffinity(process.pid, only)
            pids.append(process.pid)
        wait_for("the last one to sleep", lambda: psutil.Process(pids[-1]).status() == psutil.STATUS_SLEEPING)
        with starving(lambda: pids[-1:]) as idle, starving(lambda: pids[:1]) as hungry:
            wait_for("a starving process", lambda: hungry)
    assert not idle


async def echoed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers each piece with the same."""
    while piece := await reader.read(100):
        writer.write(piece)
    writer.close()


async def test_a_proxy_loses_delays_and_cuts() -> None:
    async with await asyncio.start_server(echoed, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with proxy(port) as between:
            reader, writer = await asyncio.open_connection("127.0.0.1", between.port)

            async def says(text: bytes) -> bytes:
                writer.write(text)
                return await asyncio.wait_for(reader.read(100), 10)

            assert await says(b"one") == b"one"
            (link,) = between.links
            link.up.delay_s = link.down.delay_s = 0.05
            begun = time.monotonic()
            assert await says(b"two") == b"two"
            assert time.monotonic() - begun >= 0.1
            link.down.stalled = True
            writer.write(b"three")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(100), 0.3)
            link.down.stalled = False
            assert await asyncio.wait_for(reader.read(100), 10) == b"three"
            between.swallow("up")
            writer.write(b"four")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(100), 0.3)
            between.cut()
            with suppress(ConnectionResetError):
                assert await asyncio.wait_for(reader.read(100), 10) == b""
            writer.close()


FIVE = Counter(dict.fromkeys(KINDS, 5))
ENOUGH = Outcome(games=3_000, planned=FIVE, faults=FIVE)
"""Just what half an hour must come to."""


def test_a_run_with_too_few_games_or_faults_of_a_kind_proves_nothing() -> None:
    assert list(chaos.shortfalls(30, ENOUGH)) == []
    (words,) = chaos.shortfalls(30, replace(ENOUGH, games=2_999))
    assert words == "2,999 games were played, 3,000 are needed for 30 minutes"
    (words,) = chaos.shortfalls(30, replace(ENOUGH, faults=Counter({**FIVE, "cut": 3})))
    assert words == "cut was done 3 times of 5 that were planned, 4 are needed"
    none = Counter({**FIVE, "skew": 0})
    (words,) = chaos.shortfalls(30, replace(ENOUGH, planned=none, faults=none))
    assert words == "skew was done 0 times of 0 that were planned, 3 are needed"


def broken_off(*arguments: object, **further: object) -> None:
    raise KeyboardInterrupt


def test_the_last_line_is_a_summary_also_of_a_run_that_was_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["chaos.py", "--minutes", "2", "--seed", "9"])
    monkeypatch.setattr(chaos, "chaos", broken_off)
    assert chaos.main() == 1
    *_, stopped, games, notes, last = capsys.readouterr().out.splitlines()
    assert stopped == "the run was stopped before its end"
    assert games == "0 games were played, 200 are needed for 2 minutes"
    assert notes.startswith("notes and logs: ")
    assert last.startswith("soak: seed 9, 2.0 min, 0 games") and last.endswith("2 violations")
    shutil.rmtree(notes.partition(": ")[2])


@pytest.mark.full
def test_nothing_that_is_done_breaks_an_invariant(tmp_path: Path) -> None:
    outcome = Outcome()
    chaos.chaos(1.6, 7, tmp_path, outcome, legs=2)
    assert not outcome.violations, "\n".join(outcome.violations)
    assert not list(chaos.shortfalls(1.6, outcome))
    assert outcome.endings["normal"] > outcome.games / 2
    assert outcome.faults.total() >= 10
    assert not pids_with(str(tmp_path))
