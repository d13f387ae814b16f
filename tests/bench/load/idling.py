"""Bots that are connected and play nothing: many streams over a few connections, heartbeats alone."""

from __future__ import annotations

import asyncio
import itertools

import grpc.aio
from arena_api import bearer
from load.bot import Call, apart, hello
from load.errors import StreamEnded
from targi.v1 import match_service_pb2_grpc, play_pb2

__all__ = ["Idlers"]

CONNECTIONS = 10


class Idlers:
    """A number of idle bots."""

    def __init__(self, tokens: tuple[str, ...], first: int, ruleset: str) -> None:
        self.connected = 0
        self._tokens = tokens
        self._first = first
        self._ruleset = ruleset

    async def play(self, address: str) -> None:
        """Connect all and answer heartbeats until cancelled. Raises StreamEnded, in a group."""
        channels = [grpc.aio.insecure_channel(address, apart(number)) for number in range(CONNECTIONS)]
        stubs = itertools.cycle([match_service_pb2_grpc.MatchServiceStub(channel) for channel in channels])
        try:
            async with asyncio.TaskGroup() as group:
                for number, token in enumerate(self._tokens, self._first):
                    group.create_task(self._idle(next(stubs).Play(metadata=bearer(token)), number))
        finally:
            for channel in channels:
                await channel.close()

    async def _idle(self, call: Call, number: int) -> None:
        greeting = hello(number, 1, self._ruleset, ladder=False)
        try:
            await call.write(play_pb2.PlayRequest(events=[greeting]))
            async for frame in call:
                for event in frame.events:
                    kind = event.WhichOneof("event")
                    self.connected += kind == "welcome"
                    if kind == "ping":
                        pong = play_pb2.BotEvent(pong=play_pb2.Pong(token=event.ping.token))
                        await call.write(play_pb2.PlayRequest(events=[pong]))
            raise StreamEnded(f"idle bot {number}")
        except grpc.aio.AioRpcError as error:
            raise StreamEnded(f"idle bot {number}", error) from error
