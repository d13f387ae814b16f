"""The arena's unary calls, plainly, for tests and benchmarks that look at it from outside."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
)

Metadata = tuple[tuple[str, str], ...]


def bearer(token: str) -> Metadata:
    """What a call carries to be let in."""
    return (("authorization", f"Bearer {token}"),)


@dataclass(frozen=True)
class Api:
    """Calls over one channel."""

    channel: grpc.Channel

    def register(self, bot: str, owner: str = "") -> str:
        """A bot of an owner of its own; returns the bot's token."""
        return self.register_all([bot], owner or f"owner-{bot}")[0]

    def register_all(self, bots: Sequence[str], owner: str) -> list[str]:
        """Bots of a new owner; returns their tokens."""
        stub = account_service_pb2_grpc.AccountServiceStub(self.channel)
        made = stub.CreateOwner(account_service_pb2.CreateOwnerRequest(owner=owner))
        requests = [account_service_pb2.RegisterBotRequest(bot=bot) for bot in bots]
        return [stub.RegisterBot(request, metadata=bearer(made.token)).token for request in requests]

    def online(self) -> list[str]:
        stub = lobby_service_pb2_grpc.LobbyServiceStub(self.channel)
        return [bot.bot for bot in stub.ListOnline(lobby_service_pb2.ListOnlineRequest()).bots]

    def challenge(
        self, token: str, opponent: str, seeds: Sequence[bytes] = (), opening: bytes = b""
    ) -> list[str]:
        """An unrated game, or two if two seeds are given; returns the match ids."""
        stub = lobby_service_pb2_grpc.LobbyServiceStub(self.channel)
        request = lobby_service_pb2.ChallengeRequest(
            opponent=opponent, seeds=seeds, opening=opening, mirrored=len(seeds) == 2
        )
        return list(stub.Challenge(request, metadata=bearer(token)).match_ids)

    def match(self, match_id: str) -> match_service_pb2.MatchSummary | None:
        """A match, None while it has not begun or the server does not answer."""
        stub = match_service_pb2_grpc.MatchServiceStub(self.channel)
        try:
            return stub.GetMatch(match_service_pb2.GetMatchRequest(match_id=match_id), timeout=5).match
        except grpc.RpcError:
            return None

    def running(self) -> list[str]:
        """Ids of the matches that run, the newest first, a hundred at most."""
        stub = match_service_pb2_grpc.MatchServiceStub(self.channel)
        state = match_service_pb2.MATCH_STATE_RUNNING
        request = match_service_pb2.ListMatchesRequest(state=state, page_size=100)
        return [match.match_id for match in stub.ListMatches(request).matches]

    def record(self, match_id: str) -> str | None:
        """The record of a match, None until it is filed or while the server does not answer."""
        stub = match_service_pb2_grpc.MatchServiceStub(self.channel)
        try:
            return stub.GetRecord(match_service_pb2.GetRecordRequest(match_id=match_id), timeout=5).record
        except grpc.RpcError:
            return None

    def standings(self) -> ladder_service_pb2.GetStandingsResponse:
        stub = ladder_service_pb2_grpc.LadderServiceStub(self.channel)
        return stub.GetStandings(ladder_service_pb2.GetStandingsRequest())

    def results(self) -> list[ladder_service_pb2.PairResult]:
        """All rated pairs."""
        stub = ladder_service_pb2_grpc.LadderServiceStub(self.channel)
        found: list[ladder_service_pb2.PairResult] = []
        page = ""
        while True:
            answer = stub.ListResults(ladder_service_pb2.ListResultsRequest(page_size=500, page_token=page))
            found += answer.results
            page = answer.next_page_token
            if not page:
                return found


@contextmanager
def api(address: str) -> Iterator[Api]:
    """Calls to one server."""
    with grpc.insecure_channel(address) as channel:
        yield Api(channel)
