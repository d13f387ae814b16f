"""AdminService over a real port: what each act does, to whom, and what is noted of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from lobby_floor import floor
from play_client import Arena, PlayClient, arena, bearer, hello, reason_of
from targi.v1 import account_service_pb2, account_service_pb2_grpc, admin_service_pb2_grpc, game_pb2, play_pb2
from targi.v1 import admin_service_pb2 as pb
from targi_server.accounts.identity import Identity, TokenKind
from targi_server.errors import NotAvailable
from targi_server.lobby.challenges import Challenges, Wanted
from targi_server.lobby.terms import Times, terms
from targi_server.match.model import Kind
from targi_server.store.keys import bans_key

RATED_MS = Times(60_000, 1_000, 60_000)


class Desk:
    """An administrator's calls."""

    def __init__(self, here: Arena, token: str) -> None:
        # The stub's async form exists in annotations only.
        self._stub: Any = admin_service_pb2_grpc.AdminServiceStub(here.channel())
        self._token = token

    async def __call__(self, method: str, **fields: str) -> Any:  # Any: every method has its own response
        request = getattr(pb, f"{method}Request")(**fields)
        return await getattr(self._stub, method)(request, metadata=bearer(self._token))

    async def refusal(self, method: str, **fields: str) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await self(method, **fields)
        return reason_of(caught.value)


async def desk(here: Arena, name: str = "root-admin") -> Desk:
    return Desk(here, await here.service.parts.accounts.create_admin(name))


async def eventually(condition: Callable[[], Awaitable[object]]) -> None:
    end = time.monotonic() + 20
    while not await condition():
        assert time.monotonic() < end, "the condition did not come true in 20 s"
        await asyncio.sleep(0.02)


async def acts(here: Arena) -> list[tuple[str, str, str, str]]:
    """Who did what to whom, and what came of it, in their order."""
    entries = await here.service.parts.audit.newest(100)
    return [(entry.admin, entry.act, entry.on, entry.outcome) for entry in reversed(entries)]


async def rated_pair(here: Arena, *clients: PlayClient) -> list[str]:
    """Ids of the matches of a rated pair, of which the first has started."""
    names = ("bot-one", "bot-two")
    owners = ("owner-of-bot-one", "owner-of-bot-two")
    offer = await here.service.parts.lobby.offers.make(
        terms(Kind.RATED, "base", RATED_MS), names, owners, token=0
    )
    for number, client in enumerate(clients):
        nonce = bytes([number]) * 32
        await client.next("offer")
        await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=nonce))
    for client in clients:
        await client.next("match_started", offer.match_ids[0])
    return list(offer.match_ids)


async def pair_is_void(here: Arena) -> bool:
    page = await here.service.parts.results.page(("base",), 10)
    return [pair.void for pair in page.results] == [True]


