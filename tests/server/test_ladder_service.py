"""LadderService over a real port: a rated pair from the pairing to the published table."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import grpc
import pytest
from play_client import WITHIN_S, Arena, PlayClient, arena, reason_of
from targi.v1 import ladder_service_pb2 as pb
from targi.v1 import ladder_service_pb2_grpc, match_service_pb2, play_pb2
from targi_engine import Record, verify


def stub(here: Arena) -> Any:  # the stub's async form exists in annotations only
    return ladder_service_pb2_grpc.LadderServiceStub(here.channel())


async def resign_pair(client: PlayClient, resigns: bool) -> list[play_pb2.MatchEnded]:
    """Takes the next offer and both its games; who resigns does so as soon as each starts."""
    offer = await client.next("offer")
    await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=secrets.token_bytes(32)))
    ends = []
    for match_id in offer.match_ids:
        if resigns:
            await client.next("match_started", match_id)
            await client.send(resign=play_pb2.Resign(match_id=match_id))
        ends.append(await client.next("match_ended", match_id))
    return ends


async def rated_pair(here: Arena) -> list[play_pb2.MatchEnded]:
    """Bot one loses both games of a pair that the ladder made; how bot two was told."""
    one = await here.connect("bot-one", ladder=True, capacity=1)
    two = await here.connect("bot-two", ladder=True, capacity=1, bot_version="2.0")
    _, told = await asyncio.gather(resign_pair(one, True), resign_pair(two, False))
    return told


async def table(here: Arena, pairs: int) -> pb.GetStandingsResponse:
    """The published table, once it rests on so many pairs."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            found: pb.GetStandingsResponse = await stub(here).GetStandings(pb.GetStandingsRequest())
            if found.pairs >= pairs:
                return found
            await asyncio.sleep(0.05)


async def test_the_ladder_pairs_plays_and_rates_by_itself(redis_url: str) -> None:
    async with arena(redis_url, pairing=True) as here:
        await rated_pair(here)
        found = await table(here, 1)
        winner, loser = found.standings
        assert (winner.rank, winner.bot, winner.version) == (1, "bot-two", "2.0")
        assert winner.owner == "owner-of-bot-two"
        assert (winner.score, loser.score, loser.bot) == (1.0, 0.0, "bot-one")
        assert winner.rating > 1500 > loser.rating
        assert winner.rating + loser.rating == pytest.approx(3000, abs=1)
        assert winner.provisional
        assert winner.online
        assert found.ruleset == "base"
        assert found.computed_unix_ms > 0


async def test_secrets_come_out_game_by_game(redis_url: str) -> None:
    async with arena(redis_url, pairing=True) as here:
        first, second = await rated_pair(here)
        assert len(first.secrets.game_secrets) == 1
        assert len(second.secrets.game_secrets) == 2
        assert second.secrets.game_secrets[0] == first.secrets.game_secrets[0]
        assert second.secrets.game_secrets[1] not in first.SerializeToString()
        assert second.secrets.seed not in first.SerializeToString()
        assert first.secrets.opening == second.secrets.opening


async def test_results_bots_and_heads_are_there_for_anybody(redis_url: str) -> None:
    async with arena(redis_url, pairing=True) as here:
        told = await rated_pair(here)
        await table(here, 1)
        listed = await stub(here).ListResults(pb.ListResultsRequest(bot="bot-one", page_size=1))
        (result,) = listed.results
        assert list(result.match_ids) == [end.match_id for end in told]
        assert result.pair_id == told[0].pair_id
        assert result.quarters == (0 if result.seats[0].bot == "bot-one" else 4)
        request = pb.GetHeadToHeadRequest(bot="bot-two", opponent="bot-one")
        heads = await stub(here).GetHeadToHead(request)
        assert heads.pairs_by_quarters[4] >= 1
        profile = await stub(here).GetBot(pb.GetBotRequest(bot="bot-two"))
        assert (profile.owner, [row.version for row in profile.versions]) == ("owner-of-bot-two", ["2.0"])
        record = await here.stub.GetRecord(match_service_pb2.GetRecordRequest(match_id=told[0].match_id))
        assert verify(Record.parse(record.record)).plies == 0


async def test_what_does_not_exist_is_not_found(redis_url: str) -> None:
    async with arena(redis_url) as here:
        for call, reason in (
            (stub(here).GetStandings(pb.GetStandingsRequest(ruleset="chess")), "INVALID"),
            (stub(here).GetStandings(pb.GetStandingsRequest(season=3)), "NOT_FOUND"),
            (stub(here).GetBot(pb.GetBotRequest(bot="nobody")), "NOT_FOUND"),
            (stub(here).ListResults(pb.ListResultsRequest(page_size=501)), "INVALID"),
            (stub(here).GetHeadToHead(pb.GetHeadToHeadRequest(bot="a", opponent="b")), "NOT_FOUND"),
            (stub(here).ListSeasons(pb.ListSeasonsRequest()), "UNIMPLEMENTED"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            assert reason_of(caught.value) == reason
        empty = await stub(here).GetStandings(pb.GetStandingsRequest())
        assert (list(empty.standings), empty.pairs) == ([], 0)
