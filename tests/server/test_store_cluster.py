"""The match log on a Redis Cluster: the same interface, whatever moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
import redis
from match_log import digest_of, header, until
from redis_cluster import Cluster, clustered, node_options, slot_of
from redis_server import RedisServer
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.metrics import Metrics
from targi_server.store.answers import Append, Committed
from targi_server.store.buckets import BUCKETS, bucket_of
from targi_server.store.bus import MatchNews
from targi_server.store.keys import match_keys
from targi_server.store.matches import MatchStore
from targi_server.store.opening import open_store

BUSY = {"kind": "busy"}
ABORTED = Verdict("*", Termination.ABORTED, Culprit.NONE, "by hand")


@pytest.fixture(scope="module")
def cluster(redis_servers: Callable[..., RedisServer]) -> Iterator[Cluster]:
    with clustered([redis_servers(*node_options()) for _ in range(3)]) as found:
        yield found


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
