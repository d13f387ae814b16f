"""News reach all replicas; what is lost, is lost quietly."""

from __future__ import annotations

import asyncio

import redis.asyncio
from match_log import MatchLog, digest_of, header, until
from redis_server import RedisServer
from targi_server.match.model import OVER, Culprit, Termination, Verdict
from targi_server.store.answers import Append, Committed
from targi_server.store.bus import BotNews, MatchNews
from targi_server.store.keys import match_keys
from targi_server.store.opening import open_store

RESIGNED = Verdict("0-1", Termination.RESIGNED, Culprit.SEAT0, "seat 0 resigned")


async def test_every_replica_hears_of_every_commit(log: MatchLog) -> None:
    async with open_store(log.url, replica="two") as two:
        here: list[MatchNews] = []
        there: list[MatchNews] = []
        log.store.bus.subscribe(here.append)
        two.bus.subscribe(there.append)
        match = await log.start()
        first = await log.acted(match, 0, 0, (3, 4))
        await log.blunder(match, 2, 1, (99,))
        ended = await log.matches.end(match, RESIGNED)
        await until(lambda: len(here) == 3 and len(there) == 3)
    assert here == there
    assert here[0] == MatchNews(
        match, 0, first.entries, 1, first.clocks, first.at_ms, strikes=(0, 0), verdict=None
    )
    assert (here[1].ply, here[1].entries, here[1].strikes) == (2, (), (0, 1))
    assert (here[2].seat, here[2].verdict) == (OVER, ended.verdict)


async def test_a_replica_that_is_alone_hears_of_its_commits_without_redis(log: MatchLog) -> None:
    here: list[MatchNews] = []
    log.store.bus.subscribe(here.append)
    match = await log.start()
    told: list[object] = []  # first that the channel is subscribed to
    async with redis.asyncio.Redis.from_url(log.url, protocol=2) as client:
        channel = match_keys(match).bucket.news
        listener = client.pubsub()
        await listener.ssubscribe(channel)
        await log.acted(match, 0, 0, (3,))
        assert [news.ply for news in here] == [0]
        await log.matches.end(match, RESIGNED)
        while len(told) < 2:
            message = await listener.get_message(timeout=None)
            told += [message["data"]] if message else []
        await listener.aclose()  # type: ignore[no-untyped-call]
    assert "seat 0 resigned" in str(told[1])


async def test_news_of_a_bot_reach_its_replica_whichever_it_is(log: MatchLog) -> None:
    async with open_store(log.url, replica="two") as two:
        heard: list[BotNews] = []
        two.bus.subscribe_bot(heard.append)
        await log.store.bus.publish_bot("alpha-bot", "match", {"match": "m", "n": [1, 2]})
        await until(lambda: bool(heard))
    assert heard == [BotNews("alpha-bot", "match", {"match": "m", "n": [1, 2]})]


async def test_news_of_a_verdict_that_a_tick_gave_are_told(log: MatchLog) -> None:
    heard: list[MatchNews] = []
    match = await log.start(base_ms=4_000)
    log.store.bus.subscribe(heard.append)
    await log.run(6_000)
    await until(lambda: bool(heard))
    verdict = heard[0].verdict
    assert (heard[0].match_id, heard[0].seat) == (match, OVER)
    assert verdict is not None and verdict.termination is Termination.TIME


async def test_a_handler_that_left_hears_nothing_more_and_one_that_fails_harms_nobody(log: MatchLog) -> None:
    gone: list[BotNews] = []
    heard: list[BotNews] = []

    def fail(news: BotNews) -> None:
        raise RuntimeError(f"cannot handle {news.kind}")

    leave = log.store.bus.subscribe_bot(gone.append)
    log.store.bus.subscribe_bot(heard.append)
    log.store.bus.subscribe_bot(fail)
    leave()
    for kind in ("first", "second"):
        await log.store.bus.publish_bot("alpha-bot", kind, {})
    await until(lambda: len(heard) == 2)
    assert gone == []


async def test_after_a_restart_of_redis_news_are_heard_again(frail_redis: RedisServer) -> None:
    heard: list[MatchNews] = []
    async with (
        open_store(frail_redis.url, replica="one") as one,
        open_store(frail_redis.url, replica="two") as two,
    ):
        one.bus.subscribe(heard.append)
        frail_redis.kill()
        frail_redis.start()
        await asyncio.gather(one.matches.tick(), two.matches.tick())
        head = header()
        assert await two.matches.create(head, seat=0)
        ply = 0
        async with asyncio.timeout(20):
            while not heard:  # those before the bus listens again are lost, by contract
                answer = await two.matches.append(
                    Append(head.match_id, ply, 0, (1,), digest_of((1,)), 1, 0, 0, False, 0)
                )
                assert isinstance(answer, Committed)
                ply += 1
    assert heard[0].match_id == head.match_id
