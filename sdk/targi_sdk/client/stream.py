"""One Play stream, from its Hello to its end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine

import grpc
import grpc.aio
from targi.v1 import match_service_pb2_grpc as service
from targi.v1 import play_pb2 as pb

from targi_sdk.client.address import Address
from targi_sdk.client.channel import bearer, open_aio
from targi_sdk.client.farewell import Farewell
from targi_sdk.client.refusal import refusal
from targi_sdk.client.session import Session
from targi_sdk.errors import UnreachableError

__all__ = ["run_stream"]

SILENT_HEARTBEATS = 2
LONGEST_TICK_S = 0.25

Call = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]


async def run_stream(session: Session, address: Address, token: str) -> None:
    """Play on one stream; returns when the service ends it in peace. Raises an `ArenaError` else."""
    async with open_aio(address) as channel:
        call: Call = service.MatchServiceStub(channel).Play(metadata=bearer(token))
        farewell = Farewell(call)
        session.begin()
        try:
            await _first_of(
                _read(session, call, pulse := _Pulse(session)), _write(session, call), pulse.beat()
            )
        except grpc.aio.AioRpcError as error:
            said = farewell.of(error)
            if said.code() is grpc.StatusCode.OK:
                return
            raise await asyncio.to_thread(refusal, said, address) from error
        finally:
            call.cancel()


async def _read(session: Session, call: Call, pulse: _Pulse) -> None:
    """Handle frames. All that a frame leads to at once is queued before the writer gets its turn."""
    async for frame in call:
        pulse.heard()
        session.receive(frame)


async def _write(session: Session, call: Call) -> None:
    """Send what is due. When the stream is broken the reader learns of it, so this one only stops."""
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while True:
            events = await session.outbox.take()
            await call.write(pb.PlayRequest(events=events))
    await asyncio.get_running_loop().create_future()


class _Pulse:
    """Pings, and notices when the other side is silent for two heartbeats, or answers no Ping for as long.

    Who says something without answering does not hear this side: packets are lost in one direction.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._silence_s = 0.0
        self._unanswered_s = 0.0
        self._pongs = 0
        self._idle_s = 0.0

    def heard(self) -> None:
        """Any event is a sign of life."""
        self._silence_s = 0.0

    async def beat(self) -> None:
        """Beat until this side is done. Raises `UnreachableError` when the other one is taken for gone."""
        since_ping = 0.0
        while not self._is_done():
            passed = await _tick(min(LONGEST_TICK_S, self._session.heartbeat_s / 4))
            self._silence_s += passed
            self._wait_for_pong(passed)
            self._idle_s = self._idle_s + passed if self._session.has_left else 0.0
            since_ping += passed
            if since_ping >= self._session.heartbeat_s:
                since_ping = 0.0
                self._session.ping()
            self._session.matches.tick()

    def _wait_for_pong(self, passed: float) -> None:
        session = self._session
        waits = session.pings > session.pongs == self._pongs
        self._unanswered_s = self._unanswered_s + passed if waits else 0.0
        self._pongs = session.pongs

    def _is_done(self) -> bool:
        """Whether this side has left, and the service had time enough to close the stream itself."""
        limit_s = SILENT_HEARTBEATS * self._session.heartbeat_s
        if self._silence_s >= limit_s:
            raise UnreachableError(f"the server was silent for {self._silence_s:.1f} s")
        if self._unanswered_s >= limit_s:
            raise UnreachableError(f"the server did not answer for {self._unanswered_s:.1f} s")
        return self._idle_s >= limit_s


async def _tick(seconds: float) -> float:
    """Wait, and return the seconds that count: a loop that a bot held up heard nothing because of itself."""
    begun = time.monotonic()
    await asyncio.sleep(seconds)
    return min(time.monotonic() - begun, 2 * seconds)


async def _first_of(*parts: Coroutine[None, None, None]) -> None:
    """Run all until the first one ends, and end like that one."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
