"""A stream of a hostile bot: frames go out, and what the server makes of them is noted."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio
from play_client import bearer, reason_of
from play_frames import Known
from targi.v1 import game_pb2, play_pb2, reason_pb2

__all__ = ["Stream", "Tally"]

STUCK_S: Final = 120.0
"""A server that leaves a Ping unanswered for so long does not read the stream."""
DEAF_FRAMES: Final = 40
DEAF_PINGS: Final = 200

ENDS: Final = frozenset(
    {
        ("OK", ""),
        ("INVALID_ARGUMENT", "INVALID"),
        ("INVALID_ARGUMENT", "MALFORMED"),
        ("INVALID_ARGUMENT", "PROTOCOL"),
        ("RESOURCE_EXHAUSTED", ""),  # grpc's own, for a frame of which nothing is read
        ("RESOURCE_EXHAUSTED", "SLOW_READER"),
        ("RESOURCE_EXHAUSTED", "TAKEOVER_LIMIT"),
        ("ABORTED", "REPLACED"),
        ("UNAVAILABLE", "UNAVAILABLE"),  # two heartbeats without a sign of life
    }
)
"""Status and reason with which the server may end a stream."""


UNSEEN: Final = "Internal error from Core"
"""What grpc.aio says in place of the status where a write fails because the stream is over (its issue 36066).

