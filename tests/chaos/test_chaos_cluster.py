"""Rated play on a Redis Cluster while buckets move between its masters, and while a master is killed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from arena_api import api
from arena_process import Arena, arena, get, pids_with, wait_for
from heard import check_pairs, check_records
from redis_cluster import Cluster, clustered, node_options, slot_of
from redis_server import RedisServer
from targi_server.store.buckets import bucket_of
from wire_fleet import WireFleet, wire_fleet

BOTS = 4
CAPACITY = 6
MASTERS = 3
MOVES = 5
KILLS = 2


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Cluster, Arena, WireFleet]]:
    """Bots that play rated games, on a server with two workers, on a cluster of three masters."""
    with ExitStack() as stack:
        servers = []
        for n in range(MASTERS):
            home = folder / f"redis-{n}"
            home.mkdir()
            servers.append(RedisServer(home, node_options()))
            stack.callback(servers[-1].kill)
            servers[-1].start()
        cluster = stack.enter_context(clustered(servers))
        flags = ("--workers", "2", "--redis", servers[0].url)
        server = stack.enter_context(arena(folder / "data", *flags))
        fleet = stack.enter_context(wire_fleet([[server.address]] * BOTS, folder / "bots", capacity=CAPACITY))
        yield cluster, server, fleet


def finish(server: Arena, fleet: WireFleet) -> None:
    """All ends well: no verdict but by play, and nothing acknowledged is missing."""
    fleet.leave()
    heard = fleet.heard
    with api(server.address) as calls:
        records = check_records(calls, heard)
        check_pairs(calls, records.keys())
    assert len(records) >= BOTS * CAPACITY // 2
    assert heard.lost() == []
    assert not [row for row in heard.of("rejected", "match_started") if row["strikes"]]


def buckets_in_use(fleet: WireFleet) -> list[int]:
    """Buckets of the matches that run."""
    heard = fleet.heard
    return sorted({bucket_of(match) for match in heard.matches if match not in heard.ended})


def move_noticed(cluster: Cluster, slot: int, server: Arena) -> None:
    """Moves a slot to the next master, and not before the server met with keys on both sides."""
    source = cluster.owner(slot)
    target = (source + 1) % MASTERS
    before = server.figure("targi_redis_errors_total", kind="busy")
    cluster.begin_move(slot, source, target)
    cluster.move_keys(slot, source, target, most=1)
    wait_for("word of the move", lambda: server.figure("targi_redis_errors_total", kind="busy") > before)
    cluster.finish_move(slot, source, target)


@pytest.mark.full
def test_buckets_that_move_between_masters_while_matches_run_disturb_nobody(tmp_path: Path) -> None:
    rng = random.Random(1)
    with playing(tmp_path) as (cluster, server, fleet):
        for _ in range(MOVES):
            fleet.play_on(300)
            move_noticed(cluster, slot_of(rng.choice(buckets_in_use(fleet))), server)
        fleet.play_on(300)
        finish(server, fleet)
    assert not pids_with(str(tmp_path)), "no process is left"


@pytest.mark.full
def test_a_master_that_is_killed_and_started_again_loses_nothing_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    with playing(tmp_path) as (cluster, server, fleet):
        ready = f"http://127.0.0.1:{server.http_port}/readyz"
        for n in range(KILLS):
            fleet.play_on(300)
            cluster.servers[n % MASTERS].kill()
            wait_for("word that the store is away", lambda: get(ready) is None)
            cluster.servers[n % MASTERS].start()
        fleet.play_on(300)
        finish(server, fleet)
    assert not pids_with(str(tmp_path)), "no process is left"
