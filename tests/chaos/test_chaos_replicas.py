"""Two servers on one Redis, each a process tree of its own: they die, stand still, go deaf and race."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
from arena_api import api
from arena_process import Arena, arena, pids_with, wait_for
from heard import check_pairs, check_records
from redis_server import RedisServer
from targi.v1 import game_pb2
from targi_engine import Record
from wire_fleet import wire_fleet

CAPACITY = 6
ROUNDS = 2
STILL_S = 8.0
"""How long a server stands still: less than two heartbeats, so its bots stay with it."""
LEAST_OWN_S = 6.0
"""What such a turn would cost if only the 1.8 s were given that may be the server's in any case."""

RESULTS: dict[object, str] = {
    game_pb2.RESULT_SEAT0_WINS: "1-0",
    game_pb2.RESULT_SEAT1_WINS: "0-1",
    game_pb2.RESULT_DRAW: "1/2-1/2",
    game_pb2.RESULT_NO_CONTEST: "*",
}


@contextmanager
def two_servers(folder: Path, *flags: str) -> Iterator[tuple[Arena, Arena, RedisServer]]:
    """Servers on one Redis that syncs each commit."""
    home = folder / "redis"
    home.mkdir()
    redis = RedisServer(home, ("--appendonly", "yes", "--appendfsync", "always"))
    with ExitStack() as stack:
        stack.callback(redis.kill)
        redis.start()
        servers = [
            stack.enter_context(arena(folder / name, "--redis", redis.url, *flags)) for name in ("one", "two")
        ]
        yield servers[0], servers[1], redis


def homes(*servers: Arena) -> list[list[str]]:
    """Two bots for each server, which try the other one if theirs is gone."""
    addresses = [server.address for server in servers]
    return [addresses, addresses[::-1]] * 2


@pytest.mark.full
def test_bots_of_a_server_that_is_killed_go_on_at_another_one_and_lost_news_are_made_up_for(
    tmp_path: Path,
) -> None:
    with (
        two_servers(tmp_path) as (*servers, redis),
        wire_fleet(homes(*servers), tmp_path / "bots", capacity=CAPACITY) as fleet,
        redis.client() as client,
    ):
        for n in range(ROUNDS):
            fleet.play_on(300)
            client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            fleet.play_on(300)
            victim = servers[n % 2]
            victim.kill9("worker")
            victim.kill9("supervisor")
            fleet.play_on(300)
            victim.start()
        fleet.leave()
        heard = fleet.heard
        with api(servers[0].address) as calls:
            records = check_records(calls, heard)
            check_pairs(calls, records.keys())
    assert len(records) >= 2 * CAPACITY
    assert heard.lost() == []
    assert {row["address"] for row in heard.of("cut")} == {server.address for server in servers}
    assert not [row for row in heard.of("rejected", "match_started") if row["strikes"]]
    assert not pids_with(str(tmp_path)), "no process is left"


@pytest.mark.full
def test_nobody_is_charged_while_a_server_stands_still_beside_another_or_redis_does(tmp_path: Path) -> None:
    with (
        two_servers(tmp_path) as (one, two, redis),
        wire_fleet(homes(one, two), tmp_path / "bots", capacity=CAPACITY) as fleet,
    ):
        assert redis.process is not None
        for pid in (one.find("worker").pid, two.find("worker").pid, redis.process.pid):
            fleet.play_on(300)
            os.kill(pid, signal.SIGSTOP)
            try:
                time.sleep(STILL_S)  # nothing is waited for: this is how long it stands still
            finally:
                os.kill(pid, signal.SIGCONT)
        fleet.play_on(300)
        fleet.leave()
        heard = fleet.heard
        with api(one.address) as calls:
            check_records(calls, heard)
    charged = [int(str(row["charged_ms"])) for row in heard.of("applied")]
    assert max(charged) < 1_000 * LEAST_OWN_S
    assert heard.lost() == []


@pytest.mark.full
def test_servers_that_race_for_a_deadline_with_late_answers_give_one_verdict_and_tell_both(
    tmp_path: Path,
) -> None:
    flags = ("--base-ms", "2000", "--increment-ms", "0")
    with (
        two_servers(tmp_path, *flags) as (one, two, _),
        wire_fleet(homes(one, two), tmp_path / "bots", capacity=CAPACITY, think_s=4.0) as fleet,
    ):
        wait_for("ended matches", lambda: len(fleet.heard.ended) >= 2 * CAPACITY, 200)
        fleet.leave()
        heard = fleet.heard
        ends: dict[str, set[tuple[object, object, object]]] = {}
        tellings: set[tuple[object, object]] = set()
        for row in heard.of("match_ended"):
            told = (row["result"], row["termination"], row["culprit"])
            ends.setdefault(str(row["match"]), set()).add(told)
            tellings.add((row["match"], row["bot"]))
        assert {len(told) for told in ends.values()} == {1}
        assert len(tellings) == 2 * len(ends)
        assert any(told[1] == game_pb2.TERMINATION_TIME for each in ends.values() for told in each)
        with api(one.address) as calls:
            for match, (told,) in ends.items():
                text = wait_for(f"the record of {match}", partial(calls.record, match))
                assert Record.parse(text).tags["Result"] == RESULTS[told[0]]
            check_pairs(calls, ends.keys())
        logs = one.log_path.read_text() + two.log_path.read_text()
        assert [logs.count(f"match={match}") for match in ends] == [1] * len(ends), "each is filed once"
