"""A thousand bots that are connected and play nothing."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import arena_process
import grpc.aio
import pytest
from arena_api import Api, api
from duel import Duel
from play_client import SEED, PlayClient, bearer, hello
from targi.v1 import game_pb2, match_service_pb2_grpc, play_pb2
from targi_engine import new_game

BOTS = 1_000
CONNECTIONS = 20
HEARTBEAT_S = 10.0
BEATS = 2
LOAD = 0.5
"""Share of one processor that they may take of the worker; 0.09 was measured."""
FLAGS = (
    *("--bots-per-owner", str(BOTS), "--calls-per-second", "100000", "--no-pairing"),
    *("--heartbeat-ms", str(int(1_000 * HEARTBEAT_S)), "--log-level", "warning"),
)

Call: TypeAlias = "grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"


class Idler:
    """Answers Pings, and nothing else is said to it."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.beats = 0
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        greeting = hello(session="idle" * 5, capacity=1, view=play_pb2.VIEW_FORM_COMPACT)
        await self.call.write(play_pb2.PlayRequest(events=[play_pb2.BotEvent(hello=greeting)]))
        async for frame in self.call:
            for event in frame.events:
                if event.WhichOneof("event") == "ping":
                    self.beats += 1
                    pong = play_pb2.BotEvent(pong=play_pb2.Pong(token=event.ping.token))
                    await self.call.write(play_pb2.PlayRequest(events=[pong]))

    async def close(self) -> None:
        self.call.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@asynccontextmanager
async def idlers(address: str, tokens: Sequence[str]) -> AsyncIterator[list[Idler]]:
    """Connected for the block, many on one connection."""
    own = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, own) for _ in range(CONNECTIONS)]
    stubs: Any = itertools.cycle([match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels])
    bots = [Idler(next(stubs).Play(metadata=bearer(token))) for token in tokens]
    try:
        yield bots
    finally:
        for bot in bots:
            await bot.close()
        for channel in channels:
            await channel.close()


async def heartbeats(bots: Sequence[Idler], count: int) -> None:
    """Wait until each bot was asked so often for a sign of life. Fails if a stream ended."""
    async with asyncio.timeout(count * HEARTBEAT_S + 120):
        while any(bot.beats < count for bot in bots):
            assert not [bot for bot in bots if bot.task.done()]
            await asyncio.sleep(0.1)


async def match(calls: Api, address: str, tokens: Sequence[str]) -> play_pb2.MatchEnded:
    """One match between two bots, to its end."""
    async with grpc.aio.insecure_channel(address) as channel:
        clients = [PlayClient(channel, token) for token in tokens]
        for client in clients:
            await client.hello(session="match" * 4)
        (match_id,) = calls.challenge(tokens[0], "player-1", [SEED])
        for client in clients:
            offer = await client.next("offer")
            await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=bytes(32)))
        for client in clients:
            await client.told(match_id)
        told = await Duel(match_id, clients, new_game("base", SEED)).play_out()
        for client in clients:
            await client.cut()
    return told[0]


def cpu_s(server: arena_process.Arena) -> float:
    times = server.find("worker").cpu_times()
    return float(times.user + times.system)


@pytest.mark.full
async def test_a_thousand_idle_bots_cost_little_and_disturb_no_match(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    with arena_process.arena(tmp_path / "data", *FLAGS) as server, api(server.address) as calls:
        players = [calls.register(f"player-{number}") for number in range(2)]
        tokens = calls.register_all([f"idle-{number}" for number in range(BOTS)], "idle-owner")
        async with idlers(server.address, tokens) as bots:
            await heartbeats(bots, 1)
            began, used = loop.time(), cpu_s(server)
            await heartbeats(bots, 1 + BEATS)
            load = (cpu_s(server) - used) / (loop.time() - began)
            ended = await match(calls, server.address, players)
            await heartbeats(bots, 2 + BEATS)
            assert len(calls.online()) == BOTS
        assert ended.outcome.termination == game_pb2.TERMINATION_NORMAL
        assert load < LOAD, load
