"""A gRPC server with small servicers of its own, over a real port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from targi.v1 import (
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
)
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.accounts.store import Accounts
from targi_server.errors import BadToken, NameTaken
from targi_server.metrics import Metrics
from targi_server.rpc.call import caller, current_call
from targi_server.rpc.concerns import concerns
from targi_server.rpc.limits import CallLimits
from targi_server.rpc.server import Health, Registration, listening
from targi_server.settings import Settings

if TYPE_CHECKING:  # typed stubs that exist in the annotations only
    from targi.v1.ladder_service_pb2_grpc import LadderServiceAsyncStub
    from targi.v1.lobby_service_pb2_grpc import LobbyServiceAsyncStub

LADDER = ladder_service_pb2.DESCRIPTOR.services_by_name["LadderService"]


LOBBY = lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"]


IDENTITIES = {
    "owner-token": Identity(TokenKind.OWNER, "ann"),
    "admin-token": Identity(TokenKind.ADMIN, "root"),
    "bot-token": Identity(TokenKind.BOT, "ann", bot="ann-one"),
}


class KnownTokens(Accounts):
    def __init__(self) -> None:
        pass

    async def authenticate(self, token: str) -> Identity:
        if token not in IDENTITIES:
            raise BadToken("nobody has this token: make a new one")
        return IDENTITIES[token]


class Lobby(lobby_service_pb2_grpc.LobbyServiceServicer):
    """Answers with who asked; its other methods are not built."""

    def __init__(self) -> None:
        self.held = asyncio.Event()
        self.entered = asyncio.Event()

    async def ListOnline(  # noqa: N802
        self, request: lobby_service_pb2.ListOnlineRequest, context: object
    ) -> lobby_service_pb2.ListOnlineResponse:
        self.entered.set()
        await self.held.wait()
        name = current_call().name
        return lobby_service_pb2.ListOnlineResponse(bots=[lobby_service_pb2.OnlineBot(bot=name)])

    async def Challenge(  # noqa: N802
        self, request: lobby_service_pb2.ChallengeRequest, context: object
    ) -> lobby_service_pb2.ChallengeResponse:
        if request.opponent == "taken":
            raise NameTaken("the name is taken: choose another")
        if request.opponent == "broken":
            raise ZeroDivisionError("secret of the inside")
        return lobby_service_pb2.ChallengeResponse(challenge_id=caller().bot or caller().owner)


class Ladder:
    """A streaming answer, and nothing else."""

    async def ExportResults(  # noqa: N802
        self, request: ladder_service_pb2.ExportResultsRequest, context: object
    ) -> AsyncIterator[ladder_service_pb2.ExportResultsResponse]:
        for number in range(3):
            pair = ladder_service_pb2.PairResult(pair_id=str(number))
            yield ladder_service_pb2.ExportResultsResponse(results=[pair])


@dataclass
class Served:
    channel: grpc.aio.Channel
    health: Health
    metrics: Metrics
    servicer: Lobby
    port: int

    @property
    def lobby(self) -> LobbyServiceAsyncStub:
        return lobby_service_pb2_grpc.LobbyServiceStub(self.channel)

    @property
    def ladder(self) -> LadderServiceAsyncStub:
        return ladder_service_pb2_grpc.LadderServiceStub(self.channel)


@asynccontextmanager
async def serving(calls_per_caller: int = 8) -> AsyncIterator[Served]:
    metrics = Metrics()
    servicer = Lobby()  # type: ignore[abstract]  # the rest answers as the generated base does
    servicer.held.set()
    registrations: list[Registration] = [(LOBBY, servicer), (LADDER, Ladder())]
    order = concerns(metrics, KnownTokens(), CallLimits(per_caller=calls_per_caller))
    async with (
        listening(Settings(port=0), registrations, order) as (port, health),
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        yield Served(channel, health, metrics, servicer, port)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def reason_of(error: grpc.aio.AioRpcError) -> str:
    rich = status_pb2.Status.FromString(dict(error.trailing_metadata() or ())["grpc-status-details-bin"])
    info = error_details_pb2.ErrorInfo()
    assert rich.details[0].Unpack(info)
    return str(info.reason)


async def refusal(opponent: str, token: str | None, server: Served) -> grpc.aio.AioRpcError:
    request = lobby_service_pb2.ChallengeRequest(opponent=opponent)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await server.lobby.Challenge(request, metadata=bearer(token) if token else ())
    return caught.value


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 (what is waited for happens inside the server)
            await asyncio.sleep(0.01)


def counted(metrics: Metrics, method: str, code: str) -> float:
    value = metrics.registry.get_sample_value("targi_rpc_total", {"method": method, "code": code})
    return value or 0.0
