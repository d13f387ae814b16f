"""Two server processes over one store: the bots of a match may sit on either."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from duel import Duel
from play_client import SEED, Arena, arena
from targi.v1 import play_pb2
from targi_engine import State, new_game


@asynccontextmanager
async def two_replicas(redis_url: str) -> AsyncIterator[tuple[Arena, Arena]]:
    async with arena(redis_url, replica="left") as left, arena(redis_url, replica="right") as right:
        right.tokens = left.tokens
        yield left, right


async def test_a_match_between_two_replicas_is_played_to_its_end(redis_url: str) -> None:
    async with two_replicas(redis_url) as (left, right):
        one, two = await left.connect("bot-one"), await right.connect("bot-two")
        match_id = await left.match(one, two, "bot-one", "bot-two")
        duel = Duel(match_id, [one, two], new_game("base", SEED))
        first, second = await duel.play_out()
        assert first == second
        assert tuple(first.outcome.scores) == duel.state.scores()


async def test_a_resignation_is_heard_on_the_other_replica(redis_url: str) -> None:
    async with two_replicas(redis_url) as (left, right):
        one, two = await left.connect("bot-one"), await right.connect("bot-two")
        match_id = await left.match(one, two, "bot-one", "bot-two")
        await one.send(resign=play_pb2.Resign(match_id=match_id))
        assert (await two.next("match_ended")).outcome.culprit == 2


async def test_a_bot_may_come_back_on_the_other_replica(redis_url: str) -> None:
    async with two_replicas(redis_url) as (left, right):
        one, two = await left.connect("bot-one"), await left.connect("bot-two")
        match_id = await left.match(one, two, "bot-one", "bot-two")
        duel = Duel(match_id, [one, two], new_game("base", SEED))
        for _ in range(5):
            await duel.move()
        duel.clients[0] = await right.connect("bot-one")
        assert (await one.end()).reason == "REPLACED"
        await duel.clients[0].told(match_id)
        for _ in range(10):
            await duel.move()


@pytest.mark.parametrize("loser", [0, 1])
async def test_news_that_are_lost_are_made_up_for(
    redis_url: str, loser: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_replicas(redis_url) as (left, right):
        one, two = await left.connect("bot-one"), await right.connect("bot-two")
        match_id = await left.match(one, two, "bot-one", "bot-two")
        deaf = (left, right)[loser].service.store.bus
        monkeypatch.setattr(deaf, "_deliver", lambda message: None)
        duel = Duel(match_id, [one, two], new_game("base", SEED))
        for _ in range(3):
            await duel.move()
        await duel.clients[1 - loser].send(resign=play_pb2.Resign(match_id=match_id))
        assert (await duel.clients[loser].next("match_ended")).match_id == match_id


def answers_twice(state: State) -> bool:
    """Whether seat 0 is to move, and again after its first legal action."""
    if state.current_seat != 0:
        return False
    later = state.clone()
    later.apply(later.legal_actions()[0])
    return later.current_seat == 0


async def test_answers_that_are_made_up_for_come_with_the_clocks_of_their_plies(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_replicas(redis_url) as (left, right):
        one, two = await left.connect("bot-one"), await right.connect("bot-two")
        match_id = await left.match(one, two, "bot-one", "bot-two")
        duel = Duel(match_id, [one, two], new_game("base", SEED))
        await duel.skip(answers_twice)
        monkeypatch.setattr(right.service.store.bus, "_deliver", lambda message: None)
        told = []
        while duel.state.current_seat == 0:  # to the end of the turn, which adds the increment
            await one.turn(match_id)
            action = duel.state.legal_actions()[0]
            await one.act(match_id, duel.state.ply, action)
            told.append(await one.next("applied", match_id))
            duel.state.apply(action)
        assert [await two.next("applied", match_id) for _ in told] == told
