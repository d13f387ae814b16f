"""Connections of the SDK's bots on a real server: half-open ones, idle ones, and two copies of one bot."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
from play_client import Arena, PlayClient, arena, asked, until
from targi.v1 import match_service_pb2, play_pb2
from targi_sdk.bot import Bot
from targi_sdk.client import Kind, News, run_bot
from targi_sdk.errors import ReplacedError
from targi_server.rpc import server as rpc_server
from tcp_proxy import proxy
from trial_bots import First, Patient

BEAT_MS = 300
IDLE_MS = 300
LONG_MS = 600_000


@asynccontextmanager
async def running_bot(bot: type[Bot], token: str, address: str) -> AsyncIterator[list[News]]:
    """A bot of the SDK in this process, for the block; what it tells."""
    news: list[News] = []
    task = asyncio.create_task(run_bot(bot, token=token, server=address, seed=bytes(32), report=news.append))
    try:
        await until(lambda: connections(news) or task.done())
        yield news
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def connections(news: list[News]) -> int:
    return sum(each.kind is Kind.CONNECTED for each in news)


async def begun(here: Arena, opponent: PlayClient) -> str:
    """A match between `bot-one`, which the SDK plays, and an opponent; its id, when it is bot-one's turn."""
    await here.offer("bot-one", "bot-two")
    offer = await opponent.next("offer")
    await opponent.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=secrets.token_bytes(32)))
    match_id = str(offer.match_ids[0])
    started = await opponent.next("match_started", match_id)
    if (turn := asked(play_pb2.ServerEvent(match_started=started))) is not None:
        await opponent.act(match_id, turn.ply, turn.legal[0].id)
    await until(lambda: to_move(here, match_id) == "bot-one")
    return match_id


def to_move(here: Arena, match_id: str) -> str:
    table = here.service.room.tables.get(match_id)
    return table.header.seats[table.state.current_seat].bot if table is not None else ""


async def test_a_connection_that_is_half_open_on_the_own_turn_is_left_to_clock_and_bot(
    redis_url: str,
) -> None:
    """The server waits for the answer; the bot notices the silence, comes back, and is asked again."""
    Patient.gate = asyncio.Event()
    async with arena(redis_url, heartbeat_ms=BEAT_MS) as here, proxy(here.service.port) as between:
        token, opponent = await here.register("bot-one"), await here.connect("bot-two")
        async with running_bot(Patient, token, between.address) as news:
            match_id = await begun(here, opponent)
            between.swallow()
            await until(lambda: connections(news) == 2)
            Patient.gate.set()
            await opponent.next("applied", match_id)
        request = match_service_pb2.GetMatchRequest(match_id=match_id, timeline=True)
        timeline = (await here.stub.GetMatch(request)).timeline
        assert not [row.words for row in timeline if "silent" in row.words or "heartbeat" in row.words]


async def closed_for_being_idle(here: Arena, times: int) -> None:
    """Wait until a connection without a call was closed so often by the server."""
    channel = here.channel()
    for _ in range(times):
        await channel.channel_ready()
        await channel.wait_for_state_change(grpc.ChannelConnectivity.READY)


async def test_a_stream_on_which_nothing_is_said_is_not_idle(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time runs a thousand times as fast: six times five idle minutes pass between two heartbeats."""
    monkeypatch.setattr(rpc_server, "IDLE_MS", IDLE_MS)
    async with arena(redis_url, heartbeat_ms=LONG_MS) as here:
        token, foreign = await here.register("bot-one"), await here.connect("bot-two")
        async with running_bot(First, token, f"127.0.0.1:{here.service.port}") as news:
            await closed_for_being_idle(here, 6)
            await foreign.send(ping=play_pb2.Ping(token=5))
            assert (await foreign.next("pong")).token == 5
            assert [each.kind for each in news] == [Kind.CONNECTED]


async def copy(token: str, address: str, news: list[News]) -> None:
    """A copy of a bot under a supervisor that starts it again whenever it ends."""
    while True:
        try:
            await run_bot(First, token=token, server=address, report=news.append)
        except ReplacedError as error:
            news.append(News(Kind.FAILED, str(error)))


async def test_two_supervised_copies_of_a_bot_do_not_take_it_from_each_other_in_turns(
    redis_url: str,
) -> None:
    async with arena(redis_url) as here:
        token, address = await here.register("bot-one"), f"127.0.0.1:{here.service.port}"

        def refused() -> float:
            labels = {"reason": "TAKEOVER_LIMIT"}
            return here.service.metrics.registry.get_sample_value("targi_rejections_total", labels) or 0.0

        news: list[News] = []
        copies = [asyncio.create_task(copy(token, address, news))]
        try:
            await until(lambda: connections(news))
            copies.append(asyncio.create_task(copy(token, address, news)))
            await until(lambda: refused() >= 3)
        finally:
            for each in copies:
                each.cancel()
            await asyncio.gather(*copies, return_exceptions=True)
        assert connections(news) == 2  # the first, and the one that took over
        assert sum(each.kind is Kind.FAILED for each in news) == 1
