"""The client of the server's own commands: what the demo and administrators ask an arena."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    admin_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
)

from targi_server.commands.address import Address
from targi_server.start_errors import BadSetting, DemoStuck, NotDone

__all__ = ["Client", "administer", "client_of"]

ANSWER_S = 30.0
"""Time for an answer, a restart of the worker included."""
ACT_S = 15.0
DETAILS = "grpc-status-details-bin"
"""What every refusal of an arena has, and what no failed connection has."""
UNREACHABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

Table = ladder_service_pb2.GetStandingsResponse


class Client:
    """Calls over one channel. Each raises DemoStuck when there is no answer."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._accounts = account_service_pb2_grpc.AccountServiceStub(channel)
        self._ladder = ladder_service_pb2_grpc.LadderServiceStub(channel)
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)

    async def register(self, bot: str, owner: str) -> str:
        """Makes an owner with a bot; returns the bot's token."""
        with answered("token of a new bot"):
            made = await self._accounts.CreateOwner(
                account_service_pb2.CreateOwnerRequest(owner=owner), timeout=ANSWER_S, wait_for_ready=True
            )
            answer = await self._accounts.RegisterBot(
                account_service_pb2.RegisterBotRequest(bot=bot),
                metadata=(("authorization", f"Bearer {made.token}"),),
                timeout=ANSWER_S,
            )
        return answer.token

    async def table(self) -> Table:
        """The published table of the base game."""
        with answered("standings"):
            return await self._ladder.GetStandings(
                ladder_service_pb2.GetStandingsRequest(), timeout=ANSWER_S, wait_for_ready=True
            )

    async def last_match(self, bot: str) -> str:
        """Id of the last rated match of a bot that counts; empty if there is none."""
        with answered("results"):
            page = await self._ladder.ListResults(
                ladder_service_pb2.ListResultsRequest(bot=bot), timeout=ANSWER_S, wait_for_ready=True
            )
        return next((pair.match_ids[-1] for pair in page.results if not pair.void), "")

    async def record(self, match_id: str) -> str:
        """Text of the record of a match that is over."""
        with answered("record"):
            answer = await self._matches.GetRecord(
                match_service_pb2.GetRecordRequest(match_id=match_id), timeout=ANSWER_S, wait_for_ready=True
            )
        return answer.record


@contextlib.contextmanager
def answered(what: str) -> Iterator[None]:
    """Puts a failed call in words."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise DemoStuck(
            f"the arena does not give its {what}: {error.code().name}: {error.details()}"
        ) from error


@contextlib.asynccontextmanager
async def client_of(address: str) -> AsyncIterator[Client]:
    """A client of the arena at an address."""
    async with grpc.aio.insecure_channel(address) as channel:
        yield Client(channel)


async def administer(address: Address, token: str, method: str, request: object) -> Any:
    """Calls a method of AdminService; returns its response. Raises NotDone, BadSetting for unreadable files.

    Requests and responses have another type for every method, hence Any.
    """
    async with channel_to(address) as channel:
        call = getattr(admin_service_pb2_grpc.AdminServiceStub(channel), method)
        try:
            return await call(request, timeout=ACT_S, metadata=(("authorization", f"Bearer {token}"),))
        except grpc.aio.AioRpcError as error:
            raise NotDone(refusal(error, address)) from error


def refusal(error: grpc.aio.AioRpcError, address: Address) -> str:
    """A failed call in words; those of an arena are good as they are."""
    words = error.details() or error.code().name
    from_arena = DETAILS in dict(error.trailing_metadata() or ())
    if not from_arena and error.code() in UNREACHABLE:
        way = "over TLS" if address.tls else "without TLS"
        return f"{address.target} does not answer {way}: {words}; is the address that of its gRPC port?"
    return words


def channel_to(address: Address) -> grpc.aio.Channel:
    """A channel; a proxy is not asked for the way to this machine."""
    options = [("grpc.enable_http_proxy", 0 if address.is_loopback else 1)]
    if not address.tls:
        return grpc.aio.insecure_channel(address.target, options=options)
    credentials = grpc.ssl_channel_credentials(
        content("--ca", address.ca), content("--key", address.key), content("--cert", address.cert)
    )
    return grpc.aio.secure_channel(address.target, credentials, options=options)


def content(option: str, path: Path | None) -> bytes | None:
    """What is in a file, if one is named. Raises BadSetting."""
    try:
        return None if path is None else path.read_bytes()
    except OSError as error:
        raise BadSetting(option, str(path), f"it cannot be read: {error.strerror}") from error
