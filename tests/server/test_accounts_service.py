"""AccountService over a real port: whose token opens which call."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from play_client import Arena, arena, bearer, reason_of
from targi.v1 import account_service_pb2 as pb
from targi.v1 import account_service_pb2_grpc


def stub(here: Arena) -> Any:  # the stub's async form exists in annotations only
    return account_service_pb2_grpc.AccountServiceStub(here.channel())


async def refusal(call: Any) -> str:  # whatever a stub's method returns
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return reason_of(caught.value)


async def owner_token(here: Arena, owner: str = "alice") -> str:
    response = await stub(here).CreateOwner(pb.CreateOwnerRequest(owner=owner))
    return str(response.token)


async def test_from_a_new_owner_to_a_bot_that_connects(redis_url: str) -> None:
    async with arena(redis_url) as here:
        owner = bearer(await owner_token(here))
        bot = await stub(here).RegisterBot(pb.RegisterBotRequest(bot="alba"), metadata=owner)
        await here.client(bot.token).hello()
        listed = await stub(here).ListBots(pb.ListBotsRequest(), metadata=owner)
        (found,) = listed.bots
        assert (found.bot, found.active, found.online, found.retired) == ("alba", True, True, False)


async def test_rotation_and_revocation_shut_the_old_token_out(redis_url: str) -> None:
    async with arena(redis_url) as here:
        old = bearer(await owner_token(here))
        new = bearer((await stub(here).RotateOwnerToken(pb.RotateOwnerTokenRequest(), metadata=old)).token)
        assert await refusal(stub(here).ListBots(pb.ListBotsRequest(), metadata=old)) == "BAD_TOKEN"
        first = (await stub(here).RegisterBot(pb.RegisterBotRequest(bot="alba"), metadata=new)).token
        second = (await stub(here).RotateBotToken(pb.RotateBotTokenRequest(bot="alba"), metadata=new)).token
        assert (await here.client(first).end()).reason == "BAD_TOKEN"
        await stub(here).RevokeBotToken(pb.RevokeBotTokenRequest(bot="alba"), metadata=new)
        assert (await here.client(second).end()).reason == "BAD_TOKEN"


async def test_a_retired_bot_is_listed_as_retired(redis_url: str) -> None:
    async with arena(redis_url) as here:
        owner = bearer(await owner_token(here))
        await stub(here).RegisterBot(pb.RegisterBotRequest(bot="alba"), metadata=owner)
        await stub(here).RetireBot(pb.RetireBotRequest(bot="alba"), metadata=owner)
        listed = await stub(here).ListBots(pb.ListBotsRequest(), metadata=owner)
        assert [bot.retired for bot in listed.bots] == [True]


async def test_calls_without_the_right_token_are_refused(redis_url: str) -> None:
    async with arena(redis_url) as here:
        alice, bob = bearer(await owner_token(here)), bearer(await owner_token(here, "bob"))
        bot = (await stub(here).RegisterBot(pb.RegisterBotRequest(bot="alba"), metadata=alice)).token
        rotate = pb.RotateBotTokenRequest(bot="alba")
        assert await refusal(stub(here).RotateBotToken(rotate)) == "BAD_TOKEN"
        assert await refusal(stub(here).RotateBotToken(rotate, metadata=bearer(bot))) == "FORBIDDEN"
        assert await refusal(stub(here).RotateBotToken(rotate, metadata=bob)) == "NOT_FOUND"
        taken = stub(here).RegisterBot(pb.RegisterBotRequest(bot="alba"), metadata=bob)
        assert await refusal(taken) == "NAME_TAKEN"


async def test_closed_registration_says_so(redis_url: str) -> None:
    async with arena(redis_url, open_registration=False) as here:
        closed = stub(here).CreateOwner(pb.CreateOwnerRequest(owner="alice"))
        assert await refusal(closed) == "REGISTRATION_CLOSED"
        admin = bearer(await here.service.parts.accounts.create_admin("root-admin"))
        made = await stub(here).CreateOwner(pb.CreateOwnerRequest(owner="alice"), metadata=admin)
        assert made.token.startswith("targi_owner_")


async def test_what_is_not_built_says_so(redis_url: str) -> None:
    async with arena(redis_url) as here:
        owner = bearer(await owner_token(here))
        later = stub(here).ListNotices(pb.ListNoticesRequest(), metadata=owner)
        assert await refusal(later) == "UNIMPLEMENTED"
