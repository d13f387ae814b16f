"""What the table of faults promises about streams, clocks and limits, over a real port."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

import grpc
import pytest
from duel import Duel
from play_client import Arena, PlayClient, arena, asked, bearer, reason_of, until
from targi.v1 import game_pb2, play_pb2
from targi.v1 import match_service_pb2 as pb
from targi_server.lobby.terms import Times
from targi_server.match.model import Kind
from targi_server.metrics import exposition

OFFER_MS = 400


async def pair(here: Arena, first: PlayClient, second: PlayClient) -> list[str]:
    """Ids of the two matches of a rated pair, of which the first has started."""
    offer_id = await here.offer("bot-one", "bot-two", kind=Kind.RATED, seeds=())
    for number, client in enumerate((first, second)):
        offer = await client.next("offer")
        ready = play_pb2.Ready(offer_id=offer_id, nonce=bytes([number]) * 32)
        await client.send(ready=ready)
    for client in (first, second):
        await client.told(offer.match_ids[0])
    return list(offer.match_ids)


async def answers(client: PlayClient, match_id: str) -> None:
    """Answers each turn of a match with the first legal action; ends with the match."""
    while not any(event.match_ended.match_id == match_id for event in client.events):
        turns = [event for event in client.events if (turn := asked(event)) and turn.match_id == match_id]
        if turns:
            turn = await client.turn(match_id)
            await client.act(match_id, turn.ply, turn.legal[0].id)
        else:
            await asyncio.sleep(0.002)


async def test_the_opponent_of_a_bot_that_failed_hears_of_it_on_a_stream_that_stays(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        failed, opponent = duel.clients
        await failed.send(bot_error=play_pb2.BotError(match_id=duel.match_id, ply=0, text="KeyError"))
        await failed.cut()
        outcome = (await opponent.next("match_ended")).outcome
        assert outcome.result == game_pb2.RESULT_SEAT1_WINS
        assert outcome.termination == game_pb2.TERMINATION_BOT_ERROR
        assert outcome.culprit == game_pb2.CULPRIT_SEAT0
        await opponent.send(ping=play_pb2.Ping(token=7))
        assert (await opponent.next("pong")).token == 7


def measured_s(here: Arena) -> float:
    """Time that answers waited in the server, as a scrape shows it."""
    shown = exposition(None, here.service.metrics.registry).decode()
    found = re.search(r"^targi_clock_in_seconds_sum (\S+)$", shown, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_time_that_an_answer_waits_in_the_server_is_not_charged_and_is_measured(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        table = here.service.room.tables.get(duel.match_id)
        assert table is not None
        turn = await duel.mover.turn(duel.match_id)
        async with table.lock:  # the server is busy with this match
            await duel.mover.act(duel.match_id, 0, turn.legal[0].id)
            await asyncio.sleep(0.4)
        applied = await duel.mover.next("applied")
        (row,) = (
            await here.stub.GetMatch(pb.GetMatchRequest(match_id=duel.match_id, timeline=True))
        ).timeline
        assert row.in_ms >= 300 > applied.charged_ms
        await until(lambda: measured_s(here) >= 0.3)


async def first_heard(client: PlayClient) -> play_pb2.Applied | play_pb2.MatchEnded:
    """What came of an answer."""
    await until(lambda: {"applied", "match_ended"} & set(client.kinds()))
    kind = next(kind for kind in client.kinds() if kind in ("applied", "match_ended"))
    heard: play_pb2.Applied | play_pb2.MatchEnded = await client.next(kind)
    return heard


@pytest.mark.parametrize("early_ms", [-60, 0, 60])
async def test_an_answer_and_the_end_of_the_clock_leave_one_outcome_for_both(
    redis_url: str, early_ms: int
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(300, 0, 60_000))
        turn = await duel.mover.turn(duel.match_id)
        await asyncio.sleep((300 - early_ms) / 1000)
        await duel.mover.act(duel.match_id, 0, turn.legal[0].id)
        first, second = [await first_heard(client) for client in duel.clients]
        assert first == second
        match = (await here.stub.GetMatch(pb.GetMatchRequest(match_id=duel.match_id))).match
        assert match.ply == int(isinstance(first, play_pb2.Applied))


async def test_a_bot_that_is_cut_off_for_not_reading_comes_back_and_its_opponent_notices_nothing(
    redis_url: str,
) -> None:
    async with arena(redis_url, queue_limit=64) as here:
        duel = await here.duel()
        slow = duel.clients.index(duel.waiter)
        session = here.service.room.sessions.get(("bot-one", "bot-two")[slow])
        assert session is not None
        while not session.outbox.closed:  # more than any peer can be sent without reading
            session.push(play_pb2.PlayResponse(events=[FILL]).SerializeToString())
        ended = await duel.clients[slow].end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")
        turn = await duel.mover.turn(duel.match_id)
        await duel.mover.act(duel.match_id, 0, turn.legal[0].id)
        await duel.mover.next("applied")
        assert set(duel.mover.kinds()) <= {"turn"}
        back = await here.connect(("bot-one", "bot-two")[slow])
        assert (await back.next("match_started")).ply == 1


FILL = play_pb2.ServerEvent(notice=play_pb2.Notice(words="x" * 1_000))


async def test_rate_limits_never_refuse_a_legal_action_of_a_running_match(redis_url: str) -> None:
    async with arena(redis_url, calls_per_second=1) as here:
        duel = await here.duel()
        token = bearer(here.tokens["bot-one"])
        refused = 0
        while not refused:
            try:
                await here.stub.GetMatch(pb.GetMatchRequest(match_id=duel.match_id), metadata=token)
            except grpc.aio.AioRpcError as error:
                assert reason_of(error) == "LIMIT"
                refused += 1
        told, _ = await duel.play_out()
        assert told.outcome.termination == game_pb2.TERMINATION_NORMAL


async def test_a_retired_bot_plays_what_runs_to_its_end_the_second_game_included(redis_url: str) -> None:
    async with arena(redis_url) as here:
        clients = [await here.connect(bot) for bot in ("bot-one", "bot-two")]
        matches = await pair(here, *clients)
        await here.service.parts.accounts.retire_bot("owner-of-bot-one", "bot-one")
        for match_id in matches:
            players = [asyncio.create_task(answers(client, match_id)) for client in clients]
            for client in clients:
                outcome = (await client.next("match_ended", match_id)).outcome
                assert outcome.termination == game_pb2.TERMINATION_NORMAL
            for player in players:
                player.cancel()
                with suppress(asyncio.CancelledError):
                    await player


async def test_the_bot_that_was_ready_is_paired_again_at_once_when_the_other_was_not(redis_url: str) -> None:
    async with arena(redis_url, pairing=True, offer_ms=OFFER_MS) as here:
        willing = await here.connect("bot-one", ladder=True, capacity=1)
        idle = await here.connect("bot-two", ladder=True, capacity=1)
        offer = await willing.next("offer")
        await willing.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=bytes(32)))
        assert not (await willing.next("offer_lapsed")).own_fault
        assert (await idle.next("offer_lapsed")).own_fault
        await willing.next("offer")


async def test_everything_about_a_fault_is_told_to_both_alike(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel: Duel = await here.duel()
        for number in range(3):
            await duel.mover.act(duel.match_id, 0, f"nonsense {number}")
            await duel.mover.next("rejected")
        first, second = [await client.next("match_ended") for client in duel.clients]
        shown = await here.stub.GetMatch(pb.GetMatchRequest(match_id=duel.match_id, timeline=True))
        assert first == second and shown.match.outcome == first.outcome
        assert [row.words.split()[3] for row in shown.timeline[:3]] == ["1", "2", "3"]
