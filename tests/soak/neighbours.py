"""Two good bots that play one match after the other until their standard input is closed.

    python tests/soak/neighbours.py ADDRESS THINK_MS

Their tokens are in NEIGHBOUR_TOKENS, separated by a space. Each match gives two lines of JSON: one with its
id when it has begun, one with what its bots saw when it is over. That is the measure of whether somebody else
disturbed them: nothing here depends on what the server says of itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import grpc.aio
from play_client import PlayClient, bearer, reason_of
from targi.v1 import game_pb2, lobby_service_pb2, lobby_service_pb2_grpc, play_pb2

NAMES = ("neighbour-one", "neighbour-two")
ROUNDING_MS = 2


@dataclass
class Seen:
    """What the bots saw of a match."""

    match_id: str
    answered_ms: list[float] = field(default_factory=list)
    """From each Act to the mover's Applied."""
    overcharged: list[str] = field(default_factory=list)
    """Plies that were charged more than the time from the Act before to their own Applied."""
    refused: int = 0
    termination: str = ""

    def line(self) -> str:
        return json.dumps(vars(self))


@dataclass
class Pair:
    """Both bots, connected."""

    clients: list[PlayClient]
    lobby: Any  # the stub's async form exists in annotations only
    tokens: list[str]
    think_s: float
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    async def match(self) -> Seen:
        """One match, from the challenge to its end."""
        began = time.monotonic()
        await self._challenge()
        for client in self.clients:
            offer = await client.next("offer")
            ready = play_pb2.Ready(offer_id=offer.offer_id, nonce=secrets.token_bytes(32))
            await client.send(ready=ready)
        seen = Seen(offer.match_ids[0])
        for client in self.clients:
            await client.told(seen.match_id)
        say({"began": seen.match_id})
        await self._play(seen, began)
        return seen

    async def _challenge(self) -> None:
        """Ask for a match; places are free again a moment after the last one ended."""
        request = lobby_service_pb2.ChallengeRequest(opponent=NAMES[1])
        while True:
            try:
                await self.lobby.Challenge(request, metadata=bearer(self.tokens[0]))
            except grpc.aio.AioRpcError as error:
                if reason_of(error) not in ("NOT_AVAILABLE", "LIMIT"):
                    raise
                await asyncio.sleep(0.05)
            else:
                return

    async def _play(self, seen: Seen, acted: float) -> None:
        seat = await self._mover(seen.match_id)
        while seat is not None:
            client = self.clients[seat]
            turn = await client.turn(seen.match_id)
            await asyncio.sleep(self.think_s)
            acted, before = time.monotonic(), acted
            await client.act(seen.match_id, turn.ply, self.rng.choice(turn.legal).id)
            applied = await told(client, seen.match_id, turn.ply)
            heard = time.monotonic()
            seen.answered_ms.append(round((heard - acted) * 1000, 2))
            bound_ms = (heard - before) * 1000 + ROUNDING_MS
            if applied.charged_ms > bound_ms:
                seen.overcharged.append(f"ply {turn.ply}: {applied.charged_ms} ms of {bound_ms:.0f}")
            seat = await self._mover(seen.match_id)
        for client in self.clients:
            ended = await client.next("match_ended", seen.match_id)
            seen.termination = game_pb2.Termination.Name(ended.outcome.termination)
            seen.refused += client.kinds().count("rejected")
            client.events.clear()

    async def _mover(self, match_id: str) -> int | None:
        """Seat of the bot that is asked, None at the end."""
        while True:
            for seat, client in enumerate(self.clients):
                assert client.ended is None, client.ended
                kinds = client.kinds()
                if "turn" in kinds or any(event.match_started.HasField("turn") for event in client.events):
                    return seat
                if "match_ended" in kinds:
                    return None
            await asyncio.sleep(0.001)


async def told(client: PlayClient, match_id: str, ply: int) -> play_pb2.Applied:
    """The Applied of a ply; those of the opponent's plies before it are passed over."""
    while True:
        applied: play_pb2.Applied = await client.next("applied", match_id)
        if applied.ply >= ply:
            return applied


def say(row: object) -> None:
    print(json.dumps(row), flush=True)


async def play(address: str, tokens: list[str], think_s: float) -> None:
    """Play until the standard input is closed; the last match is finished."""
    closed = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    own = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, own) for _ in tokens]
    clients = [PlayClient(channel, token) for channel, token in zip(channels, tokens, strict=True)]
    for client in clients:
        await client.hello(session=secrets.token_hex(8), capacity=8, view=play_pb2.VIEW_FORM_STRUCTURED)
    lobby = lobby_service_pb2_grpc.LobbyServiceStub(channels[0])
    pair = Pair(clients, lobby, tokens, think_s)
    while not closed.done():
        print((await pair.match()).line(), flush=True)
    for client in clients:
        await client.cut()
    for channel in channels:
        await channel.close()


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], os.environ["NEIGHBOUR_TOKENS"].split(), float(sys.argv[2]) / 1000))
