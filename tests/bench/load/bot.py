"""A bot for load: it answers turns by a random legal action, straight from the wire, without the SDK."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import grpc.aio
from arena_api import bearer
from load.errors import StreamEnded
from load.pacing import Pace
from load.tally import Tally
from targi.v1 import game_pb2, match_service_pb2_grpc, play_pb2, reason_pb2
from targi_engine import VOCABULARY

__all__ = ["Asked", "Bot", "apart", "hello"]

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


class Asked(NamedTuple):
    """An open turn and what will be answered."""

    match_id: str
    ply: int
    action: int


def hello(number: int, capacity: int, ruleset: str, *, ladder: bool) -> play_pb2.BotEvent:
    """The first event of bot `number`."""
    return play_pb2.BotEvent(
        hello=play_pb2.Hello(
            session=f"load-session-{number:06d}",
            sdk_name="load",
            bot_version="1",
            vocabulary_version=VOCABULARY,
            capacity=capacity,
            rulesets=[ruleset],
            ladder=ladder,
            view=play_pb2.VIEW_FORM_COMPACT,
        )
    )


def apart(number: int) -> list[tuple[str, int]]:
    """Options that keep gRPC from sharing one connection among channels: bots are strangers to each other."""
    return [("grpc.use_local_subchannel_pool", 1), ("bench.channel", number)]


class Bot:
    """One stream with all matches of one bot. What is due is written in one frame, as the server does it."""

    def __init__(
        self,
        token: str,
        number: int,
        capacity: int,
        ruleset: str,
        tally: Tally,
        pace: Pace,
        halt_ply: int = 0,
    ) -> None:
        self.number = number
        self.capacity = capacity
        self.pace = pace
        self.running: set[str] = set()
        self.leaving = False
        """Whether it said Leave: the server then closes the stream when all is over."""
        self.halted: set[str] = set()
        self._token = token
        self._ruleset = ruleset
        self._halt_ply = halt_ply
        self._tally = tally
        self._rng = random.Random(number)
        self._due_at: dict[tuple[str, int], float] = {}
        self._outgoing: list[play_pb2.BotEvent] = []
        self._news = asyncio.Event()

    async def play(self, address: str) -> None:
        """Connect and play until cancelled. Raises StreamEnded."""
        async with grpc.aio.insecure_channel(address, apart(self.number)) as channel:
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            call: Call = stub.Play(metadata=bearer(self._token))
            self.say(hello(self.number, self.capacity, self._ruleset, ladder=True))
            writer = asyncio.create_task(self._write(call))
            try:
                async for frame in call:
                    self.take(frame)
                self._closed(None)
            except grpc.aio.AioRpcError as error:
                self._closed(error)
            finally:
                writer.cancel()
                call.cancel()

    def say(self, event: play_pb2.BotEvent) -> None:
        """Goes out with the next frame."""
        self._outgoing.append(event)
        self._news.set()

    def take(self, frame: play_pb2.PlayResponse) -> None:
        """Deal with all events of a frame."""
        for event in frame.events:
            kind = event.WhichOneof("event")
            if kind is not None and kind in _HEARD:
                _HEARD[kind](self, getattr(event, kind))

    def _closed(self, error: grpc.aio.AioRpcError | None) -> None:
        """The stream is over: as it should be if the bot left, and all its matches are."""
        if not self.leaving or self.running:
            raise StreamEnded(f"bot {self.number}", error) from error

    async def _write(self, call: Call) -> None:
        while await self._news.wait():
            self._news.clear()
            events, self._outgoing = self._outgoing, []
            frame = play_pb2.PlayRequest(events=events)
            self._tally.sent(len(events), frame.ByteSize())
            self.written(events)
            await call.write(frame)

    def written(self, events: list[play_pb2.BotEvent]) -> None:
        """These events are on their way now."""

    def asked(self, turn: play_pb2.Turn) -> None:
        """Answer a turn when it is due."""
        if self._halt_ply and turn.ply >= self._halt_ply:
            self.halted.add(turn.match_id)
            return
        now = time.monotonic()
        asked = Asked(turn.match_id, turn.ply, self._rng.choice(turn.legal).id)
        self.answer_at(asked, self.pace.due(turn.match_id, turn.ply, now), now)

    def answer_at(self, asked: Asked, due: float, now: float) -> None:
        """Send an answer at its time; one that is due already goes with the next frame."""
        if due <= now:
            self.answer(asked, due)
        else:
            asyncio.get_running_loop().call_later(due - now, self.answer, asked, due)

    def answer(self, asked: Asked, due: float) -> None:
        """Send an answer that was due then."""
        if asked.match_id not in self.running:
            return
        self._due_at[asked.match_id, asked.ply] = due
        act = play_pb2.Act(match_id=asked.match_id, ply=asked.ply)
        act.actions.add(id=asked.action)
        self.say(play_pb2.BotEvent(act=act))

    def applied(self, applied: play_pb2.Applied) -> None:
        """An acknowledgement, if the answer was ours."""
        due = self._due_at.pop((applied.match_id, applied.ply), None)
        if due is not None:
            self._tally.acknowledged(applied.taken, (time.monotonic() - due) * 1000)

    def started(self, started: play_pb2.MatchStarted) -> None:
        """A match begins, or goes on after a new connection."""
        self.running.add(started.match_id)
        self.pace.started(started.match_id, started.ply, time.monotonic())
        if started.HasField("turn"):
            self.asked(started.turn)

    def over(self, ended: play_pb2.MatchEnded) -> None:
        """A match is over."""
        self.running.discard(ended.match_id)
        self.halted.discard(ended.match_id)
        self.pace.ended(ended.match_id)
        name = game_pb2.Termination.Name(ended.outcome.termination)
        self._tally.ended(name.removeprefix("TERMINATION_").lower())

    def _rejected(self, rejected: play_pb2.Rejected) -> None:
        self._tally.refused(reason_pb2.Reason.Name(rejected.reason).removeprefix("REASON_"))
        self._due_at.pop((rejected.match_id, rejected.ply), None)
        if rejected.HasField("turn"):
            self.asked(rejected.turn)

    def _offered(self, offer: play_pb2.Offer) -> None:
        nonce = self._rng.randbytes(32)
        self.say(play_pb2.BotEvent(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=nonce)))

    def _pinged(self, ping: play_pb2.Ping) -> None:
        self.say(play_pb2.BotEvent(pong=play_pb2.Pong(token=ping.token)))

    def ponged(self, pong: play_pb2.Pong) -> None:
        """A Ping of ours came back."""


# Each function takes the one kind of message that it is listed for; the table itself cannot say so.
_HEARD: Mapping[str, Callable[[Bot, Any], None]] = {
    "turn": lambda bot, turn: bot.asked(turn),
    "applied": lambda bot, applied: bot.applied(applied),
    "match_started": lambda bot, started: bot.started(started),
    "match_ended": lambda bot, ended: bot.over(ended),
    "rejected": Bot._rejected,
    "offer": Bot._offered,
    "ping": Bot._pinged,
    "pong": lambda bot, pong: bot.ponged(pong),
}
