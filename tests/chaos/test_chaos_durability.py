"""What an acknowledgement is worth when Redis is killed under load, for each `--durability`.

kill -9 leaves what Redis wrote in the page cache of the system. What a machine without power would lose is
simulated: while Redis is down its append-only file is cut back to what was synced (`power.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from arena_api import api
from arena_process import Arena, arena, pids_with, wait_for
from bot_process import CHRONICLER, chronicle, running_bots
from heard import Heard, check_records
from power import cut_power
from targi.v1 import reason_pb2
from targi_engine import Record, verify
from wire_fleet import WireFleet, wire_fleet

BOTS = 4
CAPACITY = 10
MATCHES = BOTS * CAPACITY // 2
KILLS = 4
PROMISE_S = 2.0
"""What `everysec` may lose."""
TOLD = 60
"""Acknowledgements that bots hear between a sync and the cut: well within the second of `everysec`."""
SLACK_S = 1.0
"""A bot on a busy machine may write down later when it had an acknowledgement; the kill is noted at once."""


def kill_redis(server: Arena) -> float:
    """kill -9 and a new one by the supervisor; the moment of the kill."""
    at = time.time()
    server.kill9("redis")
    wait_for("a new Redis", lambda: server.find_all("redis"))
    server.wait_ready()
    return at


def lose_power(server: Arena, play: Callable[[], None]) -> float:
    """The power is cut while bots play, and comes back; the moment of the cut."""
    at = cut_power(server, play)
    wait_for("a new Redis", lambda: server.find_all("redis"))
    server.wait_ready()
    return at


def break_store(server: Arena, fleet: WireFleet) -> list[float]:
    """Redis is killed and loses its power in turn, under load; the moments."""
    moments = []
    for _ in range(KILLS // 2):
        fleet.play_on(1_500)
        moments.append(kill_redis(server))
        fleet.play_on(1_500)
        moments.append(lose_power(server, lambda: fleet.play_on(TOLD)))
    fleet.play_on(500)
    return moments


def nobody_was_accused(heard: Heard) -> None:
    """No strike, and no offer that a bot did not take."""
    refused = heard.of("rejected")
    assert not [row for row in refused if row["reason"] == reason_pb2.REASON_ILLEGAL or row["strikes"]]
    assert not [row for row in heard.of("match_started") if row["strikes"]]
    assert not [row for row in heard.of("offer_lapsed") if row["own_fault"]]


@pytest.mark.full
def test_with_always_nothing_acknowledged_is_lost_when_redis_or_its_machine_dies_under_load(
    tmp_path: Path,
) -> None:
    """The test of `everysec` below is its control: by the same cuts acknowledged actions are lost there."""
    with (
        arena(tmp_path / "data", "--workers", "2", "--durability", "always") as server,
        wire_fleet([[server.address]] * BOTS, tmp_path / "bots", capacity=CAPACITY) as fleet,
    ):
        break_store(server, fleet)
        fleet.leave()
        heard = fleet.heard
        assert heard.lost() == []
        with api(server.address) as calls:
            records = check_records(calls, heard)
    assert len(records) >= MATCHES
    nobody_was_accused(heard)
    assert not pids_with(str(tmp_path)), "no process is left"


@pytest.mark.full
def test_with_everysec_at_most_two_seconds_are_taken_back_openly_and_nobody_is_accused(
    tmp_path: Path,
) -> None:
    with (
        arena(tmp_path / "data", "--workers", "2", "--durability", "everysec") as server,
        wire_fleet([[server.address]] * BOTS, tmp_path / "bots", capacity=CAPACITY) as fleet,
    ):
        cuts = break_store(server, fleet)
        fleet.leave()
        heard = fleet.heard
        with api(server.address) as calls:
            records = check_records(calls, heard)
    lost = heard.lost()
    assert len(records) >= MATCHES
    assert len({act.match for act in lost}) >= 2, "too little was lost to prove anything"
    late = [
        act for act in lost if not any(cut - PROMISE_S - SLACK_S < act.at < cut + SLACK_S for cut in cuts)
    ]
    assert not late, late
    nobody_was_accused(heard)
    assert not pids_with(str(tmp_path)), "no process is left"


def wait_for_choices(folder: Path, more: int) -> None:
    """Until chroniclers wrote down that many further lines."""
    goal = len(chronicle(folder)) + more
    wait_for(f"{goal} lines", lambda: len(chronicle(folder)) >= goal, 200)


@pytest.mark.full
def test_bots_of_the_sdk_go_back_with_the_log_and_play_on(tmp_path: Path) -> None:
    folder = tmp_path / "chronicle"
    folder.mkdir()
    specs = [(CHRONICLER, "chronicler-one"), (CHRONICLER, "chronicler-two")]
    flags, env = ("--capacity", str(CAPACITY)), {"CHRONICLE": str(folder)}
    with (
        arena(tmp_path / "data", "--durability", "everysec", "--increment-ms", "2000") as server,
        running_bots(server.address, specs, tmp_path, *flags, env=env) as bots,
    ):
        for _ in range(2):
            wait_for_choices(folder, 600)
            lose_power(server, lambda: wait_for_choices(folder, TOLD))
        wait_for_choices(folder, 600)
        for bot in bots:
            assert bot.process.poll() is None, bot.words
            bot.process.terminate()
        wait_for("the bots to leave", lambda: all(bot.process.poll() is not None for bot in bots), 300)
        rows = chronicle(folder)
        last = {(row["match"], row["seat"]): row for row in rows if row["what"] == "end"}
        with api(server.address) as calls:
            for match in {str(row["match"]) for row in rows}:
                record = Record.parse(wait_for(f"the record of {match}", partial(calls.record, match)))
                verify(record)
                ends = [last[match, seat] for seat in (0, 1)]
                assert {(end["result"], end["cause"]) for end in ends} == {(record.tags["Result"], "normal")}
        assert not [bot.words for bot in bots if "illegal" in bot.words]
        assert "the log is behind what was played" in server.log_path.read_text()
