"""Accounts, ladder and lobby of a fake arena: they remember what they were asked, and answer by rule."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc
import grpc.aio
from fake_arena import status_details
from google.protobuf.message import Message
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
)


@dataclass
class FakeAccounts:
    """Names that are taken, and the requests of all three services with the token of each."""

    taken: set[str] = field(default_factory=set)
    open_registration: bool = True
    asked: list[tuple[str, Message]] = field(default_factory=list)

    def add_to(self, server: grpc.aio.Server) -> None:
        """Serve on a server; for `fake_arena`."""
        accounts, ladder, lobby = _Accounts(self), _Ladder(self), _Lobby(self)  # type: ignore[abstract]
        account_service_pb2_grpc.add_AccountServiceServicer_to_server(accounts, server)
        ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(ladder, server)
        lobby_service_pb2_grpc.add_LobbyServiceServicer_to_server(lobby, server)

    def note(self, request: Message, context: Context) -> None:
        token = dict(context.invocation_metadata() or ()).get("authorization", "")
        self.asked.append((str(token).removeprefix("Bearer "), request))

    async def take(self, name: str, context: Context) -> None:
        if name in self.taken:
            await refuse(context, grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN", f"the name {name} is taken")
        self.taken.add(name)


Context = grpc.aio.ServicerContext[Message, Message]


async def refuse(context: Context, code: grpc.StatusCode, reason: str, words: str) -> None:
    await context.abort(code, words, status_details(code, reason, words))


# The generated stubs give servicers a context of both worlds, which no real one has.
# mypy: disable-error-code="override"


class _Accounts(account_service_pb2_grpc.AccountServiceServicer):
    def __init__(self, accounts: FakeAccounts) -> None:
        self._accounts = accounts

    async def CreateOwner(  # noqa: N802
        self, request: account_service_pb2.CreateOwnerRequest, context: Context
    ) -> account_service_pb2.CreateOwnerResponse:
        self._accounts.note(request, context)
        if not self._accounts.open_registration:
            code = grpc.StatusCode.PERMISSION_DENIED
            await refuse(context, code, "REGISTRATION_CLOSED", "owners are made by administrators here")
        await self._accounts.take(request.owner, context)
        return account_service_pb2.CreateOwnerResponse(token=f"owner-{request.owner}")

    async def RegisterBot(  # noqa: N802
        self, request: account_service_pb2.RegisterBotRequest, context: Context
    ) -> account_service_pb2.RegisterBotResponse:
        self._accounts.note(request, context)
        await self._accounts.take(request.bot, context)
        return account_service_pb2.RegisterBotResponse(token=f"bot-{request.bot}")

    async def RotateBotToken(  # noqa: N802
        self, request: account_service_pb2.RotateBotTokenRequest, context: Context
    ) -> account_service_pb2.RotateBotTokenResponse:
        self._accounts.note(request, context)
        return account_service_pb2.RotateBotTokenResponse(token=f"new-{request.bot}")


class _Ladder(ladder_service_pb2_grpc.LadderServiceServicer):
    def __init__(self, accounts: FakeAccounts) -> None:
        self._accounts = accounts

    async def GetStandings(  # noqa: N802
        self, request: ladder_service_pb2.GetStandingsRequest, context: Context
    ) -> ladder_service_pb2.GetStandingsResponse:
        self._accounts.note(request, context)
        row = ladder_service_pb2.Standing(
            rank=1,
            bot="ann-one",
            version="1.2",
            owner="ann",
            rating=1543,
            low=1501,
            high=1585,
            pairs=40,
            score=0.625,
            provisional=True,
            online=True,
        )
        return ladder_service_pb2.GetStandingsResponse(
            standings=[row], ruleset=request.ruleset, pairs=40, matches=80, computed_unix_ms=1_700_000_000_000
        )


class _Lobby(lobby_service_pb2_grpc.LobbyServiceServicer):
    def __init__(self, accounts: FakeAccounts) -> None:
        self._accounts = accounts

    async def Challenge(  # noqa: N802
        self, request: lobby_service_pb2.ChallengeRequest, context: Context
    ) -> lobby_service_pb2.ChallengeResponse:
        self._accounts.note(request, context)
        return lobby_service_pb2.ChallengeResponse(
            challenge_id="c1", match_ids=["m1", "m2"][: 1 + request.mirrored]
        )
