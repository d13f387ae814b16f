"""Streams that break, come back, and are taken over."""

import asyncio
from typing import Any

import grpc
import pytest
from duel import Duel
from play_client import PlayClient, act, arena, hello, until
from targi.v1 import play_pb2
from targi_engine import Observation
from targi_server.store.matches import MatchStore

SESSION = "the-same-session-again"


async def back(duel: Duel, client: PlayClient, bot: str, here: Any, **fields: Any) -> PlayClient:
    """The bot's next connection, which takes the seat of the one before."""
    again: PlayClient = await here.connect(bot, **fields)
    duel.clients[duel.clients.index(client)] = again
    return again


async def test_a_stream_that_is_cut_while_its_bot_thinks_goes_on(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(9):
            await duel.move()
        bot, seat = ("bot-one", "bot-two")[duel.state.current_seat], duel.state.current_seat
        await duel.mover.cut()
        again = await back(duel, duel.mover, bot, here)
        started = await again.next("match_started")
        assert (started.seat, started.ply, started.turn.ply) == (seat, 9, 9)
        assert [step.ply for step in started.log if not step.forced] == list(range(9))
        assert Observation.decode(started.view.compact) == duel.state.observation(seat)
        legal = [action.id for action in started.turn.legal]
        assert legal == list(duel.state.legal_actions())
        await again.act(duel.match_id, 9, legal[0])
        for client in duel.clients:
            assert (await client.next("applied")).next_ply == 10


async def test_a_bot_that_is_back_is_seated_at_its_matches_side_by_side(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        matches = [await here.match(one, two, "bot-one", "bot-two") for _ in range(3)]
        arrive, arriving, all_arrive = MatchStore.arrive, list[str](), asyncio.Event()

        async def arrive_together(store: MatchStore, match_id: str, seat: int, **fields: Any) -> bool:
            arriving.append(match_id)
            if len(arriving) == len(matches):
                all_arrive.set()
            await all_arrive.wait()
            return await arrive(store, match_id, seat, **fields)

        await one.cut()
        monkeypatch.setattr(MatchStore, "arrive", arrive_together)
        again = await here.connect("bot-one")
        assert {(await again.next("match_started")).match_id for _ in matches} == set(matches)


async def test_a_bot_that_sits_down_while_the_other_leaves_hears_what_follows(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table that the other one left empty is cleared: whoever sits down later must not sit there."""
    async with arena(redis_url) as here:
        duel = await here.duel()
        moving, names = duel.state.current_seat, ("bot-one", "bot-two")
        arrive, arriving, may_arrive = MatchStore.arrive, asyncio.Event(), asyncio.Event()

        async def arrive_late(store: MatchStore, match_id: str, seat: int, **fields: Any) -> bool:
            if seat != moving:
                arriving.set()
                await may_arrive.wait()
            return await arrive(store, match_id, seat, **fields)

        await here.leave(duel.waiter, names[1 - moving])
        monkeypatch.setattr(MatchStore, "arrive", arrive_late)
        waiter = await back(duel, duel.waiter, names[1 - moving], here)
        await arriving.wait()
        await here.leave(duel.mover, names[moving])
        may_arrive.set()
        await waiter.next("match_started")
        mover = await back(duel, duel.mover, names[moving], here)
        started = await mover.next("match_started")
        await mover.act(duel.match_id, 0, started.turn.legal[0].id)
        assert (await waiter.next("applied")).next_ply == 1


async def test_welcome_counts_the_matches_that_follow(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        matches = {await here.match(one, two, "bot-one", "bot-two") for _ in range(4)}
        await one.cut()
        again = here.client(here.tokens["bot-one"])
        assert (await again.hello(session=SESSION)).running_matches == 4
        assert {(await again.next("match_started")).match_id for _ in matches} == matches


async def test_a_lost_acknowledgement_is_given_again(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, bot = duel.mover, ("bot-one", "bot-two")[duel.state.current_seat]
        action = duel.state.legal_actions()[0]
        first = await duel.move(action)
        await mover.cut()
        again = await back(duel, mover, bot, here)
        assert (await again.next("match_started")).ply == 1
        await again.act(duel.match_id, 0, action)
        assert await again.next("applied") == first
        await duel.move()


async def test_what_the_other_did_meanwhile_is_in_the_log(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.skip(lambda state: state.ply > 3)
        waiter, bot = duel.waiter, ("bot-one", "bot-two")[1 - duel.state.current_seat]
        await waiter.cut()
        await duel.mover.turn(duel.match_id)
        ply, action = duel.state.ply, duel.state.legal_actions()[0]
        await duel.mover.act(duel.match_id, ply, action)
        await duel.mover.next("applied")
        duel.state.apply(action)
        again = await back(duel, waiter, bot, here)
        started = await again.next("match_started")
        assert started.ply == ply + 1
        asked = [step.action.id for step in started.log if not step.forced]
        assert asked[-1] == action


async def test_an_answer_that_comes_in_the_frame_of_hello_counts(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, bot = duel.mover, ("bot-one", "bot-two")[duel.state.current_seat]
        await mover.cut()
        action = duel.state.legal_actions()[0]
        again = here.client(here.tokens[bot])
        await again.send_all(
            play_pb2.BotEvent(hello=hello(session=SESSION)),
            play_pb2.BotEvent(act=act(duel.match_id, 0, action)),
        )
        assert (await again.next("applied")).taken == 1
        assert (await duel.waiter.next("applied")).taken == 1


async def test_an_end_that_was_missed_is_told_once(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=200) as here:
        duel = await here.duel()
        await here.leave(duel.clients[1], "bot-two")
        await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
        await duel.clients[0].next("match_ended")
        for session in ("first-session-after-it", "second-session-after-it"):
            again = await here.connect("bot-two", session=session)
            ended = await again.next("match_ended")
            assert (ended.match_id, ended.outcome.termination) == (duel.match_id, 2)
            if session.startswith("first"):
                await here.leave(again, "bot-two")
        held = await here.service.parts.lobby.slots.held(["bot-two"])
        while held["bot-two"].ends:
            await asyncio.sleep(0.02)
            held = await here.service.parts.lobby.slots.held(["bot-two"])
        await here.leave(again, "bot-two")
        last = await here.connect("bot-two", session="third-session-after-it")
        await last.send(ping=play_pb2.Ping(token=1))
        await last.next("pong")
        assert "match_ended" not in last.kinds()


async def test_an_end_is_told_again_to_a_bot_that_closed_its_stream_because_nothing_came(
    redis_url: str,
) -> None:
    async with arena(redis_url, heartbeat_ms=400) as here:
        duel = await here.duel()
        deaf = duel.clients[1]
        deaf.pongs = False
        await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
        await deaf.next("match_ended")
        before = deaf.pings
        await until(lambda: deaf.pings > before)
        await deaf.call.done_writing()
        await deaf.end()
        again = await here.connect("bot-two", session="a-session-after-it")
        assert (await again.next("match_ended")).match_id == duel.match_id


async def test_a_newer_session_replaces_the_older(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        older = duel.clients[0]
        newer = await back(duel, older, "bot-one", here)
        ended = await older.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.ABORTED, "REPLACED")
        await newer.told(duel.match_id)
        await duel.move()
        await duel.move()


async def test_a_second_takeover_within_a_minute_must_wait(redis_url: str) -> None:
    async with arena(redis_url) as here:
        await here.connect("bot-one")
        second = await here.connect("bot-one")
        third = here.client(here.tokens["bot-one"])
        await third.send(hello=hello(session="a-third-session-of-it"))
        ended = await third.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TAKEOVER_LIMIT")
        await second.send(ping=play_pb2.Ping(token=1))
        await second.next("pong")


async def test_the_same_session_comes_back_as_often_as_it_likes(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        client = duel.clients[0]
        for _ in range(4):
            newer = await back(duel, client, "bot-one", here, session=SESSION)
            await newer.told(duel.match_id)
            client = newer
        await duel.move()
        await duel.move()


async def test_a_replaced_session_leaves_the_seat_to_the_newer(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        older = duel.clients[0]
        newer = await back(duel, older, "bot-one", here)
        await newer.next("match_started")
        await older.end()
        await until(lambda: len(here.service.room.sessions) == 2)
        stored = await here.service.store.matches.load(duel.match_id)
        assert stored is not None
        assert [seat.connected for seat in stored.live.seats] == [True, True]


async def test_a_cut_stream_makes_its_seat_gone(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.clients[1].cut()
        stored = await here.service.store.matches.load(duel.match_id)
        while stored is not None and stored.live.seats[1].connected:
            await asyncio.sleep(0.02)
            stored = await here.service.store.matches.load(duel.match_id)
        assert stored is not None
        assert stored.live.seats[0].connected


async def test_a_bot_that_is_back_is_not_gone_because_its_old_stream_is_seen_off_late(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        is_leaving, is_back, departures = asyncio.Event(), asyncio.Event(), list[str]()
        depart = MatchStore.depart

        async def depart_late(store: MatchStore, match_id: str, seat: int, **fields: Any) -> bool:
            is_leaving.set()
            await is_back.wait()
            done = await depart(store, match_id, seat, **fields)
            departures.append(match_id)
            return done

        monkeypatch.setattr(MatchStore, "depart", depart_late)
        mover, bot, seat = (
            duel.mover,
            ("bot-one", "bot-two")[duel.state.current_seat],
            duel.state.current_seat,
        )
        await mover.cut()
        await is_leaving.wait()  # a newer session would take the departure over
        again = await back(duel, mover, bot, here)
        await again.told(duel.match_id)
        is_back.set()
        await until(lambda: departures)
        stored = await here.service.store.matches.load(duel.match_id)
        assert stored is not None
        assert stored.live.seats[seat].connected


async def test_an_open_offer_is_shown_again_after_a_break(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, _ = await here.connect("bot-one"), await here.connect("bot-two")
        offer_id = await here.offer("bot-one", "bot-two")
        await one.next("offer")
        await one.cut()
        again = await here.connect("bot-one")
        assert (await again.next("offer")).offer_id == offer_id
