"""Why the ladder does not pair a bot: every reason in words, and none where nothing is in the way."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from play_client import Arena, arena, bearer, reason_of
from targi.v1 import ladder_service_pb2 as pb
from targi.v1 import ladder_service_pb2_grpc, play_pb2


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Arena]:
    async with arena(redis_url, pairing=True) as found:
        yield found


async def reasons(here: Arena, bot: str, token: str = "") -> list[str]:
    """As the bot's owner is told, or whose token it is."""
    stub = ladder_service_pb2_grpc.LadderServiceStub(here.channel())
    metadata = bearer(token or here.tokens[f"owner-of-{bot}"])
    answer = await stub.WhyNotPaired(pb.WhyNotPairedRequest(bot=bot), metadata=metadata)
    return list(answer.reasons)


async def test_a_bot_that_is_not_there_is_not_connected(here: Arena) -> None:
    await here.register("bot-one")
    (reason,) = await reasons(here, "bot-one")
    assert "not connected" in reason


async def test_a_bot_alone_lacks_an_opponent_and_with_one_nothing(here: Arena) -> None:
    await here.connect("bot-one", ladder=True, rulesets=["base"])
    assert "no bot of another owner" in (await reasons(here, "bot-one"))[0]
    await here.connect("bot-two", ladder=True, rulesets=["mixed"])
    assert "no bot of another owner" in (await reasons(here, "bot-one"))[0]
    await here.register("bot-three", "owner-of-bot-one")
    await here.connect("bot-three", ladder=True, rulesets=["base"])
    assert "bots of one owner never meet" in (await reasons(here, "bot-one"))[0]
    await here.service.parts.pauses.pause("mixed", "")
    await here.connect("bot-four", ladder=True, rulesets=["base"], capacity=2)
    assert await reasons(here, "bot-one") == []


async def test_what_the_bot_says_itself_is_told(here: Arena) -> None:
    client = await here.connect("bot-one", ladder=False)
    assert "--no-ladder" in (await reasons(here, "bot-one"))[0]
    await client.send(leave=play_pb2.Leave())
    await client.end()
    assert "not connected" in (await reasons(here, "bot-one"))[0]


async def test_what_is_the_matter_with_the_account_is_told(here: Arena) -> None:
    for bot in ("bot-one", "bot-two", "bot-three"):
        await here.register(bot)
    accounts = here.service.parts.accounts
    await accounts.ban("bot-one", "it floods")
    await accounts.retire_bot("owner-of-bot-two", "bot-two")
    await accounts.revoke_bot_token("owner-of-bot-three", "bot-three")
    assert (await reasons(here, "bot-one"))[0] == "an administrator banned it: it floods"
    assert (await reasons(here, "bot-two"))[0].startswith("it is retired")
    assert (await reasons(here, "bot-three"))[0].startswith("its token was taken away")


async def test_a_pause_is_told_where_it_leaves_the_bot_nothing(here: Arena) -> None:
    await here.connect("bot-one", ladder=True, rulesets=["base", "mixed"])
    await here.connect("bot-two", ladder=True, rulesets=["mixed"])
    await here.service.parts.pauses.pause("base", "a new disk")
    assert not any("paused" in reason for reason in await reasons(here, "bot-one"))
    await here.service.parts.pauses.pause("mixed", "")
    assert await reasons(here, "bot-one") == [
        "an administrator paused the pairs of base: a new disk",
        "an administrator paused the pairs of mixed",
    ]


async def test_a_bot_without_a_free_place_is_told_so(here: Arena) -> None:
    one = await here.connect("bot-one", ladder=True, capacity=1)
    await here.connect("bot-two", ladder=True, capacity=1)
    await one.next("offer")
    assert "places are taken" in (await reasons(here, "bot-one"))[0]


async def test_a_server_that_makes_no_pairs_says_so(redis_url: str) -> None:
    async with arena(redis_url, pairing=False) as here:
        await here.connect("bot-one", ladder=True)
        assert "--no-pairing" in (await reasons(here, "bot-one"))[0]


async def test_only_the_owner_the_bot_and_administrators_are_told(here: Arena) -> None:
    for bot in ("bot-one", "bot-two"):
        await here.register(bot)
    assert await reasons(here, "bot-one", here.tokens["bot-one"])
    assert await reasons(here, "bot-one", await here.service.parts.accounts.create_admin("chief"))
    for token in (here.tokens["bot-two"], here.tokens["owner-of-bot-two"]):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await reasons(here, "bot-one", token)
        assert reason_of(caught.value) == "NOT_FOUND"
