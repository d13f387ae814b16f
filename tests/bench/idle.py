"""What bots cost that are connected and play nothing: memory and processor time of the worker, a bot."""

import asyncio
import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cpu
import grpc.aio
from arena_api import api
from arena_process import Arena, arena
from targi.v1 import match_service_pb2_grpc, play_pb2

BOTS = 1_000
CONNECTIONS = 10
Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


def hello(number: int) -> play_pb2.PlayRequest:
    greeting = play_pb2.Hello(
        session=f"idle-client-{number:06d}",
        sdk_name="load",
        bot_version="1",
        vocabulary_version=1,
        capacity=1,
        rulesets=["base"],
        view=play_pb2.VIEW_FORM_COMPACT,
    )
    return play_pb2.PlayRequest(events=[play_pb2.BotEvent(hello=greeting)])


async def answer_pings(call: Call) -> None:
    async for frame in call:
        for event in frame.events:
            if event.WhichOneof("event") == "ping":
                pong = play_pb2.BotEvent(pong=play_pb2.Pong(token=event.ping.token))
                await call.write(play_pb2.PlayRequest(events=[pong]))


async def idle(address: str, tokens: list[str], seconds: float, server: Arena) -> tuple[float, float]:
    """Bytes of the worker a bot, and its processor seconds a second, with all bots connected."""
    worker = server.find("worker")
    before = worker.memory_info().rss
    channels = [grpc.aio.insecure_channel(address, _apart(number)) for number in range(CONNECTIONS)]
    stubs = itertools.cycle([match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels])
    calls = [next(stubs).Play(metadata=(("authorization", f"Bearer {token}"),)) for token in tokens]
    for number, call in enumerate(calls):
        await call.write(hello(number))
    for call in calls:
        await call.read()
    pings = [asyncio.create_task(answer_pings(call)) for call in calls]
    grown, start_s = worker.memory_info().rss - before, cpu.of(worker)
    await asyncio.sleep(seconds)
    used_s = cpu.of(worker) - start_s
    for task, call in zip(pings, calls, strict=True):
        task.cancel()
        call.cancel()
    for channel in channels:
        await channel.close()
    return grown / len(tokens), used_s / seconds


def _apart(number: int) -> list[tuple[str, int]]:
    """Options that keep gRPC from sharing one connection among channels."""
    return [("grpc.use_local_subchannel_pool", 1), ("bench.channel", number)]


def bench(bots: int = BOTS, seconds: float = 10.0) -> Iterator[str]:
    """Lines of the report."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ("--log-level", "warning", "--bots-per-owner", str(bots))
        with arena(Path(folder) / "data", *flags) as server:
            with api(server.address) as calls:
                tokens = calls.register_all([f"idle-{number}" for number in range(bots)], "idle-owner")
            bytes_a_bot, load = asyncio.run(idle(server.address, tokens, seconds, server))
            yield f"{bots} bots connected and idle: {bytes_a_bot / 1000:.0f} kB a bot, {load:.0%} of one core"


if __name__ == "__main__":
    for line in bench(int(sys.argv[1]) if sys.argv[1:] else BOTS):
        print(line, flush=True)
