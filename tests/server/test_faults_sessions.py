"""Sessions of bots: what one Hello resumes, how half-open connections are noticed, and what streams cost."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import arena_process
import grpc
import pytest
from arena_api import api
from play_client import Arena, PlayClient, arena, asked, until
from stream_churn import PHASES, Churn
from targi.v1 import play_pb2
from targi_sdk.client import Address, Kind, News, run_bot
from targi_server.play.session import Session
from targi_server.rpc import server as rpc_server
from tcp_proxy import proxy
from trial_bots import First

BEAT_MS = 200
"""Heartbeat in these tests."""
PING_EACH_MS = 1_000


def session_of(here: Arena, bot: str) -> Session | None:
    return here.service.room.sessions.get(bot)


async def test_one_hello_resumes_all_running_matches_with_their_open_turns(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one", session="s" * 16), await here.connect("bot-two")
        matches = [await here.match(one, two, "bot-one", "bot-two") for _ in range(4)]
        await one.cut()
        again = here.client(here.tokens["bot-one"])
        welcome = await again.hello(session="s" * 16)
        assert welcome.running_matches == len(matches)
        started = [await again.next("match_started", match_id) for match_id in matches]
        for message in started:
            table = here.service.room.tables.get(message.match_id)
            assert table is not None
            assert message.HasField("turn") == (table.state.current_seat == message.seat)
            mover = again if message.HasField("turn") else two
            turn = asked(play_pb2.ServerEvent(match_started=message)) or await two.turn(message.match_id)
            await mover.act(message.match_id, turn.ply, turn.legal[0].id)
            assert (await again.next("applied", message.match_id)).next_ply == 1


async def test_a_bot_that_vanishes_without_a_word_is_noticed_by_the_server(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=BEAT_MS) as here, proxy(here.service.port) as between:
        channel = grpc.aio.insecure_channel(between.address)
        here.channels.append(channel)
        client = PlayClient(channel, await here.register("bot-one"))
        here.clients.append(client)
        await client.hello()
        assert session_of(here, "bot-one") is not None
        between.swallow()
        await until(lambda: session_of(here, "bot-one") is None)
        assert client.ended is None  # nobody told it: this is what half-open means


async def test_a_bot_notices_that_its_server_vanished_and_comes_back(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=BEAT_MS) as here, proxy(here.service.port) as between:
        news: list[News] = []
        token, server = await here.register("bot-one"), Address.parse(between.address)
        bot = asyncio.create_task(
            run_bot(First, token=token, server=server, seed=bytes(32), report=news.append)
        )
        try:
            await until(lambda: kinds(news) == [Kind.CONNECTED])
            between.swallow()
            await until(lambda: kinds(news) == [Kind.CONNECTED, Kind.LOST, Kind.CONNECTED])
            assert "was silent for" in news[1].words
            assert session_of(here, "bot-one") is not None
        finally:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)


def kinds(news: list[News]) -> list[Kind]:
    return [each.kind for each in news]


@asynccontextmanager
async def bot_process(here: Arena, name: str, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """`targi bot run random` in a process of its own, once it is connected."""
    environment = {**os.environ, "TARGI_TOKEN": await here.register(name), "TARGI_HOME": str(folder)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "targi_sdk.cli", "bot", "run", "random", "--name", name),
        *("--server", f"127.0.0.1:{here.service.port}"),
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await until(lambda: session_of(here, name))
        yield process
    finally:
        process.kill()
        await process.wait()


async def test_a_stopped_bot_process_is_gone_and_is_back_when_it_goes_on(
    redis_url: str, tmp_path: Path
) -> None:
    async with (
        arena(redis_url, heartbeat_ms=BEAT_MS) as here,
        bot_process(here, "bot-one", tmp_path) as process,
    ):
        process.send_signal(signal.SIGSTOP)
        await until(lambda: session_of(here, "bot-one") is None)
        process.send_signal(signal.SIGCONT)
        await until(lambda: session_of(here, "bot-one"))


async def pinging(here: Arena, every_ms: int) -> PlayClient:
    """A bot in a foreign client, whose HTTP/2 keepalive pings often though nothing is said."""
    options = [
        ("grpc.keepalive_time_ms", every_ms),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.keepalive_permit_without_calls", 1),
    ]
    client = PlayClient(here.channel(*options), await here.register("bot-one"))
    here.clients.append(client)
    await client.hello()
    return client


async def test_keepalive_pings_of_an_idle_client_are_not_answered_with_goaway(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time runs ten times as fast: pings each second are those of a client that pings each 10 s.

    gRPC pings no more often than that, whatever is asked of it; the fifth is answered with GOAWAY by a server
    that takes them for too many, as the test below shows.
    """
    monkeypatch.setattr(rpc_server, "PING_INTERVAL_MS", rpc_server.PING_INTERVAL_MS // 10)
    async with arena(redis_url, heartbeat_ms=60_000) as here:
        client = await pinging(here, PING_EACH_MS)
        await asyncio.sleep(8 * PING_EACH_MS / 1_000)  # this is the idle time itself
        await client.send(ping=play_pb2.Ping(token=5))
        assert (await client.next("pong")).token == 5


@pytest.mark.full
async def test_pings_far_more_often_than_is_allowed_are(redis_url: str) -> None:
    """The other half of the test before it: without the server's allowance it would fail."""
    async with arena(redis_url, heartbeat_ms=60_000) as here:
        ended = await (await pinging(here, PING_EACH_MS)).end()
        assert ended.code is grpc.StatusCode.UNAVAILABLE
        assert "ping" in ended.words.lower()


CHURNS = 4
CHURN_FLAGS = (
    *("--calls-per-second", "100000", "--no-pairing", "--log-level", "warning"),
    *("--offer-ms", "2000", "--disconnect-budget-ms", "2000", "--challenges-per-owner", "100"),
)


async def churn(address: str, tokens: list[str], numbers: Iterator[int], most: int) -> Counter[str]:
    """Opens and breaks off the streams of the numbers below `most`, with several bots at a time."""
    bots = [
        Churn(address, (f"staying-{bot}", f"leaving-{bot}"), (tokens[2 * bot], tokens[2 * bot + 1]))
        for bot in range(CHURNS)
    ]
    await asyncio.gather(*(bot.run(numbers, most) for bot in bots))
    return sum((bot.reached for bot in bots), Counter())


def resting_memory(server: arena_process.Arena) -> int:
    """Bytes of the worker, once the last match has ended without its bots."""
    with api(server.address) as calls:
        arena_process.wait_for("all matches to end", lambda: not calls.running())
    return int(server.find("worker").memory_info().rss)


@pytest.mark.full
async def test_memory_stays_flat_over_many_opened_and_cancelled_streams(tmp_path: Path) -> None:
    """10,000 of them, broken off in each phase in each way: the first 2,000 take all the memory there is."""
    with arena_process.arena(tmp_path / "data", *CHURN_FLAGS) as server:
        with api(server.address) as calls:
            names = [f"{kind}-{bot}" for bot in range(CHURNS) for kind in ("staying", "leaving")]
            tokens = [calls.register(name) for name in names]
        numbers = itertools.count()
        await churn(server.address, tokens, numbers, 2_000)
        before = resting_memory(server)
        reached = await churn(server.address, tokens, numbers, 10_000)
        assert set(reached) == set(PHASES) and min(reached.values()) > 200, reached
        assert resting_memory(server) / before <= 1.05
