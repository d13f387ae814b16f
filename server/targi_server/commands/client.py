"""A client of the arena: what the demo asks the arena that it runs."""

import contextlib
from collections.abc import AsyncIterator, Iterator

import grpc
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
)

from targi_server.start_errors import DemoStuck

__all__ = ["Client", "client_of"]

ANSWER_S = 30.0
"""Time for an answer, a restart of the worker included."""

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
