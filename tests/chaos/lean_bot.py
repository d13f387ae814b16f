"""A bot straight from the wire that writes down all it is told: `python lean_bot.py '{"address": ..}'`.

It picks legal actions at random, gives some matches up, now and then sends an answer twice, connects again
when the stream breaks, and leaves at SIGTERM.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc.aio
from notebook import Notebook
from targi.v1 import game_pb2, match_service_pb2_grpc, play_pb2, reason_pb2
from targi_engine import VOCABULARY
from targi_sdk.wire import culprit_from_proto, result_from_proto, termination_from_proto

RESIGNS = 0.06
TWICE = 0.02
LONGEST_BACKOFF_S = 3.0
SILENT_HEARTBEATS = 2
FIRST_HEARTBEAT_S = 5.0


def asked(log: Iterable[game_pb2.LoggedAction]) -> list[game_pb2.LoggedAction]:
    """Without what the engine took by itself."""
    return [entry for entry in log if not entry.forced]


@dataclass
class LeanBot:
    """What the bot does with events: lines for the notebook, answers for the server."""

    session: str
    capacity: int
    rng: random.Random
    leaving: bool = False
    heartbeat_s: float = FIRST_HEARTBEAT_S
    running: set[str] = field(default_factory=set)
    gives_up_at: dict[str, int] = field(default_factory=dict)
    due: list[play_pb2.BotEvent] = field(default_factory=list)
    rows: list[tuple[object, ...]] = field(default_factory=list)
    token: int = 0
    answered: int = 0

    def begin(self) -> None:
        """What opens a stream."""
        self.token = self.answered = 0
        hello = play_pb2.Hello(
            session=self.session,
            sdk_name="lean",
            bot_version="1",
            vocabulary_version=VOCABULARY,
            capacity=self.capacity,
            rulesets=["base"],
            ladder=True,
            view=play_pb2.VIEW_FORM_COMPACT,
        )
        self.due = [play_pb2.BotEvent(hello=hello)]
        if self.leaving:
            self.leave()

    def leave(self) -> None:
        self.leaving = True
        self.due.append(play_pb2.BotEvent(leave=play_pb2.Leave()))

    def ping(self) -> bool:
        """Asks for a sign of life; False if those before did not come: the link is dead one way."""
        self.token += 1
        self.due.append(play_pb2.BotEvent(ping=play_pb2.Ping(token=self.token)))
        return self.token - self.answered <= SILENT_HEARTBEATS + 1

    def hear(self, event: play_pb2.ServerEvent) -> None:
        """Deals with one event."""
        kind = event.WhichOneof("event")
        if kind is not None and kind in HEARD:
            HEARD[kind](self, getattr(event, kind))

    def welcome(self, message: play_pb2.Welcome) -> None:
        self.rows.append(("W",))
        self.heartbeat_s = message.limits.heartbeat_ms / 1000

    def offer(self, message: play_pb2.Offer) -> None:
        if not self.leaving:
            ready = play_pb2.Ready(offer_id=message.offer_id, nonce=os.urandom(32))
            self.due.append(play_pb2.BotEvent(ready=ready))

    def match_started(self, message: play_pb2.MatchStarted) -> None:
        log = ",".join(str(entry.action.id) for entry in asked(message.log))
        row = (message.match_id, message.seat, message.ply, message.pair_id or "-", message.game)
        self.rows.append(("S", *row, f"[{log}]"))
        self.running.add(message.match_id)
        rng = random.Random(message.match_id)
        if rng.random() < RESIGNS:
            self.gives_up_at[message.match_id] = rng.randint(4, 150)
        if message.HasField("turn"):
            self.turn(message.turn, message.view)

    def turn(self, turn: play_pb2.Turn, view: game_pb2.View | None = None) -> None:
        self.rows.append(("T", turn.match_id, turn.ply, zlib.crc32((view or turn.view).compact)))
        if turn.ply >= self.gives_up_at.get(turn.match_id, 1 << 30):
            self.rows.append(("G", turn.match_id))
            self.due.append(play_pb2.BotEvent(resign=play_pb2.Resign(match_id=turn.match_id)))
            return
        act = play_pb2.Act(match_id=turn.match_id, ply=turn.ply)
        act.actions.add(id=self.rng.choice(turn.legal).id)
        self.rows.append(("A", turn.match_id, turn.ply, act.actions[0].id))
        self.due += [play_pb2.BotEvent(act=act)] * (2 if self.rng.random() < TWICE else 1)

    def applied(self, message: play_pb2.Applied) -> None:
        log = ",".join(f"{entry.seat}:{entry.action.id}" for entry in asked(message.actions))
        clocks = message.clocks.seat0_ms, message.clocks.seat1_ms
        told = (message.match_id, message.ply, message.taken, message.charged_ms, *clocks, message.next_ply)
        self.rows.append(("P", *told, f"[{log}]"))

    def rejected(self, message: play_pb2.Rejected) -> None:
        reason = reason_pb2.Reason.Name(message.reason)
        self.rows.append(("R", message.match_id or "-", message.ply, reason, message.strikes))
        if message.HasField("turn") and reason != "REASON_STALE":
            self.turn(message.turn)

    def match_ended(self, message: play_pb2.MatchEnded) -> None:
        outcome = message.outcome
        words = (
            result_from_proto(outcome.result),
            termination_from_proto(outcome.termination),
            culprit_from_proto(outcome.culprit),
        )
        self.rows.append(("E", message.match_id, *words))
        self.running.discard(message.match_id)
        self.gives_up_at.pop(message.match_id, None)

    def pinged(self, message: play_pb2.Ping) -> None:
        self.due.append(play_pb2.BotEvent(pong=play_pb2.Pong(token=message.token)))

    def ponged(self, message: play_pb2.Pong) -> None:
        self.answered = max(self.answered, message.token)


HEARD: Mapping[str, Callable[[LeanBot, Any], None]] = {  # Any: the type of the event of that name
    "welcome": LeanBot.welcome,
    "offer": LeanBot.offer,
    "match_started": LeanBot.match_started,
    "turn": LeanBot.turn,
    "applied": LeanBot.applied,
    "rejected": LeanBot.rejected,
    "match_ended": LeanBot.match_ended,
    "ping": LeanBot.pinged,
    "pong": LeanBot.ponged,
}

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


@dataclass
class Stream:
    """One stream of the bot."""

    bot: LeanBot
    book: Notebook
    call: Call
    pause_s: float
    heard_at: float = 0.0

    async def run(self) -> None:
        """To its end. Raises AioRpcError, or TimeoutError for a silent server."""
        self.bot.begin()
        self.heard_at = time.monotonic()
        parts = [asyncio.create_task(part) for part in (self.read(), self.write(), self.beat())]
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
            self.call.cancel()

    async def read(self) -> None:
        async for frame in self.call:
            self.heard_at = time.monotonic()
            for event in frame.events:
                self.bot.hear(event)
            self.note()

    def note(self) -> None:
        """Writes down what is new, before anything is answered."""
        rows, self.bot.rows = self.bot.rows, []
        self.book.write_all(rows)

    async def write(self) -> None:
        """Sends what is due; the pause between is what the bot thinks."""
        while True:
            due, self.bot.due = self.bot.due, []
            if due:
                try:
                    await self.call.write(play_pb2.PlayRequest(events=due))
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await asyncio.get_running_loop().create_future()  # the reader learns why
            await asyncio.sleep(self.pause_s)

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(self.bot.heartbeat_s)
            silence_s = time.monotonic() - self.heard_at
            if not self.bot.ping() or silence_s > SILENT_HEARTBEATS * self.bot.heartbeat_s:
                raise TimeoutError("the server is silent")


async def play(bot: LeanBot, book: Notebook, address: str, token: str, pause_s: float) -> None:
    """Streams, one after the other, until the bot has left."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, bot.leave)
    backoff_s = 0.1
    while True:
        begun = time.monotonic()
        try:
            # A pool of its own: else the new channel inherits the connection that just failed.
            options = [("grpc.use_local_subchannel_pool", 1)]
            async with grpc.aio.insecure_channel(address, options=options) as channel:
                stub = match_service_pb2_grpc.MatchServiceStub(channel)
                call: Call = stub.Play(metadata=(("authorization", f"Bearer {token}"),))
                await Stream(bot, book, call, pause_s).run()
            if bot.leaving:
                return
            words = "closed"
        except grpc.aio.AioRpcError as error:
            words = f"{error.code().name} {error.details()}"
        except TimeoutError as error:
            words = str(error)
        book.write("X", words.replace("\n", " "))
        if time.monotonic() - begun > LONGEST_BACKOFF_S:
            backoff_s = 0.1
        await asyncio.sleep(backoff_s * random.uniform(0.5, 1))
        backoff_s = min(LONGEST_BACKOFF_S, 2 * backoff_s)


def main() -> None:
    given = json.loads(sys.argv[1])
    session = f"lean-{os.getpid()}-{os.urandom(6).hex()}"
    bot = LeanBot(session, given["capacity"], random.Random(f"{given['seed']} {os.getpid()}"))
    book = Notebook(Path(given["notebook"]))
    asyncio.run(play(bot, book, given["address"], os.environ["TARGI_TOKEN"], given["pause_s"]))


if __name__ == "__main__":
    main()
