"""The match log on a Redis Cluster: the same interface, whatever moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
import redis
from match_log import digest_of, header, until
from redis_server import RedisServer, free_port
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.metrics import Metrics
from targi_server.store.answers import Append, Committed
from targi_server.store.buckets import BUCKETS, bucket_of
from targi_server.store.bus import MatchNews
from targi_server.store.keys import match_keys
from targi_server.store.matches import MatchStore
from targi_server.store.opening import open_store

SLOTS = 16_384
BUSY = {"kind": "busy"}
ABORTED = Verdict("*", Termination.ABORTED, Culprit.NONE, "by hand")


def slot_of(bucket: int) -> int:
    return 256 * bucket + 128


def ask(node: redis.Redis, *words: object) -> Any:  # the reply has many types
    """Any command."""
    return node.execute_command(*words)  # type: ignore[no-untyped-call]


class Cluster:
    """Three masters with a third of the slots each."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers
        self.nodes = [server.client() for server in servers]
        self.ids = [bytes(ask(node, "CLUSTER", "MYID")).decode() for node in self.nodes]

    def join(self) -> None:
        """Makes a cluster of the servers."""
        bounds = [SLOTS * n // len(self.nodes) for n in range(len(self.nodes) + 1)]
        for node, (first, end) in zip(self.nodes, pairwise(bounds), strict=True):
            ask(node, "CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for server in self.servers[1:]:
            bus = server.options[server.options.index("--cluster-port") + 1]
            ask(self.nodes[0], "CLUSTER", "MEET", "127.0.0.1", server.port, bus)

    def is_ready(self) -> bool:
        """Whether all know of all."""
        return all(
            ask(node, "CLUSTER INFO")["cluster_state"] == "ok"
            and ask(node, "CLUSTER INFO")["cluster_known_nodes"] == str(len(self.nodes))
            for node in self.nodes
        )

    def begin_move(self, slot: int, source: int, target: int) -> None:
        """From here on keys of the slot may be on either side."""
        ask(self.nodes[target], "CLUSTER", "SETSLOT", slot, "IMPORTING", self.ids[source])
        ask(self.nodes[source], "CLUSTER", "SETSLOT", slot, "MIGRATING", self.ids[target])

    def move_keys(self, slot: int, source: int, target: int, *, most: int) -> None:
        """Moves keys of the slot, `most` at most."""
        keys = ask(self.nodes[source], "CLUSTER", "GETKEYSINSLOT", slot, most)
        port = self.servers[target].port
        ask(self.nodes[source], "MIGRATE", "127.0.0.1", port, "", 0, 5_000, "KEYS", *keys)

    def end_move(self, slot: int, target: int) -> None:
        """The slot belongs to its new master."""
        for node in (self.nodes[target], *self.nodes):
            ask(node, "CLUSTER", "SETSLOT", slot, "NODE", self.ids[target])


@pytest.fixture(scope="module")
def cluster(redis_servers: Callable[..., RedisServer]) -> Iterator[Cluster]:
    servers = [
        redis_servers("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--appendonly", "yes")
        for _ in range(3)
    ]
    found = Cluster(servers)
    found.join()
    asyncio.run(until(found.is_ready))
    yield found
    for node in found.nodes:
        node.close()
    for server in servers:
        server.kill()


async def act(store: MatchStore, match: str, ply: int) -> Committed:
    answer = await store.append(
        Append(match, ply, 0, (ply,), digest_of((ply,)), 1, store.now_ms(match), 0, False, next_seat=0)
    )
    assert isinstance(answer, Committed), answer
    return answer


async def one_match_a_bucket(store: MatchStore) -> list[str]:
    """Matches of this test, one in each bucket."""
    found: dict[int, str] = {}
    while len(found) < BUCKETS:
        head = header()
        if bucket_of(head.match_id) not in found:
            assert await store.create(head, seat=0)
            found[bucket_of(head.match_id)] = head.match_id
    return [found[bucket] for bucket in range(BUCKETS)]


async def test_a_cluster_is_recognised_and_every_bucket_works(cluster: Cluster) -> None:
    heard: list[MatchNews] = []
    async with open_store(cluster.servers[1].url, replica="one") as store:
        assert store.found.cluster
        store.bus.subscribe(heard.append)
        matches = await one_match_a_bucket(store.matches)
        await asyncio.gather(*(act(store.matches, match, 0) for match in matches))
        await store.matches.tick()
        await until(lambda: len(heard) == BUCKETS)
        assert {news.match_id for news in heard} == set(matches)
        assert set(await store.matches.running()) >= set(matches)
        for match in matches:
            await store.matches.end(match, ABORTED)
            await store.matches.filed(match, b"record", 100)
    assert [len(node.keys("targi:*:done")) for node in cluster.nodes] == [21, 22, 21]


async def test_matches_on_several_masters_are_read_in_order(cluster: Cluster) -> None:
    async with open_store(cluster.servers[0].url, replica="one") as store:
        matches = await one_match_a_bucket(store.matches)
        stored = await store.matches.load_many(matches)
        assert [found and found.header.match_id for found in stored] == matches


async def test_a_bucket_that_moves_to_another_master_loses_nothing(cluster: Cluster) -> None:
    bucket, source, target = 5, 0, 2
    slot = slot_of(bucket)
    heard: list[MatchNews] = []
    metrics = Metrics()
    async with open_store(cluster.servers[0].url, replica="one", metrics=metrics) as store:
        store.bus.subscribe(heard.append)
        match = (await one_match_a_bucket(store.matches))[bucket]
        stop = asyncio.Event()

        async def play() -> int:
            ply = 0
            while not stop.is_set():
                await act(store.matches, match, ply)
                ply += 1
            return ply

        player = asyncio.create_task(play())
        await until(lambda: len(heard) > 20)
        cluster.begin_move(slot, source, target)
        cluster.move_keys(slot, source, target, most=3)
        await until(lambda: bool(metrics.registry.get_sample_value("targi_redis_errors_total", BUSY)))
        await act_elsewhere(store.matches)
        cluster.move_keys(slot, source, target, most=1_000)
        await act_elsewhere(store.matches)
        cluster.end_move(slot, target)
        told = len(heard)
        await until(lambda: len(heard) > told + 20)
        stop.set()
        plies = await player
        stored = await store.matches.load(match)
        assert stored is not None and [entry.action for entry in stored.entries] == list(range(plies))
    with pytest.raises(redis.ResponseError):  # MOVED
        cluster.nodes[source].get(match_keys(match).head)


async def act_elsewhere(store: MatchStore) -> None:
    """Matches of other buckets go on while one moves."""
    head = header()
    while bucket_of(head.match_id) == 5:
        head = header()
    await store.create(head, seat=0)
    await act(store, head.match_id, 0)