async def test_an_aborted_match_is_no_contest_for_both_and_voids_its_pair(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        clients = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        first, second = await rated_pair(here, *clients)
        await admin("AbortMatch", match_id=first, reason="a card was misprinted")
        for client in clients:
            outcome = (await client.next("match_ended", first)).outcome
            assert outcome.termination == game_pb2.TERMINATION_ABORTED
            assert outcome.culprit == game_pb2.CULPRIT_NONE
            assert outcome.result == game_pb2.RESULT_NO_CONTEST
            assert "a card was misprinted" in outcome.words
        await eventually(lambda: pair_is_void(here))
        assert await admin.refusal("AbortMatch", match_id=first) == "MATCH_OVER"
        assert await admin.refusal("AbortMatch", match_id=second) == "UNKNOWN_MATCH"


async def test_the_second_game_aborted_voids_the_first_too(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        clients = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        first, second = await rated_pair(here, *clients)
        await clients[0].send(resign=play_pb2.Resign(match_id=first))
        for client in clients:
            await client.next("match_started", second)
        await admin("AbortMatch", match_id=second)
        assert (await clients[1].next("match_ended", second)).outcome.words
        await eventually(lambda: pair_is_void(here))


@pytest.mark.parametrize("match_id", ["", "0" * 16, "x" * 5_000, "0123456789ABCDEF"])
async def test_a_match_that_is_none_cannot_be_aborted(redis_url: str, match_id: str) -> None:
    async with arena(redis_url) as here:
        assert await (await desk(here)).refusal("AbortMatch", match_id=match_id) == "UNKNOWN_MATCH"


async def test_a_banned_bot_resigns_both_games_and_its_stream_ends_with_the_reason(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        one, two = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        matches = await rated_pair(here, one, two)
        await admin("BanBot", bot="bot-one", reason="it is two people in a cellar")
        for match_id in matches:
            outcome = (await two.next("match_ended", match_id)).outcome
            assert outcome.termination == game_pb2.TERMINATION_RESIGNED
        ended = await one.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.PERMISSION_DENIED, "BOT_PAUSED")
        assert "two people in a cellar" in ended.words

        async def counted() -> bool:
            page = await here.service.parts.results.page(("base",), 10)
            return [(pair.void, pair.quarters) for pair in page.results] == [(False, 0)]

        await eventually(counted)
        assert two.ended is None


async def test_a_banned_bot_stays_out_until_the_ban_is_lifted(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        await here.connect("bot-two")
        token = await here.register("bot-one")
        await admin("BanBot", bot="bot-one", reason="for a week")
        ended = await here.client(token).end()
        assert (ended.reason, "for a week" in ended.words) == ("BOT_PAUSED", True)
        owned = await owner_of(here, "bot-one").ListBots(
            account_service_pb2.ListBotsRequest(), metadata=bearer(here.tokens["owner-of-bot-one"])
        )
        assert "for a week" in owned.bots[0].paused
        await admin("UnbanBot", bot="bot-one")
        await here.connect("bot-one")
        assert await admin.refusal("UnbanBot", bot="bot-one") == "NOT_FOUND"
        assert await admin.refusal("BanBot", bot="nobody") == "NOT_FOUND"


def owner_of(here: Arena, bot: str) -> Any:  # the stub's async form exists in annotations only
    return account_service_pb2_grpc.AccountServiceStub(here.channel())


async def test_a_banned_bot_that_is_still_connected_is_neither_paired_nor_challenged(redis_url: str) -> None:
    async with floor(redis_url) as here:
        for bot in ("alba", "bora"):
            await here.arrive(bot)
        await here.accounts.ban("alba", "")
        assert await here.ladder.pairs.make(token=1) == 0
        challenges = Challenges(here.lobby, here.accounts, RATED_MS)
        by = Identity(TokenKind.BOT, "bora-owner", "bora")
        with pytest.raises(NotAvailable):
            await challenges.send(Wanted(challenger="", opponent="alba"), by)
        await here.accounts.unban("alba")
        assert await here.ladder.pairs.make(token=1) == 1


async def test_an_open_offer_of_a_banned_bot_lapses_at_once(redis_url: str) -> None:
    async with arena(redis_url, offer_ms=60_000) as here:
        admin = await desk(here)
        _, two = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        await here.offer("bot-one", "bot-two")
        await two.next("offer")
        await admin("BanBot", bot="bot-one")
        assert not (await two.next("offer_lapsed")).own_fault


async def test_a_ban_is_carried_out_by_another_replica_where_the_first_one_stopped(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        (match_id, _) = await rated_pair(here, one, two)
        await here.service.parts.accounts.ban("bot-one", "the first half of a ban")
        await here.service.store.commands.command("SADD", bans_key(), "bot-one")
        outcome = (await two.next("match_ended", match_id)).outcome
        assert outcome.termination == game_pb2.TERMINATION_RESIGNED


async def offered_ruleset(here: Arena, *rulesets: str) -> str:
    """Ruleset of the first pair that the matchmaker offers to two bots that play these."""
    fields = {"ladder": True, "capacity": 1, "rulesets": rulesets}
    one, _ = [await here.connect(bot, **fields) for bot in ("bot-one", "bot-two")]
    return str((await one.next("offer")).rules.ruleset)


async def test_no_pairs_of_a_paused_ruleset_are_made_also_after_a_restart(redis_url: str) -> None:
    async with arena(redis_url) as here:
        await (await desk(here))("PausePairing", ruleset="base", reason="the disk is full")
        tokens = here.tokens
    async with arena(redis_url, pairing=True) as again:
        again.tokens |= tokens
        assert await again.service.parts.pauses.paused() == {"base": "the disk is full"}
        assert await offered_ruleset(again, "base", "mixed") == "mixed"


async def test_pairs_are_made_again_after_a_resume(redis_url: str) -> None:
    async with arena(redis_url, pairing=True) as here:
        admin = await desk(here)
        await admin("PausePairing")
        await admin("ResumePairing", ruleset="base")
        assert await offered_ruleset(here, "base", "mixed") == "base"


async def test_a_pause_of_all_is_ended_for_one_or_for_all(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin, pauses = await desk(here), here.service.parts.pauses
        await admin("PausePairing")
        assert set(await pauses.paused()) == {"base", "expansion", "mixed"}
        await admin("ResumePairing", ruleset="mixed")
        assert set(await pauses.paused()) == {"base", "expansion"}
        await admin("ResumePairing")
        assert await pauses.paused() == {}
        assert await admin.refusal("PausePairing", ruleset="chess") == "INVALID"


async def test_a_drained_replica_sends_its_streams_to_the_other_and_the_match_goes_on(redis_url: str) -> None:
    async with arena(redis_url, replica="left") as left, arena(redis_url, replica="right") as right:
        right.tokens = left.tokens
        duel = await left.duel()
        await (await desk(right))("Drain", replica="left")
        for number, client in enumerate(duel.clients):
            await client.next("draining")
            assert (await client.end()).reason == "DRAINING"
            duel.clients[number] = await right.connect(("bot-one", "bot-two")[number])
        late = left.client(left.tokens["bot-one"])
        await late.send(hello=hello())
        assert (await late.end()).reason == "DRAINING"
        await duel.play_out()


async def test_a_replica_that_does_not_live_cannot_be_drained(redis_url: str) -> None:
    async with arena(redis_url) as here:
        assert await (await desk(here)).refusal("Drain", replica="nowhere") == "NOT_FOUND"


async def test_the_replica_that_answers_drains_itself(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await (await desk(here))("Drain")
        assert (await client.end()).reason == "DRAINING"


async def test_an_administrator_makes_another_and_takes_it_away_again(redis_url: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        made = await admin("CreateAdminToken", admin="second-admin")
        second = Desk(here, made.token)
        await second("PausePairing")
        await admin("RevokeAdminToken", admin="second-admin")
        assert await second.refusal("ResumePairing") == "BAD_TOKEN"
        assert await admin.refusal("RevokeAdminToken", admin="second-admin") == "NOT_FOUND"
        assert await admin.refusal("RevokeAdminToken", admin="root-admin") == "INVALID"
        assert await admin.refusal("CreateAdminToken", admin="No Name") == "INVALID"


async def test_every_act_is_noted_before_and_after_it(
    redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with arena(redis_url) as here:
        admin = await desk(here)
        await here.register("bot-one")
        await admin("BanBot", bot="bot-one", reason="noise")
        await admin.refusal("AbortMatch", match_id="0" * 16)
        assert await acts(here) == [
            ("root-admin", "BanBot", "bot-one", "asked"),
            ("root-admin", "BanBot", "bot-one", "done"),
            ("root-admin", "AbortMatch", "0" * 16, "asked"),
            ("root-admin", "AbortMatch", "0" * 16, "UNKNOWN_MATCH"),
        ]
        asked, done, *_ = reversed(await here.service.parts.audit.newest(100))
        assert (asked.act_id, asked.why, asked.address) == (done.act_id, "noise", "127.0.0.1")
        assert 0 < asked.at_ms <= done.at_ms
        assert [record.message for record in caplog.records if record.name.endswith("audit")] == [
            "BanBot asked",
            "BanBot done",
            "AbortMatch asked",
            "AbortMatch UNKNOWN_MATCH",
        ]


@pytest.mark.parametrize("reason", ["x" * 201, "two\nlines", "a bell \a"])
async def test_a_reason_that_does_not_fit_into_a_line_is_refused(redis_url: str, reason: str) -> None:
    async with arena(redis_url) as here:
        admin = await desk(here)
        for method, fields in (("PausePairing", {}), ("AbortMatch", {}), ("BanBot", {"bot": "bot-one"})):
            assert await admin.refusal(method, reason=reason, **fields) == "INVALID"
        assert await acts(here) == []
