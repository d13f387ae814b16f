"""The evidence of a match: what GetMatch tells about its course, while it runs and when it is over."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from duel import Duel
from play_client import Arena, arena, bearer
from redis_server import RedisServer
from targi.v1 import match_service_pb2 as pb
from targi.v1 import play_pb2
from targi_engine import ACTIONS
from targi_server.lobby.terms import Times
from targi_server.match.incidents import Incident, IncidentKind
from targi_server.play.chain import walk
from targi_server.play.witness import MOST_TOLD
from targi_server.services.timeline import timeline

Rows = list[pb.TimelineEntry]


async def course(here: Arena, match_id: str) -> Rows:
    answer = await here.stub.GetMatch(pb.GetMatchRequest(match_id=match_id, timeline=True))
    return list(answer.timeline)


async def words_of(here: Arena, match_id: str) -> list[str]:
    """Of all that happened besides plays."""
    return [row.words for row in await course(here, match_id) if not row.HasField("action")]


async def told(here: Arena, match_id: str, *parts: str) -> str:
    """Waits until something with these words was kept."""
    while True:
        for words in await words_of(here, match_id):
            if all(part in words for part in parts):
                return words
        await asyncio.sleep(0.01)


async def illegal(duel: Duel) -> str:
    """Notation of an action that is not legal now."""
    legal = set(duel.state.legal_actions())
    return next(name for number, name in enumerate(ACTIONS) if number not in legal)


async def test_a_strike_is_told_with_what_was_received(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        wrong = await illegal(duel)
        seat = duel.state.current_seat
        await duel.mover.act(duel.match_id, 1, wrong)
        await duel.mover.next("rejected")
        (row,) = [row for row in await course(here, duel.match_id) if not row.HasField("action")]
        assert (row.ply, row.seat) == (1, seat)
        assert "strike 1" in row.words and repr(wrong) in row.words


async def test_time_that_was_credited_is_not_put_down_to_an_outage(redis_url: str) -> None:
    """The first turn runs before its bot is told of the match; that is credited to it, and no fault."""
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        seen = await here.service.room.lookup.match(duel.match_id)
        entry = seen.entries[0]._replace(elapsed_ms=360, charged_ms=200, out_ms=40, in_ms=10)
        (row,) = timeline(replace(seen, entries=(entry,)))
        assert (row.charged_ms, row.lag_ms) == (200, 50)
        assert row.words == "60 ms more were not charged: they were credited to this seat"


async def test_the_illegal_link_of_a_chain_is_the_one_that_is_told(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        while not walk(duel.state, [duel.state.legal_actions()[0], None]).illegal:  # the turn must go on
            await duel.move()
        ply, seat = duel.state.ply, duel.state.current_seat
        await duel.mover.act(duel.match_id, ply, duel.state.legal_actions()[0], "no such action\x1b[31m")
        await duel.mover.next("rejected")
        taken, struck = (await course(here, duel.match_id))[-2:]
        assert (taken.ply, taken.HasField("action")) == (ply, True)
        assert (struck.ply, struck.seat) == (ply + 1, seat)
        assert r"'no such action\x1b[31m'" in struck.words


async def test_what_was_refused_is_told_with_its_reason(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        await duel.waiter.act(duel.match_id, 1, 1)
        assert repr(ACTIONS[1]) in await told(here, duel.match_id, "NOT_YOUR_TURN", "for ply 1")


async def test_an_action_is_told_in_notation_however_it_was_sent(redis_url: str) -> None:
    """So the rows of refusals and strikes read like those of what was played."""
    async with arena(redis_url) as here:
        duel = await here.duel()
        wrong = await illegal(duel)
        for sent in (wrong, ACTIONS.index(wrong)):
            await duel.waiter.act(duel.match_id, 0, sent)
            await duel.mover.act(duel.match_id, 0, sent)
            await duel.waiter.next("rejected")
            await duel.mover.next("rejected")
        await here.service.room.errands.finish(10)
        words = await words_of(here, duel.match_id)
        assert sorted(text.count(repr(wrong)) for text in words) == [1, 1, 1]  # one strike: the same twice


async def test_a_flood_of_refusals_is_kept_in_part(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        act = play_pb2.Act(match_id=duel.match_id, ply=0)
        await duel.waiter.send_all(*[play_pb2.BotEvent(act=act)] * (2 * MOST_TOLD))
        for _ in range(2 * MOST_TOLD):
            await duel.waiter.next("rejected")
        await here.service.room.errands.finish(10)
        assert len(await words_of(here, duel.match_id)) == MOST_TOLD


async def test_departures_and_returns_are_told_with_their_times(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        await duel.clients[1].cut()
        await told(here, duel.match_id, "seat 1 is gone: its connection broke or was closed", "60.000 s")
        await here.connect("bot-two")
        await told(here, duel.match_id, "seat 1 is here after ", "away")
        rows = await course(here, duel.match_id)
        assert [row.committed_unix_ms for row in rows] == sorted(row.committed_unix_ms for row in rows)


async def test_a_connection_that_was_cut_is_told_like_one_that_was_closed(redis_url: str) -> None:
    """Of a process that dies the server hears the one or the other."""
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.clients[0].cut()
        await duel.clients[1].call.done_writing()
        cut = await told(here, duel.match_id, "seat 0 is gone")
        closed = await told(here, duel.match_id, "seat 1 is gone")
        assert cut.replace("seat 0", "") == closed.replace("seat 1", "")


async def test_a_bot_that_was_sent_away_is_told_to_be_gone_for_that(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await here.service.parts.accounts.revoke_bot_token("owner-of-bot-one", "bot-one")
        await told(here, duel.match_id, "seat 0 is gone: its token was revoked or replaced")


async def test_an_outage_is_told_at_the_ply_that_was_reached(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        seen = await here.service.room.lookup.match(duel.match_id)
        before, after = (
            Incident(seen.began_ms + offset, IncidentKind.OUTAGE, None, 0, (3_000,))
            for offset in (-1, seen.entries[0].elapsed_ms + 1)
        )
        rows = timeline(replace(seen, story=(before, after)))
        assert [(row.ply, row.words[:11]) for row in rows if not row.HasField("action")] == [
            (0, "the service"),
            (1, "the service"),
        ]


async def test_a_bot_that_gave_no_sign_of_life_is_told_to_be_gone_for_that(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=100) as here:
        duel = await here.duel()
        duel.waiter.pongs = False
        await told(here, duel.match_id, "nothing was heard of it for two heartbeats")


async def test_a_stop_of_the_server_uses_up_no_budget_and_says_so(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await here.service.room.host.drain(0.1)
        await told(here, duel.match_id, "its server process stopped", "uses up no budget")


async def test_a_late_answer_shows_what_it_took_and_what_the_server_took(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(200, 0, 60_000))
        turn = await duel.mover.turn(duel.match_id)
        await asyncio.sleep(0.4)  # this is the thinking that is too long
        await duel.mover.act(duel.match_id, 0, turn.legal[0].id)
        await duel.waiter.next("match_ended")
        late, end = await words_of(here, duel.match_id)
        assert "answered too late: 0.200 s were on its clock, it took " in late
        assert "before its turn was sent" in late and "in the server" in late
        assert end.startswith("time: seat ")


async def test_a_flag_that_fell_shows_how_both_seats_stood(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(100, 0, 60_000))
        seat = duel.state.current_seat
        await duel.waiter.next("match_ended")
        judged, end = await words_of(here, duel.match_id)
        assert f"seat {seat} was to move with 0.100 s on its clock" in judged
        assert "seat 0 was connected" in judged and "seat 1 was connected" in judged
        assert end == f"time: seat {seat} ran out of time"


async def test_a_used_up_budget_shows_since_when_the_seat_was_gone(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(60_000, 0, 200))
        seat = duel.clients.index(duel.waiter)
        await duel.waiter.cut()
        await duel.mover.next("match_ended")
        gone, judged, _ = await words_of(here, duel.match_id)
        assert f"seat {seat} is gone" in gone
        assert f"seat {seat} was gone for " in judged


async def test_a_debug_matchs_stopped_clock_is_told(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(hold_allowed=True)
        await duel.mover.send(hold=play_pb2.Hold(match_id=duel.match_id))
        await told(here, duel.match_id, "stopped its clock")
        await duel.mover.send(release=play_pb2.Release(match_id=duel.match_id))
        await told(here, duel.match_id, "let its clock run again")


async def test_the_text_of_a_bots_error_is_for_its_owner_only(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.clients[0].send(
            bot_error=play_pb2.BotError(match_id=duel.match_id, ply=0, text="ZeroDivisionError: secret plan")
        )
        await duel.clients[1].next("match_ended")
        request = pb.GetMatchRequest(match_id=duel.match_id, timeline=True)
        for _ in range(2):  # before and after it was filed
            for who in ("owner-of-bot-two", "bot-two", ""):
                answer = await here.stub.GetMatch(request, metadata=bearer(here.tokens[who]) if who else ())
                assert b"secret plan" not in answer.SerializeToString()
                assert "seat 0 reported that its own code failed" in answer.timeline[-1].words
            answer = await here.stub.GetMatch(request, metadata=bearer(here.tokens["owner-of-bot-one"]))
            assert "secret plan" in answer.private_error
            await here.filed(duel.match_id)


async def test_the_evidence_is_the_same_before_and_after_filing(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(3):
            await duel.move()
        await duel.mover.act(duel.match_id, 3, await illegal(duel))
        await duel.mover.next("rejected")
        await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
        await duel.clients[1].next("match_ended")
        before = await course(here, duel.match_id)
        await here.filed(duel.match_id)
        after = await course(here, duel.match_id)
        assert before == after
        assert [row.ply for row in after] == [0, 1, 2, 3, 3]
        assert after[-1].words == "resigned: seat 0 resigned"


async def test_a_match_in_which_nothing_happens_keeps_nothing(
    redis_url: str, shared_redis: RedisServer
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(5):
            await duel.move()
        with shared_redis.client() as client:
            assert client.keys("*:story") == []


async def test_nothing_is_left_of_the_incidents_when_a_match_is_filed(
    redis_url: str, shared_redis: RedisServer
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.mover.act(duel.match_id, 0, "nonsense")
        await duel.mover.next("rejected")
        with shared_redis.client() as client:
            assert len(list(client.keys("*:story"))) == 1
            await duel.play_out()
            await here.filed(duel.match_id)
            assert client.keys("*:story") == []
