"""A raw client of the Play stream, and a server in process for it to talk to. No bot of the SDK plays."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import grpc
from duel import Duel
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from targi.v1 import game_pb2, match_service_pb2_grpc, play_pb2
from targi_engine import VOCABULARY, new_game
from targi_sdk.client.farewell import Farewell
from targi_server.app import Service, running
from targi_server.lobby.terms import Times, terms
from targi_server.match.model import Kind
from targi_server.settings import Settings

WITHIN_S = 20.0
SEED = bytes(range(32))

# Messages of protobuf and their fields have no common type that is better than Any.
Message = Any
Metadata = tuple[tuple[str, str], ...]


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """The machine-readable reason of a status."""
    rich = status_pb2.Status.FromString(dict(error.trailing_metadata() or ())["grpc-status-details-bin"])
    info = error_details_pb2.ErrorInfo()
    assert rich.details[0].Unpack(info)
    return str(info.reason)


async def until(condition: Callable[[], object]) -> None:
    """Wait for something that happens inside the server."""
    async with asyncio.timeout(WITHIN_S):
        while not condition():  # noqa: ASYNC110 (there is no event to wait for)
            await asyncio.sleep(0.005)


@dataclass(frozen=True)
class Ended:
    """How a stream ended."""

    code: grpc.StatusCode
    reason: str
    words: str


class PlayClient:
    """One Play stream. Events wait in `events` until somebody asks for them; Pings are answered."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        method: Any = channel.stream_stream("/targi.v1.MatchService/Play")  # bytes both ways
        self.call = method(metadata=bearer(token) if token else ())
        self._farewell = Farewell(self.call)
        self.events: list[play_pb2.ServerEvent] = []
        self.frames: list[int] = []
        self.pings = 0
        self.pongs = True
        self.reading = asyncio.Event()
        self.reading.set()
        self.named = False
        self.ended: Ended | None = None
        self._writing = asyncio.Lock()
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def hello(self, **fields: Any) -> play_pb2.Welcome:
        """Say Hello and wait for Welcome."""
        await self.send(hello=hello(**fields))
        welcome: play_pb2.Welcome = await self.next("welcome")
        self.named = not welcome.action_ids
        return welcome

    async def send(self, **event: Message) -> None:
        """Send one event in a frame of its own."""
        await self.send_all(play_pb2.BotEvent(**event))

    async def send_all(self, *events: play_pb2.BotEvent) -> None:
        """Send events in one frame."""
        await self.write(play_pb2.PlayRequest(events=events).SerializeToString())

    async def write(self, frame: bytes) -> None:
        """Send any bytes as a frame."""
        async with self._writing:  # a Pong may be due meanwhile, and gRPC takes one frame at a time
            await self.call.write(frame)

    async def act(self, match_id: str, ply: int, *actions: int | str, note: str = "") -> None:
        """Send an Act of ids or notations."""
        await self.send(act=act(match_id, ply, *actions, note=note))

    async def next(self, kind: str, match_id: str = "") -> Message:
        """Wait for the first event of that kind (of that match) and take it out of the queue."""
        async with asyncio.timeout(WITHIN_S), self._news:
            while True:
                for place, event in enumerate(self.events):
                    message = getattr(event, kind)
                    if event.WhichOneof("event") == kind and match_id in ("", match_of(message)):
                        del self.events[place]
                        return message
                if self.ended is not None:
                    raise AssertionError(f"the stream ended without {kind}: {self.ended}")
                await self._news.wait()

    async def told(self, match_id: str) -> None:
        """Wait for the MatchStarted of a match, and leave it where it is."""
        async with asyncio.timeout(WITHIN_S), self._news:
            await self._news.wait_for(
                lambda: any(event.match_started.match_id == match_id for event in self.events)
            )

    async def turn(self, match_id: str) -> play_pb2.Turn:
        """Wait until this bot is asked for a move in a match, however it is asked."""
        async with asyncio.timeout(WITHIN_S), self._news:
            while True:
                for place, event in enumerate(self.events):
                    turn = asked(event)
                    if turn is not None and turn.match_id == match_id:
                        del self.events[place]
                        return turn
                assert self.ended is None, self.ended
                await self._news.wait()

    async def end(self) -> Ended:
        """Wait for the end of the stream."""
        async with asyncio.timeout(WITHIN_S), self._news:
            while self.ended is None:
                await self._news.wait()
        return self.ended

    def kinds(self) -> list[str]:
        """Kinds of the events that nobody asked for yet."""
        return [str(event.WhichOneof("event")) for event in self.events]

    async def cut(self) -> None:
        """Break the connection without a word."""
        self.call.cancel()
        self.reading.set()  # or its reader would never learn of it
        with suppress(asyncio.CancelledError):
            await self._reader

    async def _read(self) -> None:
        try:
            while await self.reading.wait() and (frame := await self.call.read()) is not grpc.aio.EOF:
                await self._take(frame)
            await self._finish(Ended(await self.call.code(), "", await self.call.details() or ""))
        except grpc.aio.AioRpcError as error:
            said = self._farewell.of(error)
            metadata = dict(said.trailing_metadata() or ())
            reason = reason_of(said) if "grpc-status-details-bin" in metadata else ""
            await self._finish(Ended(said.code(), reason, said.details() or ""))

    async def _take(self, frame: bytes) -> None:
        events = play_pb2.PlayResponse.FromString(frame).events
        async with self._news:
            self.frames.append(len(events))
            self.events.extend(event for event in events if event.WhichOneof("event") != "ping")
            self._news.notify_all()
        for event in events:
            if event.WhichOneof("event") == "ping":
                self.pings += 1
                if self.pongs:
                    await self.send(pong=play_pb2.Pong(token=event.ping.token))

    async def _finish(self, ended: Ended) -> None:
        async with self._news:
            self.ended = ended
            self._news.notify_all()


