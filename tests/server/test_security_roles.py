"""Attacks with the wrong token: of another kind, of somebody else, changed, revoked, or none."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import grpc
import pytest
from play_client import Arena, arena, bearer, hello, reason_of, until
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    admin_service_pb2,
    game_pb2,
    ladder_service_pb2,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
    match_service_pb2,
    play_pb2,
    reason_pb2,
)
from targi_server.rpc.access import ACCESS

MODULES = {
    "AccountService": account_service_pb2,
    "AdminService": admin_service_pb2,
    "LadderService": ladder_service_pb2,
    "LobbyService": lobby_service_pb2,
    "MatchService": match_service_pb2,
}
DENIED = {"BAD_TOKEN", "FORBIDDEN"}


async def tokens_of(here: Arena) -> dict[str, str]:
    """A good token of each kind, and none."""
    bot = await here.register("bot-one")
    admin = await here.service.parts.accounts.create_admin("root-admin")
    return {"": "", "bot": bot, "owner": here.tokens["owner-of-bot-one"], "admin": admin}


async def reason(here: Arena, name: str, token: str) -> str:
    """With which reason a method refuses an empty request; OK if it answers."""
    service, _, method = name.partition(".")
    found = MODULES[service].DESCRIPTOR.services_by_name[service].methods_by_name[method]
    kinds = {(False, False): "unary_unary", (False, True): "unary_stream", (True, True): "stream_stream"}
    kind = kinds[found.client_streaming, found.server_streaming]
    call = getattr(here.channel(), kind)(f"/targi.v1.{service}/{method}")
    arguments = () if found.client_streaming else (b"",)
    started = call(*arguments, metadata=bearer(token) if token else (), timeout=10)
    try:
        if found.client_streaming:
            await started.done_writing()
        if found.server_streaming:
            await started.read()
            started.cancel()
        else:
            await started
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return "OK"


@pytest.mark.parametrize("name", ACCESS)
async def test_each_method_opens_to_its_kinds_of_token_and_to_no_other(redis_url: str, name: str) -> None:
    async with arena(redis_url) as here:
        for kind, token in (await tokens_of(here)).items():
            said = await reason(here, name, token)
            if not ACCESS[name] or kind in ACCESS[name]:
                assert said not in DENIED, kind
            else:
                assert said == ("FORBIDDEN" if kind else "BAD_TOKEN"), kind


@pytest.mark.parametrize("name", ACCESS)
async def test_a_token_that_is_none_opens_nothing_not_even_what_is_open(redis_url: str, name: str) -> None:
    async with arena(redis_url) as here:
        good = await tokens_of(here)
        secret = good["bot"].rpartition("targi_bot_")[2]
        for token in (
            f"targi_admin_{secret}",
            f"targi_owner_{secret}",
            good["admin"][:-1],
            good["owner"] + "x",
        ):
            assert await reason(here, name, token) == "BAD_TOKEN"


async def test_hashes_are_compared_in_constant_time(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def noted(kept: bytes, given: bytes) -> bool:
        compared.append(given)
        return kept == given

    async with arena(redis_url) as here:
        token = await here.register("bot-one")
        monkeypatch.setattr(hmac, "compare_digest", noted)
        assert (await here.service.parts.accounts.authenticate(token)).bot == "bot-one"
        assert compared == [hashlib.sha256(token.encode()).hexdigest().encode()]


def accounts(here: Arena) -> Any:  # the stub's async form exists in annotations only
    return account_service_pb2_grpc.AccountServiceStub(here.channel())


async def refusal(call: Any) -> str:  # whatever a stub's method returns
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return reason_of(caught.value)


async def test_an_owner_does_nothing_to_the_bots_of_another(redis_url: str) -> None:
    async with arena(redis_url) as here:
        for bot in ("bot-one", "bot-two"):
            await here.connect(bot)
        stranger = bearer(here.tokens["owner-of-bot-two"])
        for method, kind in (
            ("RotateBotToken", account_service_pb2.RotateBotTokenRequest),
            ("RevokeBotToken", account_service_pb2.RevokeBotTokenRequest),
            ("RetireBot", account_service_pb2.RetireBotRequest),
        ):
            call = getattr(accounts(here), method)(kind(bot="bot-one"), metadata=stranger)
            assert await refusal(call) == "NOT_FOUND"
        listed = await accounts(here).ListBots(account_service_pb2.ListBotsRequest(), metadata=stranger)
        assert [bot.bot for bot in listed.bots] == ["bot-two"]
        lobby: Any = lobby_service_pb2_grpc.LobbyServiceStub(here.channel())
        forged = lobby_service_pb2.ChallengeRequest(challenger="bot-one", opponent="bot-two")
        for token in ("owner-of-bot-two", "bot-two"):
            call = lobby.Challenge(forged, metadata=bearer(here.tokens[token]))
            assert await refusal(call) == "FORBIDDEN"
        assert all(client.ended is None for client in here.clients)


async def test_a_bot_does_nothing_in_the_match_of_others(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        thief = await here.connect("thief")
        for event in (
            {"act": play_pb2.Act(match_id=duel.match_id, actions=[game_pb2.Action(name="@7")])},
            {"resign": play_pb2.Resign(match_id=duel.match_id)},
            {"bot_error": play_pb2.BotError(match_id=duel.match_id, text="it is broken")},
            {"hold": play_pb2.Hold(match_id=duel.match_id)},
        ):
            await thief.send(**event)
            assert (await thief.next("rejected")).reason == reason_pb2.REASON_UNKNOWN_MATCH
        await duel.play_out()


async def test_a_bot_does_not_answer_the_offer_of_others(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, _, thief = [await here.connect(bot) for bot in ("bot-one", "bot-two", "thief")]
        offer_id = await here.offer("bot-one", "bot-two")
        await thief.send(ready=play_pb2.Ready(offer_id=offer_id, nonce=bytes(32)))
        await thief.send(decline=play_pb2.Decline(offer_id=offer_id))
        for _ in range(2):
            assert (await thief.next("rejected")).offer_id == offer_id
        await one.next("offer")
        assert "offer_lapsed" not in one.kinds()


@pytest.mark.parametrize("method", ["RotateBotToken", "RevokeBotToken"])
async def test_a_token_that_is_taken_away_ends_its_stream_on_whatever_replica(
    redis_url: str, method: str
) -> None:
    async with arena(redis_url, replica="left") as left, arena(redis_url, replica="right") as right:
        client = await left.connect("bot-one")
        other = await left.connect("bot-two")
        request = getattr(account_service_pb2, f"{method}Request")(bot="bot-one")
        owner = bearer(left.tokens["owner-of-bot-one"])
        await getattr(accounts(right), method)(request, metadata=owner)
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN")
        assert other.ended is None


async def test_the_match_goes_on_with_the_new_token(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(5):
            await duel.move()
        owner = bearer(here.tokens["owner-of-bot-one"])
        request = account_service_pb2.RotateBotTokenRequest(bot="bot-one")
        rotated = await accounts(here).RotateBotToken(request, metadata=owner)
        await duel.clients[0].end()
        here.tokens["bot-one"] = rotated.token
        duel.clients[0] = await here.connect("bot-one")
        await duel.clients[0].told(duel.match_id)  # or what comes before it is in its log
        await duel.play_out()


async def test_an_owner_that_rotates_its_token_is_not_held_up_by_old_calls(redis_url: str) -> None:
    async with arena(redis_url) as here:
        await here.connect("bot-one")
        old = here.tokens["owner-of-bot-one"]
        rotate, listing = account_service_pb2.RotateOwnerTokenRequest(), account_service_pb2.ListBotsRequest()
        new = (await accounts(here).RotateOwnerToken(rotate, metadata=bearer(old))).token
        assert await refusal(accounts(here).ListBots(listing, metadata=bearer(old))) == "BAD_TOKEN"
        assert (await accounts(here).ListBots(listing, metadata=bearer(new))).bots
        assert here.clients[0].ended is None


async def test_a_token_that_is_revoked_between_its_call_and_its_hello_does_not_stay(redis_url: str) -> None:
    async with arena(redis_url) as here:
        late = here.client(await here.register("bot-one"))
        registry = here.service.metrics.registry
        await until(lambda: registry.get_sample_value("targi_streams", {"worker": "0"}))
        await here.service.parts.accounts.revoke_bot_token("owner-of-bot-one", "bot-one")
        await late.send(hello=hello())
        assert (await late.end()).reason == "BAD_TOKEN"
