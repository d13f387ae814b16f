"""Group commit: everybody gets their own reply, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from match_log import digest_of, header, until
from redis_server import RedisServer
from targi_server.errors import ServerError, Unavailable
from targi_server.metrics import Metrics
from targi_server.start_errors import RedisFailed
from targi_server.store.answers import Append, Committed
from targi_server.store.keys import area_key
from targi_server.store.matches import MatchStore
from targi_server.store.opening import Store, open_store
from targi_server.store.replies import number, text
from targi_server.store.scripts import LUA

KILLS = 3
MATCHES = 12


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    async with open_store(redis_url, replica="one") as found:
        yield found


def key(name: object) -> str:
    return area_key("test", str(name), "value")


async def test_commands_of_one_loop_turn_go_together_and_each_gets_its_reply(redis_url: str) -> None:
    metrics = Metrics()
    async with open_store(redis_url, replica="one", metrics=metrics) as store:
        before = batches(metrics)
        await asyncio.gather(*(store.commands.command("SET", key(n), n) for n in range(100)))
        replies = await asyncio.gather(*(store.commands.command("GET", key(n)) for n in range(100)))
        assert [number(reply) for reply in replies] == list(range(100))
        assert batches(metrics) - before <= 4


def batches(metrics: Metrics) -> float:
    value = metrics.registry.get_sample_value("targi_commit_batch_size_count")
    assert value is not None
    return value


async def test_several_commands_come_back_in_order(store: Store) -> None:
    wires = [("SET", key(n), n) for n in range(5)] + [("GET", key(n)) for n in range(5)]
    replies = await store.commands.commands(wires)
    assert [text(reply) for reply in replies[:5]] == ["OK"] * 5
    assert [number(reply) for reply in replies[5:]] == list(range(5))


@pytest.mark.parametrize("seed", range(8))
async def test_callers_that_are_cancelled_at_random_shift_nobodys_reply(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    for n in range(60):
        await store.commands.command("SET", key(n), n)

    async def ask(n: int) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
            assert number(await store.commands.command("GET", key(n))) == n

    tasks = [asyncio.create_task(ask(n)) for n in range(60)]
    doomed = chance.sample(tasks, 30)
    for task in doomed:
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    failures = [result for result in results if isinstance(result, Exception)]
    assert failures == []
    assert [results[tasks.index(task)] for task in tasks if task not in doomed] == [None] * 30


async def test_a_command_that_redis_refuses_fails_alone(store: Store) -> None:
    await store.commands.command("SET", key("word"), "no number")
    good = asyncio.create_task(store.commands.command("GET", key("word")))
    with pytest.raises(ServerError, match="Redis refused") as caught:
        await store.commands.command("LPUSH", key("word"), 1)
    assert caught.value.reason == "INTERNAL"
    assert text(await good) == "no number"


async def test_forgotten_scripts_are_loaded_again(store: Store, shared_redis: RedisServer) -> None:
    with shared_redis.client() as client:
        client.function_flush()
    assert await store.matches.create(header(), seat=0)


async def test_servers_of_two_versions_share_a_redis(frail_redis: RedisServer) -> None:
    clock = (LUA / "parts" / "clock.lua").read_text() + "-- of a later version\n"
    async with (
        open_store(frail_redis.url, replica="one") as old,
        open_store(frail_redis.url, replica="two", clock=clock) as new,
    ):
        for store in (old, new):
            assert await store.matches.create(header(), seat=0)


async def test_a_start_takes_scripts_of_other_versions_away(frail_redis: RedisServer) -> None:
    other = "#!lua name={}\nredis.register_function('{}', function() return 1 end)"
    with frail_redis.client() as client:
        for name in ("targi_0123456789abcdef", "elsewhere"):
            client.function_load(other.format(name, name))
        async with open_store(frail_redis.url, replica="one"):
            names = {bytes(found[1]).decode() for found in client.function_list()}
    assert "elsewhere" in names and "targi_0123456789abcdef" not in names
    assert len(names) == 2


async def test_a_store_that_closes_tells_those_who_still_wait(frail_redis: RedisServer) -> None:
    async with open_store(frail_redis.url, replica="one") as store:
        frail_redis.kill()
        waiting = asyncio.create_task(store.commands.command("GET", key("x")))
        await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await waiting
    with pytest.raises(Unavailable):
        await store.commands.command("GET", key("x"))


async def test_callers_wait_while_redis_is_away_and_go_on_when_it_is_back(frail_redis: RedisServer) -> None:
    metrics = Metrics()
    async with open_store(frail_redis.url, replica="one", metrics=metrics) as store:
        frail_redis.kill()
        waiting = [asyncio.create_task(store.commands.command("SET", key(n), n)) for n in range(10)]
        await until(
            lambda: bool(metrics.registry.get_sample_value("targi_redis_errors_total", {"kind": "lost"}))
        )
        assert not any(task.done() for task in waiting)
        frail_redis.start()
        assert [text(reply) for reply in await asyncio.gather(*waiting)] == ["OK"] * 10


async def test_callers_are_told_when_redis_stays_away(frail_redis: RedisServer) -> None:
    async with open_store(frail_redis.url, replica="one", patience_ms=200) as store:
        frail_redis.kill()
        results = await asyncio.gather(
            *(store.commands.command("GET", key(n)) for n in range(3)), return_exceptions=True
        )
        assert all(isinstance(result, Unavailable) for result in results)
        frail_redis.start()
        assert await store.commands.command("GET", key(1)) is None


async def test_a_master_that_becomes_a_replica_is_waited_for(frail_redis: RedisServer) -> None:
    metrics = Metrics()
    async with open_store(frail_redis.url, replica="one", metrics=metrics) as store:
        with frail_redis.client() as client:
            client.execute_command("REPLICAOF", "127.0.0.1", "1")
            waiting = asyncio.create_task(store.matches.create(header(), seat=0))
            await until(
                lambda: bool(metrics.registry.get_sample_value("targi_redis_errors_total", {"kind": "busy"}))
            )
            client.execute_command("REPLICAOF", "NO", "ONE")
        assert await waiting


async def test_commits_wait_for_as_many_replicas_as_are_asked_for(
    redis_servers: Callable[..., RedisServer], frail_redis: RedisServer
) -> None:
    follower = redis_servers("--replicaof", "127.0.0.1", str(frail_redis.port))
    with frail_redis.client() as client:
        await until(lambda: client.info("replication")["slave0"]["state"] == "online")
    async with open_store(frail_redis.url, replica="one", replicas_ack=1) as store:
        head = header()
        assert await store.matches.create(head, seat=0)
        with follower.client() as client:
            assert client.keys(f"*{head.match_id}:live")
    follower.kill()


async def test_a_commit_that_no_replica_has_is_not_acknowledged(frail_redis: RedisServer) -> None:
    with pytest.raises(RedisFailed, match="0 of 1 replicas"):
        async with open_store(frail_redis.url, replica="one", replicas_ack=1, patience_ms=100):
            raise AssertionError("the first tick was acknowledged")


@asynccontextmanager
async def ticking(matches: MatchStore) -> AsyncIterator[None]:
    """A replica's tick of each second; here as often as it can."""

    async def tick() -> None:
        while True:
            await matches.tick()
            await asyncio.sleep(0.2)

    task = asyncio.create_task(tick())
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def play_on(store: MatchStore, told: dict[str, list[tuple[int, ...]]], stop: asyncio.Event) -> None:
    """Plays one match, and writes down what was acknowledged."""
    head = header()
    assert await store.create(head, seat=0)
    mine = told.setdefault(head.match_id, [])
    ply, chance = 0, random.Random(head.match_id)
    while not stop.is_set():
        seat = len(mine) % 2
        actions = tuple(chance.randrange(500) for _ in range(chance.randint(1, 3)))
        digest, arrived_ms = digest_of(actions), store.now_ms(head.match_id)
        request = Append(
            head.match_id, ply, seat, actions, digest, len(actions), arrived_ms, 0, True, next_seat=1 - seat
        )
        answer = await store.append(request)
        assert isinstance(answer, Committed) and answer.ply == ply, answer
        assert tuple(entry.action for entry in answer.entries) == actions
        ply += len(actions)
        mine.append(actions)


async def test_nothing_acknowledged_is_lost_or_doubled_when_redis_is_killed_in_the_middle(
    durable_redis: RedisServer,
) -> None:
    told: dict[str, list[tuple[int, ...]]] = {}
    stop = asyncio.Event()

    async def more() -> None:
        goal = sum(map(len, told.values())) + 300
        await until(lambda: sum(map(len, told.values())) >= goal)

    async with open_store(durable_redis.url, replica="one") as store, ticking(store.matches):
        players = [asyncio.create_task(play_on(store.matches, told, stop)) for _ in range(MATCHES)]
        for _ in range(KILLS):
            await more()
            durable_redis.kill()
            durable_redis.start()
        await more()
        stop.set()
        await asyncio.gather(*players)
        for match, answers in told.items():
            stored = await store.matches.load(match)
            assert stored is not None
            logged = [entry.action for entry in stored.entries]
            assert logged == [action for actions in answers for action in actions]
