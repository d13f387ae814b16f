"""An arena whose every word is scripted by the test, behind a real gRPC port.

async with fake_arena() as arena:
    ...                                  # start a client on arena.address
    line = await arena.line()            # the next Play stream
    hello = (await line.hear("hello")).hello
    await line.say(welcome(), ...)       # one frame
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
import grpc.aio
from certificates import CERTIFICATE, KEY
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from targi.v1 import game_pb2, match_service_pb2_grpc
from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons
from targi_engine import RULES, VOCABULARY, ruleset
from targi_sdk.wire import (
    rules_to_proto,
)

PATIENCE_S = 30.0
HEARTBEAT_MS = 60_000

Context: TypeAlias = "grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]"
End: TypeAlias = "tuple[grpc.StatusCode, str, str] | None"


class Line:
    """One Play stream, from the arena's side. It answers Pings by itself, unless it is `mute`."""

    def __init__(self, context: Context) -> None:
        self.frames: list[pb.PlayRequest] = []
        self.token = dict(context.invocation_metadata() or ()).get("authorization", b"")
        self.ended: asyncio.Future[End] = asyncio.get_running_loop().create_future()
        self._context = context
        self.mute = False
        self._news = asyncio.Condition()
        self._writing = asyncio.Lock()
        self._read = 0

    async def heard(self, frame: pb.PlayRequest) -> None:
        async with self._news:
            self.frames.append(frame)
            self._news.notify_all()
        pings = [event.ping for event in frame.events if event.HasField("ping")]
        if pings and not self.mute:
            await self.say(*(pb.ServerEvent(pong=pb.Pong(token=ping.token)) for ping in pings))

    @property
    def events(self) -> list[pb.BotEvent]:
        """Everything that came, in order."""
        return [event for frame in self.frames for event in frame.events]

    def count(self, kind: str) -> int:
        """How many events of a kind came so far."""
        return sum(event.WhichOneof("event") == kind for event in self.events)

    async def hear(self, kind: str) -> pb.BotEvent:
        """The next event of a kind; what comes before it is passed over."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            while True:
                for place, event in enumerate(self.events[self._read :], self._read):
                    if event.WhichOneof("event") == kind:
                        self._read = place + 1
                        return event
                await self._news.wait()

    async def say(self, *events: pb.ServerEvent) -> None:
        """Send events in one frame."""
        async with self._writing:
            await self._context.write(pb.PlayResponse(events=events))

    async def settle(self) -> None:
        """Wait until the client has handled all that was said: it answers a Ping in order."""
        await self.say(pb.ServerEvent(ping=pb.Ping(token=4711)))
        while (await self.hear("pong")).pong.token != 4711:
            pass

    def end(self, code: grpc.StatusCode | None = None, reason: str = "", words: str = "") -> None:
        """End the stream: in peace, or with a status and a reason."""
        self.ended.set_result(None if code is None else (code, reason, words))


class _Servicer(match_service_pb2_grpc.MatchServiceServicer):
    """Plays only: the generated base answers everything else with UNIMPLEMENTED."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[Line] = asyncio.Queue()

    async def Play(self, requests: AsyncIterator[pb.PlayRequest], context: Context) -> None:  # type: ignore[override]  # noqa: N802
        line = Line(context)
        reader = asyncio.create_task(_read(requests, line))
        self.lines.put_nowait(line)
        try:
            end = await line.ended
        finally:
            reader.cancel()
        if end is not None:
            code, reason, words = end
            await context.abort(code, words, status_details(code, reason, words))


async def _read(requests: AsyncIterator[pb.PlayRequest], line: Line) -> None:
    async for frame in requests:
        await line.heard(frame)


def status_details(code: grpc.StatusCode, reason: str, words: str) -> tuple[tuple[str, bytes], ...]:
    """Trailing metadata that says a reason, as google.rpc.ErrorInfo."""
    if not reason:
        return ()
    info = any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="targi"))
    number: int = code.value[0]
    status = status_pb2.Status(code=number, message=words, details=[info])
    return (("grpc-status-details-bin", status.SerializeToString()),)


class FakeArena:
    """The server. `stop` cuts all connections; `start` again listens on the same port."""

    def __init__(self, *more: Callable[[grpc.aio.Server], None], tls: bool = False) -> None:
        self.port = 0
        self._tls = tls
        self._more = more
        self._servicer = _Servicer()  # type: ignore[abstract]  # only the stubs call the methods abstract
        self._server: grpc.aio.Server | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self._servicer, server)
        for add in self._more:
            add(server)
        if self._tls:
            trust = grpc.ssl_server_credentials([(KEY, CERTIFICATE)])
            self.port = server.add_secure_port(f"127.0.0.1:{self.port}", trust)
        else:
            self.port = server.add_insecure_port(f"127.0.0.1:{self.port}")
        await server.start()
        self._server = server

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.stop(grace=None)
            self._server = None

    async def line(self) -> Line:
        """The next stream that a client opens."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._servicer.lines.get()

    async def welcomed(self, *, running: int = 0) -> Line:
        """The next stream, after its Hello was answered."""
        line = await self.line()
        await line.hear("hello")
        await line.say(welcome(running=running))
        return line


@asynccontextmanager
async def fake_arena(*more: Callable[[grpc.aio.Server], None], tls: bool = False) -> AsyncIterator[FakeArena]:
    """A running arena; `more` adds further servicers to its server."""
    arena = FakeArena(*more, tls=tls)
    await arena.start()
    try:
        yield arena
    finally:
        await arena.stop()


def welcome(
    *, running: int = 0, heartbeat_ms: int = HEARTBEAT_MS, ids: bool = True, rules: int = RULES
) -> pb.ServerEvent:
    return pb.ServerEvent(
        welcome=pb.Welcome(
            bot="trial",
            server_version="test",
            rules_versions=[rules],
            vocabulary_version=VOCABULARY,
            limits=pb.Limits(heartbeat_ms=heartbeat_ms),
            running_matches=running,
            action_ids=ids,
        )
    )


def offer(offer_id: str = "f" * 16, *matches: str, name: str = "base") -> pb.ServerEvent:
    return pb.ServerEvent(
        offer=pb.Offer(
            offer_id=offer_id,
            kind=pb.OFFER_KIND_RATED_PAIR if len(matches) > 1 else pb.OFFER_KIND_SINGLE,
            match_ids=matches or (offer_id,),
            rules=rules_to_proto(ruleset("base")) if name == "base" else game_pb2.Rules(ruleset=name),
            answer_within_ms=10_000,
        )
    )


def rejected(
    match_id: str, ply: int, reason: reasons.Reason.ValueType, turn: pb.Turn | None = None
) -> pb.ServerEvent:
    return pb.ServerEvent(
        rejected=pb.Rejected(match_id=match_id, ply=ply, reason=reason, words="because", turn=turn)
    )


def offer_rejected(offer_id: str, reason: reasons.Reason.ValueType) -> pb.ServerEvent:
    return pb.ServerEvent(rejected=pb.Rejected(offer_id=offer_id, reason=reason, words="because"))


def first_frame_with(line: Line, kind: str) -> Sequence[str | None]:
    """Kinds of all events of the first frame that has one of a kind."""
    for frame in line.frames:
        kinds = [event.WhichOneof("event") for event in frame.events]
        if kind in kinds:
            return kinds
    raise AssertionError(f"no frame has a {kind}")