The status of these streams is known from the metrics of the server.
"""


@dataclass
class Tally:
    """What became of all frames."""

    wanted: int = 0
    read: int = 0
    """Frames that the server is known to have read: a Pong came after them, or the stream ended at them."""
    streams: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    heard: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    """How the matches ended that hostile bots were told of."""
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return self.read >= self.wanted


class Stream:
    """One stream of a hostile bot."""

    def __init__(self, address: str, token: str, known: Known, rng: random.Random, tally: Tally) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)]
        self._channel = grpc.aio.insecure_channel(address, options)
        method: Any = self._channel.stream_stream("/targi.v1.MatchService/Play")  # bytes both ways
        self._call = method(metadata=bearer(token))
        self._known, self._rng, self._tally = known, rng, tally
        self._pongs: dict[int, asyncio.Event] = {}
        self._unread = 0
        self._listening = asyncio.Event()
        self._listening.set()
        self._reader = asyncio.create_task(self._read())
        self.over = asyncio.Event()
        tally.streams += 1

    async def write(self, data: bytes) -> None:
        """Send a frame; nothing if the stream is over."""
        if self.over.is_set():
            return
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
            await self._call.write(data)
            self._unread += 1

    async def say(self, **event: Any) -> None:
        """Send a good event."""
        made = play_pb2.PlayRequest(events=[play_pb2.BotEvent(**event)])
        await self.write(made.SerializeToString())

    async def settle(self) -> None:
        """Wait until the server has read all of it, or has ended the stream."""
        token = self._rng.getrandbits(63) | 1 << 62
        answered = self._pongs[token] = asyncio.Event()
        await self.say(ping=play_pb2.Ping(token=token))
        waits = [asyncio.create_task(event.wait()) for event in (answered, self.over)]
        done, _ = await asyncio.wait(waits, timeout=STUCK_S, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if not done:
            self._tally.faults.append(f"a stream was neither read nor ended within {STUCK_S:.0f} s")
        if answered.is_set():
            self._tally.read += self._unread
            self._unread = 0

    async def half_close(self) -> None:
        """Say no more, and hear what is left."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
            await self._call.done_writing()
        await self._await_end("after the last frame")

    async def go_deaf(self) -> None:
        """Read nothing while much is answered, then hear how it ended."""
        self._listening.clear()
        pings = [play_pb2.BotEvent(ping=play_pb2.Ping(token=2**64 - 1))] * DEAF_PINGS
        data = play_pb2.PlayRequest(events=pings).SerializeToString()
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                for _ in range(DEAF_FRAMES):
                    await self.write(data)
        self._listening.set()

    async def cut(self) -> None:
        """Break the connection without a word."""
        self.over.set()
        await self._channel.close()

    async def cancel(self) -> None:
        """Cancel the call, and keep the connection for a moment."""
        self.over.set()
        self._call.cancel()

    async def close(self) -> None:
        """Leave nothing behind."""
        self.over.set()
        self._listening.set()
        self._call.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader
        await self._channel.close()

    async def _await_end(self, when: str) -> None:
        try:
            async with asyncio.timeout(STUCK_S):
                await self.over.wait()
        except TimeoutError:
            self._tally.faults.append(f"a stream did not end within {STUCK_S:.0f} s {when}")

    async def _read(self) -> None:
        try:
            while await self._listening.wait() and (data := await self._call.read()) is not grpc.aio.EOF:
                self._hear(play_pb2.PlayResponse.FromString(data))
            code = await self._call.code()
            self._ended(code.name, "", await self._call.details() or "")
        except grpc.aio.AioRpcError as error:
            rich = "grpc-status-details-bin" in dict(error.trailing_metadata() or ())
            self._ended(error.code().name, reason_of(error) if rich else "", error.details() or "")
        except (asyncio.CancelledError, grpc.aio.UsageError):
            pass  # by this side
        except Exception as error:
            self._tally.faults.append(f"what the server sent cannot be read: {error!r}")
        finally:
            self.over.set()

    def _ended(self, code: str, reason: str, words: str) -> None:
        if self.over.is_set():
            return  # by this side
        self._tally.read += min(1, self._unread)
        if words == UNSEEN:
            self._tally.ends["not seen, for this side was writing"] += 1
            return
        self._tally.ends[f"{code} {reason}".strip()] += 1
        if (code, reason) not in ENDS:
            self._tally.faults.append(f"a stream ended with {code} {reason}: {words}")

    def _hear(self, heard: play_pb2.PlayResponse) -> None:
        for event in heard.events:
            kind = event.WhichOneof("event")
            self._tally.heard[str(kind)] += 1
            if kind is not None and kind in _HEARD:
                _HEARD[kind](self, getattr(event, kind))

    def _pong(self, pong: play_pb2.Pong) -> None:
        if answered := self._pongs.pop(pong.token, None):
            answered.set()

    def _offer(self, offer: play_pb2.Offer) -> None:
        self._known.offers.append(offer.offer_id)

    def _started(self, started: play_pb2.MatchStarted) -> None:
        self._known.turns[started.match_id] = (started.ply, ())
        if started.HasField("turn"):
            self._turn(started.turn)

    def _turn(self, turn: play_pb2.Turn) -> None:
        self._known.turns[turn.match_id] = (turn.ply, tuple(action.id for action in turn.legal))

    def _applied(self, applied: play_pb2.Applied) -> None:
        self._known.turns[applied.match_id] = (applied.next_ply, ())

    def _rejected(self, rejected: play_pb2.Rejected) -> None:
        name = reason_pb2.Reason.Name(rejected.reason).removeprefix("REASON_")
        self._tally.refused[name] += 1
        if name == "INTERNAL" or "store does not answer" in rejected.words:
            self._tally.faults.append(f"Rejected: {name}, {rejected.words}")
        if rejected.HasField("turn"):
            self._turn(rejected.turn)

    def _match_ended(self, ended: play_pb2.MatchEnded) -> None:
        self._known.turns.pop(ended.match_id, None)
        self._known.over.append(ended.match_id)
        self._tally.endings[game_pb2.Termination.Name(ended.outcome.termination)] += 1
        if ended.outcome.termination == game_pb2.TERMINATION_SERVER_ERROR:
            self._tally.faults.append(f"SERVER_ERROR in {ended.match_id}: {ended.outcome.words}")


# Any: each method takes the event that it is listed for; the table itself cannot say so.
_HEARD: Final[Mapping[str, Callable[[Stream, Any], None]]] = {
    "pong": Stream._pong,
    "offer": Stream._offer,
    "match_started": Stream._started,
    "turn": Stream._turn,
    "applied": Stream._applied,
    "rejected": Stream._rejected,
    "match_ended": Stream._match_ended,
}
