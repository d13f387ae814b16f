"""What bots do besides acting: resign, fail, stop their clock, leave."""

import asyncio
import hashlib

import grpc
import pytest
from play_client import arena, bearer, until
from targi.v1 import game_pb2, match_service_pb2, play_pb2, reason_pb2


async def test_a_resignation_ends_the_match_for_both(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        await duel.clients[1].send(resign=play_pb2.Resign(match_id=duel.match_id))
        first, second = [await client.next("match_ended") for client in duel.clients]
        assert first == second
        assert first.outcome.result == game_pb2.RESULT_SEAT0_WINS
        assert first.outcome.termination == game_pb2.TERMINATION_RESIGNED
        assert first.outcome.culprit == game_pb2.CULPRIT_SEAT1
        assert tuple(first.outcome.scores) == duel.state.scores()


async def test_a_bots_error_is_for_its_owner_only(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        error = play_pb2.BotError(match_id=duel.match_id, text="Traceback: division of the undivided")
        await duel.clients[0].send(bot_error=error)
        for client in duel.clients:
            ended = await client.next("match_ended")
            assert ended.outcome.termination == game_pb2.TERMINATION_BOT_ERROR
            assert ended.outcome.culprit == game_pb2.CULPRIT_SEAT0
            assert "division" not in str(ended)
        request = match_service_pb2.GetMatchRequest(match_id=duel.match_id, timeline=True)
        for name, told in (("owner-of-bot-one", True), ("bot-one", True), ("owner-of-bot-two", False)):
            answer = await here.stub.GetMatch(request, metadata=bearer(here.tokens[name]))
            assert ("division" in answer.private_error) == told
            assert ("division" in str(answer)) == told
        assert not (await here.stub.GetMatch(request)).private_error


async def test_a_bots_error_is_cut_at_four_kilobytes(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        error = play_pb2.BotError(match_id=duel.match_id, text="é" * 5_000)
        await duel.clients[0].send(bot_error=error)
        await duel.clients[1].next("match_ended")
        request = match_service_pb2.GetMatchRequest(match_id=duel.match_id)
        answer = await here.stub.GetMatch(request, metadata=bearer(here.tokens["bot-one"]))
        assert answer.private_error == "é" * 2_048


async def test_clocks_stop_in_debug_challenges_only(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for event in (
            {"hold": play_pb2.Hold(match_id=duel.match_id)},
            {"release": play_pb2.Release(match_id=duel.match_id)},
        ):
            await duel.mover.send(**event)
            rejected = await duel.mover.next("rejected")
            assert rejected.reason == reason_pb2.REASON_HOLD_NOT_ALLOWED
        await duel.move()


async def test_a_held_clock_stands_still(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(hold_allowed=True)
        mover = duel.mover
        await mover.send(hold=play_pb2.Hold(match_id=duel.match_id))
        stored = await here.service.store.matches.load(duel.match_id)
        while stored is not None and not stored.live.held:
            stored = await here.service.store.matches.load(duel.match_id)
        started = asyncio.get_running_loop().time()
        await until(lambda: asyncio.get_running_loop().time() - started > 0.3)
        await mover.send(release=play_pb2.Release(match_id=duel.match_id))
        applied = await duel.move()
        assert applied.charged_ms < 250
        assert "rejected" not in mover.kinds()


async def test_both_are_told_when_a_held_clock_runs_again_and_no_more_may_be_held(redis_url: str) -> None:
    async with arena(redis_url, hold_ms=300, hold_total_ms=300) as here:
        duel = await here.duel(hold_allowed=True)
        mover = duel.mover
        await mover.send(hold=play_pb2.Hold(match_id=duel.match_id))
        for client in duel.clients:
            notice = await client.next("notice")
            assert notice.reason == reason_pb2.REASON_HOLD_NOT_ALLOWED
            assert duel.match_id in notice.words and "runs again" in notice.words
        await mover.send(hold=play_pb2.Hold(match_id=duel.match_id))
        rejected = await mover.next("rejected")
        assert rejected.reason == reason_pb2.REASON_HOLD_NOT_ALLOWED
        assert "as long as it may" in rejected.words
        await duel.move()


async def test_who_leaves_finishes_what_runs_and_takes_nothing_new(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        one = duel.clients[0]
        await one.send(leave=play_pb2.Leave())
        session = here.service.room.sessions.get("bot-one")
        assert session is not None
        await until(lambda: session.leaving)
        await duel.move()
        await duel.move()
        assert one.ended is None
        await one.send(resign=play_pb2.Resign(match_id=duel.match_id))
        ended = await one.end()
        assert ended.code is grpc.StatusCode.OK
        assert one.kinds()[-1] == "match_ended"


async def test_who_leaves_with_nothing_to_finish_is_let_go(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await client.send(leave=play_pb2.Leave())
        assert (await client.end()).code is grpc.StatusCode.OK
        await until(lambda: not len(here.service.room.sessions))


async def test_a_declined_offer_lapses_and_shows_its_secrets(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        offer_id = await here.offer("bot-one", "bot-two", seeds=())
        offer = await one.next("offer")
        assert not offer.given_seeds
        await two.send(decline=play_pb2.Decline(offer_id=offer_id, reason="not today"))
        mine, theirs = [await client.next("offer_lapsed") for client in (one, two)]
        assert (mine.own_fault, theirs.own_fault) == (False, True)
        assert mine.secrets == theirs.secrets
        secrets = (mine.secrets.opening_secret, *mine.secrets.game_secrets)
        assert [hashlib.sha256(secret).digest() for secret in secrets] == list(offer.commitments)


@pytest.mark.parametrize("seeds", [(), None])
async def test_an_offer_names_no_opponent_and_no_cards(
    redis_url: str, seeds: tuple[bytes, ...] | None
) -> None:
    async with arena(redis_url) as here:
        one, _ = await here.connect("bot-one"), await here.connect("bot-two")
        await here.offer("bot-one", "bot-two", **({} if seeds is None else {"seeds": seeds}))
        offer = await one.next("offer")
        assert "bot-two" not in str(offer)
        assert len(offer.commitments) == (2 if seeds == () else 0)
        assert len(offer.given_seeds) == (0 if seeds == () else 1)
        assert 0 < offer.answer_within_ms <= 10_000