def match_of(message: Message) -> str:
    return getattr(message, "match_id", "")


def asked(event: play_pb2.ServerEvent) -> play_pb2.Turn | None:
    """The open turn that an event carries, with the id of its match."""
    kind = event.WhichOneof("event")
    if kind == "turn":
        return event.turn
    if kind in ("match_started", "rejected") and getattr(event, kind).HasField("turn"):
        turn: play_pb2.Turn = getattr(event, kind).turn
        return turn
    return None


def act(match_id: str, ply: int, *actions: int | str, note: str = "") -> play_pb2.Act:
    links = [
        game_pb2.Action(id=item) if isinstance(item, int) else game_pb2.Action(name=item) for item in actions
    ]
    return play_pb2.Act(match_id=match_id, ply=ply, actions=links, note=note)


def hello(**fields: Any) -> play_pb2.Hello:
    """A Hello of a bot that holds the engine; fields may be replaced."""
    values: dict[str, Any] = {
        "session": "session-0123456789",
        "sdk_name": "raw",
        "bot_version": "1.0",
        "vocabulary_version": VOCABULARY,
        "capacity": 8,
        "view": play_pb2.VIEW_FORM_COMPACT,
    }
    return play_pb2.Hello(**values | fields)


@dataclass
class Arena:
    """A server in this process, reached over its real port."""

    service: Service
    tokens: dict[str, str] = field(default_factory=dict)
    channels: list[grpc.aio.Channel] = field(default_factory=list)
    clients: list[PlayClient] = field(default_factory=list)
    _sessions: Any = field(default_factory=itertools.count)

    def channel(self, *further: tuple[str, int]) -> grpc.aio.Channel:
        """A connection of its own: bots are other processes, and do not share one."""
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1), *further]
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.service.port}", options=options)
        self.channels.append(channel)
        return channel

    @property
    def stub(self) -> Any:  # the stub's async form exists in annotations only
        return match_service_pb2_grpc.MatchServiceStub(self.channel())

    async def register(self, bot: str, owner: str = "") -> str:
        """Token of a bot, with an owner of its own unless one is named."""
        if bot not in self.tokens:
            owner = owner or f"owner-of-{bot}"
            if owner not in self.tokens:
                self.tokens[owner] = await self.service.parts.accounts.create_owner(owner, None, "127.0.0.1")
            self.tokens[bot] = await self.service.parts.accounts.register_bot(owner, bot)
        return self.tokens[bot]

    def client(self, token: str) -> PlayClient:
        """A stream with any token."""
        client = PlayClient(self.channel(), token)
        self.clients.append(client)
        return client

    async def connect(self, bot: str, **fields: Any) -> PlayClient:
        """A bot that said Hello, in a session of its own unless one is named."""
        client = self.client(await self.register(bot))
        await client.hello(**{"session": f"session-{next(self._sessions):016d}"} | fields)
        return client

    async def leave(self, client: PlayClient, bot: str) -> None:
        """Cut a bot's stream, and wait until the server has noticed.

        Who connects before that takes the bot over, and may do so once a minute only.
        """
        await client.cut()
        while await self.service.parts.lobby.presence.of(bot) is not None:  # noqa: ASYNC110 (nothing tells)
            await asyncio.sleep(0.005)

    async def offer(self, first: str, second: str, **fields: Any) -> str:
        """Offer a single game from a known seed, with `first` on seat 0."""
        given = {"seeds": (SEED,)} | fields
        times = given.pop("times", Times(60_000, 1_000, 60_000))
        kind = given.pop("kind", Kind.SINGLE)
        what = terms(kind, "base", times, **given)
        owners = (f"owner-of-{first}", f"owner-of-{second}")
        return (await self.service.parts.lobby.offers.make(what, (first, second), owners)).offer_id

    async def match(self, first: PlayClient, second: PlayClient, *names: str, **fields: Any) -> str:
        """A match that both were ready for and that both know of; its id."""
        await self.offer(*names, **fields)
        for client in (first, second):
            offer = await client.next("offer")
            nonce = secrets.token_bytes(32)
            await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=nonce))
        match_id = str(offer.match_ids[0])
        for client in (first, second):
            await client.told(match_id)
        return match_id

    async def duel(self, *bots: str, **fields: Any) -> Duel:
        """Two bots that connect and play a match from the known seed."""
        names = bots or ("bot-one", "bot-two")
        clients = [await self.connect(name) for name in names]
        match_id = await self.match(clients[0], clients[1], *names, **fields)
        return Duel(match_id, clients, new_game("base", SEED))

    async def filed(self, match_id: str) -> None:
        """Wait until a match that is over is filed."""
        while await self.service.store.matches.finished(match_id) is None:
            await self.service.parts.matchmaker.step()

    async def close(self) -> None:
        for client in self.clients:
            await client.cut()
        for channel in self.channels:
            await channel.close()


@asynccontextmanager
async def arena(redis_url: str, **fields: Any) -> AsyncIterator[Arena]:
    """A server for the block, with registration open and no ladder pairing."""
    values = {"port": 0, "open_registration": True, "pairing": False, "registrations_per_hour": 1_000}
    settings = Settings(redis_url=redis_url, **values | fields)
    async with running(settings) as service:
        arena = Arena(service)
        try:
            yield arena
        finally:
            await arena.close()
