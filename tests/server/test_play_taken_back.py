"""Redis lost the latest of a match in a crash: both bots go on from what it has, and nobody is accused."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from duel import Duel
from match_log import MatchLog, digest_of
from play_client import SEED, Arena, arena, until
from redis_server import RedisServer
from rollback import remembered
from targi.v1 import game_pb2, play_pb2
from targi_engine import State, new_game
from targi_server.store.answers import Append, Committed, Gap, Struck


@asynccontextmanager
async def two_replicas(redis_url: str) -> AsyncIterator[tuple[Arena, Arena]]:
    async with arena(redis_url, replica="left") as left, arena(redis_url, replica="right") as right:
        right.tokens = left.tokens
        yield left, right


async def duel_between(left: Arena, right: Arena) -> Duel:
    """A match with seat 0 on the left and seat 1 on the right."""
    one, two = await left.connect("bot-one"), await right.connect("bot-two")
    match_id = await left.match(one, two, "bot-one", "bot-two")
    return Duel(match_id, [one, two], new_game("base", SEED))


async def resync(duel: Duel, seat: int, ply: int) -> play_pb2.MatchStarted:
    """Waits for the MatchStarted that brings a bot back to a ply; drops what it was told before that."""
    client = duel.clients[seat]
    while True:
        start: play_pb2.MatchStarted = await client.next("match_started", duel.match_id)
        if start.ply == ply:
            return start


def hands_over(state: State, action: int) -> bool:
    """Whether the other seat is to move after a choice."""
    further = state.clone()
    further.apply(action)
    return further.current_seat == 1 - state.current_seat


def changes_hands(state: State) -> bool:
    """Whether seat 0 is to move, and seat 1 whatever it chooses first or second."""
    return state.current_seat == 0 and all(hands_over(state, action) for action in state.legal_actions()[:2])


@pytest.mark.parametrize("deaf", [False, True])
async def test_an_action_that_was_lost_and_replaced_by_another_is_taken_back_everywhere(
    redis_url: str, shared_redis: RedisServer, deaf: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_replicas(redis_url) as (left, right):
        duel = await duel_between(left, right)
        await duel.skip(changes_hands)
        with shared_redis.client() as client:
            go_back = remembered(client)
            state, lost = duel.state.clone(), duel.state.legal_actions()[0]
            await duel.move(lost)
            if deaf:
                monkeypatch.setattr(right.service.store.bus, "_deliver", lambda message: None)
            go_back()
        one = duel.clients[0] = await left.connect("bot-one")
        assert (await one.next("match_started", duel.match_id)).ply == state.ply
        chosen = state.legal_actions()[1]
        await one.act(duel.match_id, state.ply, chosen)
        await one.next("applied", duel.match_id)
        state.apply(chosen)
        start = await resync(duel, 1, state.ply)
        asked = [logged.action.id for logged in start.log if not logged.forced]
        assert asked[-1] == chosen and start.strikes == 0
        if start.HasField("turn"):
            assert [action.id for action in start.turn.legal] == list(state.legal_actions())


async def test_an_answer_to_a_position_that_was_lost_is_no_action_and_no_strike(log: MatchLog) -> None:
    match = await log.start()
    with log.client() as client:
        go_back = remembered(client)
        lost = await log.acted(match, 0, 0, (3,))
        go_back()
    log.clock.pass_ms(5)
    other = await log.acted(match, 0, 0, (4,))
    for since_ms, answer in ((lost.at_ms, Gap(1)), (other.at_ms, Struck(1, None))):
        found = await log.matches.strike(match, 1, 1, digest_of((9,)), since_ms=since_ms)
        assert found == answer
    request = Append(match, 1, 1, (5,), digest_of((5,)), 1, log.clock.now, 0, True, next_seat=0)
    assert await log.matches.append(request._replace(since_ms=lost.at_ms)) == Gap(1)
    assert isinstance(await log.matches.append(request._replace(since_ms=other.at_ms)), Committed)


@pytest.mark.parametrize("known", [False, True])
async def test_an_end_that_was_lost_is_taken_back_and_the_match_goes_on(
    redis_url: str, shared_redis: RedisServer, known: bool
) -> None:
    async with arena(redis_url, heartbeat_ms=1_500) as here:
        duel = await here.duel()
        await duel.skip(lambda state: state.ply == 4)
        with shared_redis.client() as client:
            go_back = remembered(client)
            ply = duel.state.ply
            await duel.clients[0].send(resign=play_pb2.Resign(match_id=duel.match_id))
            for each in duel.clients:
                await each.next("match_ended", duel.match_id)
            if known:
                session = here.service.room.sessions.get("bot-one")
                assert session is not None
                await until(lambda: duel.match_id in session.ends.known())
            go_back()
        for seat in (0, 1):
            await resync(duel, seat, ply)
        duel.state = await position(here, duel.match_id)
        mover = duel.mover
        await mover.act(duel.match_id, duel.state.ply, duel.state.legal_actions()[0])
        assert (await mover.next("applied", duel.match_id)).ply == ply


async def test_a_ready_that_was_lost_is_noted_again_and_its_bot_is_not_at_fault(
    redis_url: str, shared_redis: RedisServer
) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        offer_id = await here.offer("bot-one", "bot-two")
        for each in (one, two):
            await each.next("offer")
        session = here.service.room.sessions.get("bot-one")
        assert session is not None
        with shared_redis.client() as client:
            go_back = remembered(client)
            await one.send(ready=play_pb2.Ready(offer_id=offer_id, nonce=secrets.token_bytes(32)))
            await until(lambda: offer_id in session.taken)
            go_back()
        await two.send(ready=play_pb2.Ready(offer_id=offer_id, nonce=secrets.token_bytes(32)))
        for each in (one, two):
            assert (await each.next("match_started")).strikes == 0


async def test_a_match_that_was_lost_whole_is_over_for_its_bots_and_nothing_of_it_is_published(
    redis_url: str, shared_redis: RedisServer
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        with shared_redis.client() as client:
            client.delete(*client.keys(f"*{duel.match_id}*"))
        for each in duel.clients:
            ended = await each.next("match_ended", duel.match_id)
            assert ended.outcome.termination == game_pb2.TERMINATION_ABORTED
            assert ended.outcome.culprit == game_pb2.CULPRIT_NONE
            assert "lost this match" in ended.outcome.words
            assert ended.secrets == game_pb2.Secrets()


async def position(here: Arena, match_id: str) -> State:
    """Where the log stands."""
    stored = await here.service.store.matches.load(match_id)
    assert stored is not None
    state = new_game("base", SEED)
    for entry in stored.entries:
        state.apply(entry.action)
    return state
