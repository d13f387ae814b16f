"""A bot process straight on the wire that writes down all it is told, when it is told.

No SDK is involved, so nothing makes up for what the server does. It answers each turn with a random legal
action, comes back by itself when its stream ends, and on SIGTERM finishes what runs and goes. Each thing that
it was told is a line of JSON in its journal, which `heard.py` reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import grpc.aio
from targi.v1 import game_pb2, match_service_pb2_grpc, play_pb2

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]
Row = dict[str, object]

PAUSE_S = 0.2
"""Between attempts to connect."""


@dataclass
class WireBot:
    """One bot. `addresses` are tried in turn."""

    name: str
    token: str
    addresses: Sequence[str]
    journal: Path
    capacity: int = 4
    ladder: bool = True
    think_s: float = 0.02
    seed: int = 1
    leaving: bool = False
    attempts: int = 0
    chance: random.Random = field(default_factory=random.Random)
    sink: TextIO | None = None
    call: Call | None = None
    sayings: set[asyncio.Task[None]] = field(default_factory=set)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note(self, what: str, **row: object) -> None:
        """A line of the journal; the time is that of its receipt."""
        assert self.sink is not None
        self.sink.write(json.dumps({"at": time.time(), "bot": self.name, "what": what, **row}) + "\n")

    def hello(self) -> play_pb2.BotEvent:
        return play_pb2.BotEvent(
            hello=play_pb2.Hello(
                session=f"session-of-{self.name:0>16}",
                sdk_name="wire",
                bot_version="1",
                vocabulary_version=1,
                capacity=self.capacity,
                rulesets=["base"],
                ladder=self.ladder,
                view=play_pb2.VIEW_FORM_COMPACT,
            )
        )

    async def live(self) -> None:
        """Comes back until it has left."""
        self.chance.seed(self.seed)
        with self.journal.open("a", buffering=1) as self.sink:
            while not await self.stream():  # noqa: ASYNC110 - it does not wait for an event of its own
                await asyncio.sleep(PAUSE_S)

    async def stream(self) -> bool:
        """One stream, to its end; whether that is the end of the bot, too."""
        address = self.addresses[self.attempts % len(self.addresses)]
        self.attempts += 1
        async with grpc.aio.insecure_channel(address) as channel:
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            self.call = stub.Play(metadata=(("authorization", f"Bearer {self.token}"),))
            try:
                await self.say(self.call, [self.hello(), *self.farewell()])
                async for frame in self.call:
                    self.take(self.call, frame)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
                words = error.details() if isinstance(error, grpc.aio.AioRpcError) else str(error)
                self.note("cut", words=words, address=address)
                return False
            self.note("closed", address=address)
            return self.leaving

    def take(self, call: Call, frame: play_pb2.PlayResponse) -> None:
        """Writes a frame down. Turns are answered after some thought, everything else at once."""
        answers = [answer for event in frame.events if (answer := self.answer(event)) is not None]
        acts = [answer for answer in answers if answer.HasField("act")]
        self.later(call, [answer for answer in answers if not answer.HasField("act")], 0.0)
        self.later(call, acts, self.chance.uniform(0, 2 * self.think_s))

    def later(self, call: Call, events: Sequence[play_pb2.BotEvent], after_s: float) -> None:
        """Says something on a stream, if it is still open then."""
        if events:
            saying = asyncio.create_task(self.say_after(call, events, after_s))
            self.sayings.add(saying)
            saying.add_done_callback(self.sayings.discard)

    async def say_after(self, call: Call, events: Sequence[play_pb2.BotEvent], after_s: float) -> None:
        await asyncio.sleep(after_s)
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            await self.say(call, events)

    async def say(self, call: Call, events: Iterable[play_pb2.BotEvent]) -> None:
        async with self.writing:
            await call.write(play_pb2.PlayRequest(events=list(events)))

    def farewell(self) -> list[play_pb2.BotEvent]:
        return [play_pb2.BotEvent(leave=play_pb2.Leave())] if self.leaving else []

    def leave(self) -> None:
        """Says so on the open stream, and on each that follows."""
        self.leaving = True
        if self.call is not None:
            self.later(self.call, self.farewell(), 0.0)

    def answer(self, event: play_pb2.ServerEvent) -> play_pb2.BotEvent | None:
        """What to say to an event, if anything."""
        kind = str(event.WhichOneof("event"))
        if kind == "ping":
            return play_pb2.BotEvent(pong=play_pb2.Pong(token=event.ping.token))
        if kind == "offer":
            ready = play_pb2.Ready(offer_id=event.offer.offer_id, nonce=self.chance.randbytes(32))
            return play_pb2.BotEvent(ready=ready)
        message = getattr(event, kind)
        self.note(kind, **told(event))
        turn = message if kind == "turn" else getattr(message, "turn", None)
        return self.act(turn) if turn is not None and turn.legal else None

    def act(self, turn: play_pb2.Turn) -> play_pb2.BotEvent:
        chosen = self.chance.choice(turn.legal).id
        act = play_pb2.Act(match_id=turn.match_id, ply=turn.ply, actions=[game_pb2.Action(id=chosen)])
        return play_pb2.BotEvent(act=act)


def asked(log: Iterable[game_pb2.LoggedAction]) -> list[int]:
    """Ids of the actions that somebody was asked for."""
    return [logged.action.id for logged in log if not logged.forced]


def told(event: play_pb2.ServerEvent) -> Row:
    """What is kept of an event."""
    kind = event.WhichOneof("event")
    if kind == "match_started":
        start = event.match_started
        row: Row = {
            "match": start.match_id,
            "seat": start.seat,
            "ply": start.ply,
            "actions": asked(start.log),
        }
        return {**row, "rated": start.rated, "strikes": start.strikes}
    if kind == "applied":
        applied = event.applied
        row = {"match": applied.match_id, "ply": applied.ply, "actions": asked(applied.actions)}
        seat = applied.actions[0].seat
        return {**row, "seat": seat, "next_ply": applied.next_ply, "charged_ms": applied.charged_ms}
    if kind == "match_ended":
        outcome = event.match_ended.outcome
        return {
            "match": event.match_ended.match_id,
            "result": outcome.result,
            "termination": outcome.termination,
            "culprit": outcome.culprit,
        }
    if kind == "rejected":
        refused = event.rejected
        row = {"match": refused.match_id, "ply": refused.ply, "reason": refused.reason}
        return {**row, "words": refused.words, "strikes": refused.strikes}
    if kind == "turn":
        return {"match": event.turn.match_id, "ply": event.turn.ply}
    if kind == "offer_lapsed":
        return {"offer": event.offer_lapsed.offer_id, "own_fault": event.offer_lapsed.own_fault}
    return {}


async def main() -> None:
    given = json.loads(sys.argv[1])
    bot = WireBot(**{**given, "journal": Path(given["journal"])})
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, bot.leave)
    await bot.live()


if __name__ == "__main__":
    asyncio.run(main())
