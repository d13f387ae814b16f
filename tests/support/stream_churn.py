"""Streams that are opened and broken off, in every phase and in every way."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio
from play_client import PlayClient, bearer, hello, reason_of
from targi.v1 import game_pb2, lobby_service_pb2, lobby_service_pb2_grpc, play_pb2

__all__ = ["PARTINGS", "PHASES", "Churn"]

BASE_MS: Final = 1_000
"""Clock of the matches: nobody moves in them, and they are soon over."""
SESSION_LENGTH: Final = 16
FOUND: Final = frozenset({"match_started", "offer_lapsed"})
NONCE: Final = bytes(range(32))


@dataclass
class Churn:
    """Two bots: one that stays and is ready for everything, one whose streams are opened and broken off.

    `reached` counts the phases that were reached: an offer or a match is not always to be had.
    """

    address: str
    names: tuple[str, str]
    tokens: tuple[str, str]
    reached: Counter[str] = field(default_factory=Counter)
    _channels: list[grpc.aio.Channel] = field(default_factory=list)

    async def run(self, numbers: Iterator[int], most: int) -> None:
        """Open the streams of the numbers below `most`, each phase with each way to part."""
        staying = await self._client(0)
        await staying.hello(session="s" * SESSION_LENGTH, capacity=64)
        ready = asyncio.create_task(self._be_ready(staying))
        phases = [(name, enter) for name, (often, enter) in PHASES.items() for _ in range(often)]
        ways = list(itertools.product(phases, PARTINGS))
        try:
            for number in itertools.takewhile(lambda number: number < most, numbers):
                (phase, enter), part = ways[number % len(ways)]
                await self._one(phase, enter, part)
        finally:
            ready.cancel()
            await asyncio.gather(ready, return_exceptions=True)
            await staying.cut()
            for channel in self._channels:
                await channel.close()

    async def _one(self, phase: str, enter: Phase, part: Parting) -> None:
        client = await self._client(1)
        self.reached[phase] += await enter(self, client)
        await part(self, client)
        await client.cut()
        await self._channels.pop().close()

    async def before_hello(self, client: PlayClient) -> bool:
        """A frame without events."""
        await client.write(b"")
        return True

    async def after_hello(self, client: PlayClient) -> bool:
        """Whatever the server does with it, nobody waits for it."""
        await client.send(hello=_hello())
        return True

    async def welcomed(self, client: PlayClient) -> bool:
        """In peace."""
        await client.send(hello=_hello())
        await client.next("welcome")
        return True

    async def with_an_offer(self, client: PlayClient) -> bool:
        """An offer is open, which it never answers."""
        await self.welcomed(client)
        if not await self._challenge(client):
            return False
        await client.next("offer")
        return True

    async def with_a_match(self, client: PlayClient) -> bool:
        """A match runs."""
        await self.welcomed(client)
        if not await self._challenge(client):
            return False
        offer = await client.next("offer")
        await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=NONCE))
        while not (found := FOUND & set(client.kinds())):
            assert client.ended is None, client.ended
            await asyncio.sleep(0.002)
        return "match_started" in found

    async def half_close(self, client: PlayClient) -> None:
        """Say that nothing more is to be said, and hear the end."""
        await client.call.done_writing()
        await client.end()

    async def cancel(self, client: PlayClient) -> None:
        """Cancel the call."""
        await client.cut()

    async def cut(self, client: PlayClient) -> None:
        """End the connection."""
        await self._channels[-1].close()

    async def _client(self, which: int) -> PlayClient:
        channel = grpc.aio.insecure_channel(self.address, [("grpc.use_local_subchannel_pool", 1)])
        self._channels.append(channel)
        return PlayClient(channel, self.tokens[which])

    async def _challenge(self, client: PlayClient) -> bool:
        """Whether the bot that stays could be challenged."""
        lobby: Any = lobby_service_pb2_grpc.LobbyServiceStub(self._channels[0])  # its async form has no type
        control = game_pb2.TimeControl(base_ms=BASE_MS)
        request = lobby_service_pb2.ChallengeRequest(opponent=self.names[0], time_control=control)
        try:
            await lobby.Challenge(request, metadata=bearer(self.tokens[1]))
        except grpc.aio.AioRpcError as error:
            if reason_of(error) not in ("NOT_AVAILABLE", "LIMIT"):
                raise
            return False
        return True

    async def _be_ready(self, client: PlayClient) -> None:
        with suppress(asyncio.CancelledError):
            while True:
                if "offer" not in client.kinds():
                    client.events.clear()
                    await asyncio.sleep(0.005)
                    continue
                offer = await client.next("offer")
                await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=NONCE))


def _hello() -> play_pb2.Hello:
    return hello(session="c" * SESSION_LENGTH, capacity=64)


Phase = Callable[[Churn, PlayClient], Awaitable[bool]]
Parting = Callable[[Churn, PlayClient], Awaitable[None]]

PHASES: Final[dict[str, tuple[int, Phase]]] = {
    "before Hello": (3, Churn.before_hello),
    "after Hello": (3, Churn.after_hello),
    "after Welcome": (2, Churn.welcomed),
    "with an offer": (1, Churn.with_an_offer),
    "with a match": (1, Churn.with_a_match),
}
"""How many of ten streams get so far, and how."""
PARTINGS: Final[tuple[Parting, ...]] = (Churn.half_close, Churn.cancel, Churn.cut)
