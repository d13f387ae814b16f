"""Answers that are refused: what the bot is told, and what it costs."""

import secrets
from collections.abc import Sequence

import pytest
import redis
from duel import Duel
from play_client import arena
from rejections import rejection
from targi.v1 import game_pb2, play_pb2
from targi_server.play.links import MAX_CHAIN
from targi_server.store.commands import Argument
from targi_server.store.link import SingleLink

NOBODY = "0" * 16


def illegal(duel: Duel) -> int:
    """An action of the vocabulary that is not legal now."""
    return next(action for action in range(200) if action not in duel.state.legal_actions())


@pytest.mark.parametrize("kind", ["illegal", "unknown id", "unknown name", "none"])
async def test_an_illegal_answer_costs_a_strike_and_brings_the_turn_again(redis_url: str, kind: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        sent: dict[str, tuple[int | str, ...]] = {
            "illegal": (illegal(duel),),
            "unknown id": (100_000,),
            "unknown name": ("@16",),
            "none": (),
        }
        await duel.mover.act(duel.match_id, 0, *sent[kind])
        rejected = await rejection(duel.mover, "ILLEGAL")
        assert (rejected.match_id, rejected.ply, rejected.strikes) == (duel.match_id, 0, 1)
        assert tuple(action.id for action in rejected.turn.legal) == duel.state.legal_actions()
        await duel.move()
        assert "rejected" not in duel.waiter.kinds()


async def test_an_empty_action_is_a_strike_where_action_zero_would_be_legal(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.skip(lambda state: 0 in state.legal_actions())
        ply, mover = duel.state.ply, duel.mover
        empty = play_pb2.Act(match_id=duel.match_id, ply=ply, actions=[game_pb2.Action()])
        for _ in range(2):  # the second is a resend
            await mover.send(act=empty)
            rejected = await rejection(mover, "ILLEGAL")
            assert (rejected.strikes, rejected.turn.ply) == (1, ply)
            assert "an empty action: give its id or its name" in rejected.words
        applied = await duel.move(0)
        first = applied.actions[0].action
        assert (applied.ply, first.HasField("id"), first.id) == (ply, True, 0)


async def test_the_third_strike_loses_and_both_are_told(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for strikes, name in enumerate(("@16", "@17", "@18"), start=1):
            await duel.mover.act(duel.match_id, 0, name)
            rejected = await rejection(duel.mover, "ILLEGAL")
            assert rejected.strikes == strikes
            assert rejected.HasField("turn") == (strikes < 3)
        for client in duel.clients:
            ended = await client.next("match_ended")
            assert ended.outcome.termination == 4
            assert ended.outcome.culprit == 2 + duel.state.current_seat
            assert len(ended.outcome.scores) == 2


async def test_the_same_illegal_answer_again_is_no_second_strike(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(3):
            await duel.mover.act(duel.match_id, 0, "@16")
            assert (await rejection(duel.mover, "ILLEGAL")).strikes == 1


async def test_an_illegal_link_leaves_what_came_before_it(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        first = duel.state.legal_actions()[0]
        goes_on = duel.state.clone()
        goes_on.apply(first)
        while goes_on.turn != duel.state.turn or goes_on.reveals != duel.state.reveals:
            await duel.move()
            goes_on, first = duel.state.clone(), duel.state.legal_actions()[0]
            goes_on.apply(first)
        mover, ply = duel.mover, duel.state.ply
        for _ in range(2):  # the second is a resend: the same answers, no second strike
            await mover.act(duel.match_id, ply, first, "@16")
            applied = await mover.next("applied")
            assert (applied.ply, applied.taken, applied.next_ply) == (ply, 1, ply + 1)
            rejected = await rejection(mover, "ILLEGAL")
            assert (rejected.strikes, rejected.turn.ply) == (1, ply + 1)


async def test_a_move_out_of_turn_changes_nothing(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.waiter.act(duel.match_id, 0, duel.state.legal_actions()[0])
        rejected = await rejection(duel.waiter, "NOT_YOUR_TURN")
        assert (rejected.strikes, rejected.HasField("turn")) == (0, False)
        await duel.move()


async def test_an_old_ply_is_stale_and_brings_the_open_turn(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, first = duel.mover, duel.state.legal_actions()[0]
        await duel.move(first)
        await duel.skip(lambda state: duel.clients[state.current_seat] is mover)
        other = next(action for action in range(20) if action != first)
        await mover.act(duel.match_id, 0, other)
        rejected = await rejection(mover, "STALE")
        assert rejected.turn.ply == duel.state.ply
        assert rejected.strikes == 0


async def test_the_same_answer_twice_is_one_action_and_acknowledged_twice(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, waiter = duel.mover, duel.waiter
        actions = [duel.state.legal_actions()[0]]
        first = await duel.move(*actions)
        for _ in range(3):
            await duel.move()
        await mover.act(duel.match_id, 0, *actions)
        again = await mover.next("applied")
        assert again == first
        await duel.move()
        assert "applied" not in waiter.kinds()


async def test_a_resend_is_acknowledged_even_if_the_logs_word_of_it_is_lost(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, first = duel.mover, duel.state.legal_actions()[0]
        told = await duel.move(first)
        run, lost = SingleLink.run, list[object]()

        async def lose(link: SingleLink, wires: Sequence[Sequence[Argument]]) -> object:
            replies = await run(link, wires)
            if not lost and any(str(wire[1]).startswith("append_") for wire in wires):
                lost.append(replies)
                raise redis.ConnectionError("the connection broke before the reply came")
            return replies

        monkeypatch.setattr(SingleLink, "run", lose)
        await mover.act(duel.match_id, 0, first)
        assert await mover.next("applied", duel.match_id) == told
        assert lost
        await duel.move()


async def test_a_ply_that_is_not_reached_is_invalid(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.mover.act(duel.match_id, 7, duel.state.legal_actions()[0])
        rejected = await rejection(duel.mover, "INVALID")
        assert (rejected.ply, rejected.turn.ply, rejected.strikes) == (7, 0, 0)


async def test_too_long_a_chain_is_no_strike(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.mover.act(duel.match_id, 0, *[0] * (MAX_CHAIN + 1))
        assert (await rejection(duel.mover, "INVALID")).strikes == 0
        await duel.move()


@pytest.mark.parametrize("match_id", [NOBODY, "", "no id at all", "é" * 40])
async def test_an_act_for_no_match_is_unknown(redis_url: str, match_id: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await client.act(match_id, 0, 1)
        rejected = await rejection(client, "UNKNOWN_MATCH")
        assert not rejected.HasField("turn")


async def test_an_act_for_others_match_tells_nothing_of_it(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        stranger = await here.connect("bot-three")
        await stranger.act(duel.match_id, 0, duel.state.legal_actions()[0])
        rejected = await rejection(stranger, "UNKNOWN_MATCH")
        assert not rejected.HasField("turn")
        await stranger.send(resign=play_pb2.Resign(match_id=duel.match_id))
        await rejection(stranger, "UNKNOWN_MATCH")
        await duel.move()


async def test_an_act_after_the_end_is_over(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover, action = duel.mover, duel.state.legal_actions()[0]
        await mover.send(resign=play_pb2.Resign(match_id=duel.match_id))
        await mover.next("match_ended")
        await mover.act(duel.match_id, 0, action)
        await rejection(mover, "MATCH_OVER")
        await mover.send(resign=play_pb2.Resign(match_id=duel.match_id))
        await rejection(mover, "MATCH_OVER")


async def test_ready_for_no_offer_and_a_short_nonce_are_told_with_the_offer(redis_url: str) -> None:
    async with arena(redis_url) as here:
        one, _ = await here.connect("bot-one"), await here.connect("bot-two")
        await one.send(ready=play_pb2.Ready(offer_id=NOBODY, nonce=secrets.token_bytes(32)))
        assert (await rejection(one, "UNKNOWN_OFFER")).offer_id == NOBODY
        await here.offer("bot-one", "bot-two")
        offer = await one.next("offer")
        await one.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=b"short"))
        assert (await rejection(one, "BAD_NONCE")).offer_id == offer.offer_id
