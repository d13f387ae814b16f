"""LadderService: ratings and what they rest on."""

# Methods are named as in the proto.
# ruff: noqa: N802

from __future__ import annotations

from collections.abc import Collection

from targi.v1 import game_pb2
from targi.v1 import ladder_service_pb2 as pb

from targi_server.ladder.enquiries import Enquiries, Profile
from targi_server.ladder.obstacles import Obstacles
from targi_server.ladder.results import PairResult
from targi_server.ladder.standings import Row, Table
from targi_server.match.model import SeatHeader
from targi_server.rpc.call import caller
from targi_server.rpc.concerns import Context

__all__ = ["LadderServicer"]


class LadderServicer:
    """Methods of `targi.v1.LadderService`."""

    def __init__(self, enquiries: Enquiries, obstacles: Obstacles) -> None:
        self._enquiries = enquiries
        self._obstacles = obstacles

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        """The published table."""
        table, online = await self._enquiries.standings(request.ruleset or "base", request.season)
        return _standings(table, online)

    async def GetBot(self, request: pb.GetBotRequest, context: Context) -> pb.GetBotResponse:
        """One bot and its versions."""
        return _bot(await self._enquiries.profile(request.bot))

    async def ListResults(self, request: pb.ListResultsRequest, context: Context) -> pb.ListResultsResponse:
        """Rated pairs, the newest first."""
        page = await self._enquiries.results(request.bot, request.page_size, request.page_token)
        return pb.ListResultsResponse(
            results=[_pair_result(result) for result in page.results], next_page_token=page.next_token
        )

    async def GetHeadToHead(
        self, request: pb.GetHeadToHeadRequest, context: Context
    ) -> pb.GetHeadToHeadResponse:
        """Two bots against each other."""
        tally = await self._enquiries.head_to_head(request.bot, request.opponent)
        return pb.GetHeadToHeadResponse(pairs_by_quarters=tally)

    async def WhyNotPaired(
        self, request: pb.WhyNotPairedRequest, context: Context
    ) -> pb.WhyNotPairedResponse:
        """What keeps the ladder from pairing a bot."""
        return pb.WhyNotPairedResponse(reasons=await self._obstacles.of(request.bot, caller()))


def _standings(table: Table, online: Collection[str]) -> pb.GetStandingsResponse:
    return pb.GetStandingsResponse(
        standings=[_standing(rank, row, online) for rank, row in enumerate(table.rows, 1)],
        ruleset=table.ruleset,
        pairs=table.pairs,
        matches=table.matches,
        computed_unix_ms=table.computed_ms,
    )


def _standing(rank: int, row: Row, online: Collection[str]) -> pb.Standing:
    rated = row.rated
    return pb.Standing(
        rank=rank,
        bot=rated.player.bot,
        version=rated.player.version,
        owner=row.owner,
        rating=rated.rating,
        low=rated.low,
        high=rated.high,
        pairs=rated.pairs,
        score=rated.score,
        provisional=rated.provisional,
        anchor=rated.anchor,
        online=rated.player.bot in online,
    )


def _bot(profile: Profile) -> pb.GetBotResponse:
    online = {profile.account.bot} if profile.online else ()
    return pb.GetBotResponse(
        bot=profile.account.bot,
        owner=profile.account.owner,
        versions=[_standing(rank, row, online) for rank, row in profile.rows],
        paused="banned by an administrator" if profile.account.banned else "",
        retired=profile.account.retired,
    )


def _pair_result(result: PairResult) -> pb.PairResult:
    return pb.PairResult(
        pair_id=result.pair_id,
        seats=[_seat(seat) for seat in result.seats],
        match_ids=result.match_ids,
        quarters=result.quarters,
        void=result.void,
        ended_unix_ms=result.ended_ms,
    )


def _seat(seat: SeatHeader) -> game_pb2.Seat:
    return game_pb2.Seat(bot=seat.bot, version=seat.version, owner=seat.owner)
