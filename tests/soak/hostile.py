"""Bots that send frames of every kind, and come back whatever becomes of their streams."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from hostile_stream import Stream, Tally
from play_frames import Known, Table, frame, hello, odd_hello, pick
from targi.v1 import game_pb2, play_pb2

__all__ = ["Hostile"]


@dataclass
class Hostile:
    """A bot that comes back whatever happens to its streams."""

    name: str
    address: str
    token: str
    rng: random.Random
    tally: Tally
    known: Known = field(default_factory=Known)
    session: str = ""

    async def run(self) -> None:
        """One stream after the other until enough frames were read."""
        while not self.tally.done:
            stream = self._stream()
            try:
                await self._visit(stream)
            finally:
                await stream.close()

    def _stream(self) -> Stream:
        return Stream(self.address, self.token, self.known, self.rng, self.tally)

    async def _visit(self, stream: Stream) -> None:
        for _ in range(self.rng.choice((*[0] * 12, 1, 3, 9, 12))):
            await stream.write(frame(self.rng, self.known))
        await self._greet(stream)
        for _ in range(self.rng.choice((1, 5, 20, 60))):
            if stream.over.is_set() or self.tally.done:
                break
            await self._burst(stream)
        await pick(self.rng, _PARTINGS)(self, stream)

    async def _greet(self, stream: Stream) -> None:
        if not self.session or self.rng.random() < 0.2:
            self.session = self.rng.randbytes(8).hex()
        odd = self.rng.random() < 0.1
        await stream.say(hello=odd_hello(self.rng) if odd else hello(self.rng, self.session))

    async def _burst(self, stream: Stream) -> None:
        while self.known.offers and self.rng.random() < 0.8:
            ready = play_pb2.Ready(offer_id=self.known.offers.popleft(), nonce=self.rng.randbytes(32))
            await stream.say(ready=ready)
        await self._play_on(stream)
        for _ in range(self.rng.choice((1, 4, 8, 16))):
            await stream.write(frame(self.rng, self.known))
        await stream.settle()

    async def _play_on(self, stream: Stream) -> None:
        """Answer some of the open turns in order, so that matches go on."""
        for match_id, (ply, legal) in list(self.known.turns.items()):
            if legal and self.rng.random() < 0.7:
                chosen = game_pb2.Action(id=self.rng.choice(legal))
                await stream.say(act=play_pb2.Act(match_id=match_id, ply=ply, actions=[chosen]))

    async def twice(self, stream: Stream) -> None:
        """Open another stream beside this one: the same session, or one that takes over."""
        other = self._stream()
        try:
            session = self.session if self.rng.random() < 0.8 else ""
            await other.say(hello=hello(self.rng, session))
            await self._burst(other)
        finally:
            await other.close()


Parting = Callable[[Hostile, Stream], Awaitable[None]]

_PARTINGS: Final[Table[Parting]] = (
    (30, lambda hostile, stream: stream.half_close()),
    (20, lambda hostile, stream: stream.cancel()),
    (20, lambda hostile, stream: stream.cut()),
    (10, Hostile.twice),
    (2, lambda hostile, stream: stream.go_deaf()),
)
