"""LobbyService over a real port: who is online, and a challenge from its sending to the match."""

from __future__ import annotations

import secrets
from typing import Any

import grpc
import pytest
from play_client import SEED, Arena, arena, bearer, reason_of, until
from targi.v1 import game_pb2, lobby_service_pb2_grpc, play_pb2
from targi.v1 import lobby_service_pb2 as pb


def stub(here: Arena) -> Any:  # the stub's async form exists in annotations only
    return lobby_service_pb2_grpc.LobbyServiceStub(here.channel())


async def test_connected_bots_are_listed_with_what_they_said(redis_url: str) -> None:
    async with arena(redis_url) as here:
        await here.connect("bot-two", capacity=3, ladder=False)
        await here.connect("bot-one", rulesets=["base", "mixed"], bot_version="7")
        one, two = (await stub(here).ListOnline(pb.ListOnlineRequest())).bots
        assert (one.bot, one.version, one.owner) == ("bot-one", "7", "owner-of-bot-one")
        assert (one.capacity, one.matches, list(one.rulesets)) == (8, 0, ["base", "mixed"])
        assert (two.bot, two.capacity, two.ladder) == ("bot-two", 3, False)


async def test_a_challenge_reaches_both_and_starts_with_its_seeds(redis_url: str) -> None:
    async with arena(redis_url) as here:
        clients = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        request = pb.ChallengeRequest(
            opponent="bot-two",
            time_control=game_pb2.TimeControl(base_ms=30_000, increment_ms=500),
            seeds=[SEED],
            debug=True,
        )
        sent = await stub(here).Challenge(request, metadata=bearer(here.tokens["bot-one"]))
        for client in clients:
            offer = await client.next("offer")
            assert (offer.offer_id, list(offer.match_ids)) == (sent.challenge_id, list(sent.match_ids))
            assert (offer.kind, list(offer.given_seeds)) == (play_pb2.OFFER_KIND_SINGLE, [SEED])
            assert (offer.time_control.base_ms, offer.hold_allowed) == (30_000, True)
            nonce = secrets.token_bytes(32)
            await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=nonce))
        started = await clients[0].next("match_started", sent.match_ids[0])
        assert (started.rated, started.seat, started.time_control.increment_ms) == (False, 0, 500)
        (one, _) = (await stub(here).ListOnline(pb.ListOnlineRequest())).bots
        assert one.matches == 1


async def test_a_declined_challenge_lapses_for_both(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        request = pb.ChallengeRequest(challenger="bot-one", opponent="bot-two", mirrored=True)
        owner = bearer(here.tokens["owner-of-bot-one"])
        sent = await stub(here).Challenge(request, metadata=owner)
        assert len((await two.next("offer")).commitments) == 3
        await two.send(decline=play_pb2.Decline(offer_id=sent.challenge_id, reason="no"))
        lapsed = [await client.next("offer_lapsed") for client in (one, two)]
        assert [message.own_fault for message in lapsed] == [False, True]
        assert [len(message.secrets.game_secrets) for message in lapsed] == [2, 2]


async def test_a_bot_is_not_even_offered_a_challenge_that_it_does_not_take(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one = await here.connect("bot-one")
        two = await here.connect("bot-two", challenges=play_pb2.CHALLENGE_POLICY_NONE)
        request = pb.ChallengeRequest(opponent="bot-two")
        with pytest.raises(grpc.aio.AioRpcError, match="takes challenges of nobody") as caught:
            await stub(here).Challenge(request, metadata=bearer(here.tokens["bot-one"]))
        assert reason_of(caught.value) == "NOT_AVAILABLE"
        answer = pb.ChallengeRequest(opponent="bot-one")
        await stub(here).Challenge(answer, metadata=bearer(here.tokens["bot-two"]))
        for client in (one, two):
            await client.next("offer")


async def test_an_owner_that_challenges_a_bot_too_often_is_told_so(redis_url: str) -> None:
    async with arena(redis_url, challenges_per_owner=1) as here:
        for bot in ("bot-one", "bot-two"):
            await here.connect(bot)
        request = pb.ChallengeRequest(opponent="bot-two")
        token = bearer(here.tokens["bot-one"])
        await stub(here).Challenge(request, metadata=token)
        with pytest.raises(grpc.aio.AioRpcError, match="wait until one is over") as caught:
            await stub(here).Challenge(request, metadata=token)
        assert (caught.value.code(), reason_of(caught.value)) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "LIMIT",
        )
        count = here.service.metrics.rejections_total.labels("LIMIT")
        await until(lambda: count._value.get() == 1)


async def test_a_challenge_that_cannot_be_says_why(redis_url: str) -> None:
    async with arena(redis_url) as here:
        token = bearer(await here.register("bot-one"))
        await here.connect("bot-one")
        for request, reason in (
            (pb.ChallengeRequest(opponent="bot-two"), "NOT_AVAILABLE"),
            (pb.ChallengeRequest(opponent="bot-one"), "INVALID"),
            (pb.ChallengeRequest(challenger="bot-two", opponent="bot-one"), "FORBIDDEN"),
            (pb.ChallengeRequest(), "UNIMPLEMENTED"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub(here).Challenge(request, metadata=token)
            assert reason_of(caught.value) == reason
