"""One Play stream: its frames are read and written here, from Hello to its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol

from google.protobuf.message import DecodeError
from targi.v1 import play_pb2

from targi_server.accounts.identity import Identity
from targi_server.errors import Invalid, Malformed, ProtocolBreach, TooLarge
from targi_server.metrics import Metrics
from targi_server.play import views
from targi_server.play.errands import Errands
from targi_server.play.events import Events, Work
from targi_server.play.host import Host
from targi_server.play.intake import IN_A_ROW, Intake
from targi_server.play.session import Session
from targi_server.play.together import Arrived

__all__ = ["Frames", "Stream"]

HELLO_S = 10.0
FLUSH_S = 5.0
MOST_BAD = 10
BETWEEN_ROWS_S = 0.005
"""Rest inside a long frame, so that a bot that reads is sent its answers before they fill the queue."""

Refuse = Callable[[Invalid], Awaitable[None]]


class Frames(Protocol):
    """The transport: whole frames, undecoded."""

    async def read(self) -> bytes | None:
        """Next frame; None after the peer's last."""

    async def write(self, frame: bytes) -> None:
        """Send a frame; may wait for the peer."""


class Stream:
    """A conversation with one bot."""

    def __init__(
        self,
        frames: Frames,
        host: Host,
        events: Events,
        errands: Errands,
        metrics: Metrics,
        max_frame_bytes: int,
    ) -> None:
        self._frames = frames
        self._host = host
        self._events = events
        self._errands = errands
        self._metrics = metrics
        self._limit = max_frame_bytes
        self._bad = 0

    async def run(self, identity: Identity) -> None:
        """Serve the stream to its end. Raises the error with which it ends, none if it ends well."""
        self._metrics.streams.inc()
        try:
            first = await self._hello()
            if first is not None:
                await self._visit(first, identity)
        finally:
            self._metrics.streams.dec()

    async def _visit(self, first: play_pb2.PlayRequest, identity: Identity) -> None:
        session = await self._host.admit(first.events[0].hello, identity)
        try:
            await self._converse(session, first.events[1:])
        finally:
            self._host.see_off(session)

    async def _hello(self) -> play_pb2.PlayRequest | None:
        try:
            async with asyncio.timeout(HELLO_S):
                first = await self._next(self._write_refusal)
                while first is not None and not first.events:
                    first = await self._next(self._write_refusal)
        except TimeoutError as error:
            raise ProtocolBreach(f"no Hello within {HELLO_S:.0f} s: send it as the first event") from error
        if first is not None and first.events[0].WhichOneof("event") != "hello":
            raise ProtocolBreach("the first event of a stream must be Hello")
        return first

    async def _converse(self, session: Session, others: Sequence[play_pb2.BotEvent]) -> None:
        reader = asyncio.create_task(self._read(session, others))
        writer = asyncio.create_task(self._write(session))
        ended = asyncio.create_task(session.outbox.ended())
        tasks = (reader, writer, ended)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if ended.done() and (error := ended.result()) is not None:
                raise error
            taken = session.ends.left if reader.done() else session.ends.written
            session.close()
            await asyncio.wait((writer,), timeout=FLUSH_S)
            if reader.done():
                reader.result()
            if writer.done():
                writer.result()
                taken()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self, session: Session) -> None:
        while frame := await session.outbox.take(self._limit):
            await self._frames.write(frame)

    async def _read(self, session: Session, others: Sequence[play_pb2.BotEvent]) -> None:
        intake = Intake(session.arrival.capacity)

        async def refuse(error: Invalid) -> None:
            session.pulse.heard(time.monotonic())
            self._events.refuse(session, error)
            await intake.pause(1)

        await self._deal(session, others, intake)
        while (request := await self._next(refuse)) is not None:
            await self._deal(session, request.events, intake)

    async def _deal(self, session: Session, events: Sequence[play_pb2.BotEvent], intake: Intake) -> None:
        """Deal with a frame; a bot that floods waits here, alone, and is not silent while it does."""
        for start in range(0, len(events) or 1, IN_A_ROW):
            row = events[start : start + IN_A_ROW]
            session.pulse.heard(time.monotonic())
            await self._deal_with_row(session, row, intake)
            await intake.pause(1 + len(row))
            if start + IN_A_ROW < len(events):
                await asyncio.sleep(BETWEEN_ROWS_S)

    async def _deal_with_row(
        self, session: Session, events: Iterable[play_pb2.BotEvent], intake: Intake
    ) -> None:
        acts: list[Arrived] = []
        for event in events:
            if intake.is_full:
                self._answer(session, acts, intake)
                acts = []
                await intake.room()
            act = self._events.arrived(event)
            if act is not None:
                self._bad = 0
                intake.admit()
                acts.append(act)
            elif (work := self._taken(session, event)) is not None:
                intake.admit()
                self._errands.start(_released(work, intake))
        self._answer(session, acts, intake)

    def _answer(self, session: Session, acts: Sequence[Arrived], intake: Intake) -> None:
        """Deal with Acts that came together, if any did."""
        if acts:
            self._errands.start(_released(self._events.answer(session, acts), intake, len(acts)))

    def _taken(self, session: Session, event: play_pb2.BotEvent) -> Work | None:
        try:
            work = self._events.take(session, event)
        except Malformed as error:
            self._events.refuse(session, error)
            self._count_bad()
            return None
        except Invalid as error:
            self._events.refuse(session, error)
            return None
        self._bad = 0
        return work

    async def _next(self, refuse: Refuse) -> play_pb2.PlayRequest | None:
        """Next frame that parses; bad ones are refused. Raises Malformed at the tenth in a row."""
        while (raw := await self._frames.read()) is not None:
            try:
                return _decoded(raw, self._limit)
            except Invalid as error:
                await refuse(error)
                self._count_bad()
        return None

    async def _write_refusal(self, error: Invalid) -> None:
        await self._frames.write(views.rejected(error))

    def _count_bad(self) -> None:
        self._bad += 1
        if self._bad == MOST_BAD:
            raise Malformed(f"{MOST_BAD} frames in a row do not parse: this is no client of targi.v1")


def _decoded(raw: bytes, limit: int) -> play_pb2.PlayRequest:
    if len(raw) > limit:
        raise TooLarge(
            f"a frame of {len(raw)} bytes: {limit} are allowed (Welcome.limits); send smaller ones"
        )
    try:
        return play_pb2.PlayRequest.FromString(raw)
    except DecodeError as error:
        raise Malformed("the frame is no PlayRequest of targi.v1") from error


async def _released(work: Work, intake: Intake, events: int = 1) -> None:
    try:
        await work
    finally:
        intake.release(events)
