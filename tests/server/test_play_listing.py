"""Lists of matches over a real port."""

from __future__ import annotations

import grpc
import pytest
from play_client import Arena, arena
from targi.v1 import match_service_pb2 as pb
from targi.v1 import play_pb2


@pytest.mark.parametrize("state", [pb.MATCH_STATE_RUNNING, pb.MATCH_STATE_ENDED])
async def test_matches_are_listed_by_state(redis_url: str, state: pb.MatchState.ValueType) -> None:
    async with arena(redis_url) as here:
        one, two = await here.duel(), await here.duel("bot-three", "bot-four")
        await one.play_out()
        await here.filed(one.match_id)
        rows = (await here.stub.ListMatches(pb.ListMatchesRequest(state=state))).matches
        wanted = two if state == pb.MATCH_STATE_RUNNING else one
        assert [(row.match_id, row.state) for row in rows] == [(wanted.match_id, state)]


async def ended(here: Arena, count: int, *bots: str) -> list[str]:
    """Matches that are over and filed, the newest first."""
    clients = [await here.connect(bot) for bot in bots]
    found: list[str] = []
    for _ in range(count):
        match_id = await here.match(clients[0], clients[1], *bots)
        await clients[0].send(resign=play_pb2.Resign(match_id=match_id))
        await here.filed(match_id)
        found.insert(0, match_id)
    return found


async def test_pages_hold_each_match_once_the_running_before_the_ended(redis_url: str) -> None:
    async with arena(redis_url) as here:
        over = await ended(here, 5, "bot-one", "bot-two")
        running = [(await here.duel(f"left-{n}", f"right-{n}")).match_id for n in range(3)]
        wanted = [*reversed(running), *over]
        for size in (1, 2, 3, 8, 0):
            found, token = [], ""
            while True:
                request = pb.ListMatchesRequest(page_size=size, page_token=token)
                page = await here.stub.ListMatches(request)
                found += [row.match_id for row in page.matches]
                token = page.next_page_token
                if not token:
                    break
            assert found == wanted


async def test_matches_of_one_bot_are_listed(redis_url: str) -> None:
    async with arena(redis_url) as here:
        over = await ended(here, 1, "bot-one", "bot-two")
        running = await here.duel("bot-one", "bot-three")
        for bot, wanted in (
            ("bot-one", [running.match_id, *over]),
            ("bot-two", over),
            ("bot-three", [running.match_id]),
            ("bot-four", []),
        ):
            rows = (await here.stub.ListMatches(pb.ListMatchesRequest(bot=bot))).matches
            assert [row.match_id for row in rows] == wanted


async def test_a_listed_match_says_how_it_ended(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        told_first, _ = await duel.play_out()
        rows = (await here.stub.ListMatches(pb.ListMatchesRequest())).matches
        await here.filed(duel.match_id)
        for row in (*rows, *(await here.stub.ListMatches(pb.ListMatchesRequest())).matches):
            assert row.outcome.scores == told_first.outcome.scores
            assert row.outcome.result == told_first.outcome.result
            assert row.ended_unix_ms >= row.started_unix_ms


@pytest.mark.parametrize(
    "request_",
    [pb.ListMatchesRequest(page_size=501), *(pb.ListMatchesRequest(page_token=t) for t in ("r", "x", "e5"))],
)
async def test_a_page_that_is_none_is_refused(redis_url: str, request_: pb.ListMatchesRequest) -> None:
    async with arena(redis_url) as here:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await here.stub.ListMatches(request_)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
