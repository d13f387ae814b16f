"""Several answers in one frame, also such as get in each other's way."""

from __future__ import annotations

import pytest
from play_client import act, arena
from targi.v1 import play_pb2, reason_pb2
from targi_engine import State


def after_first(state: State) -> int:
    """Who is to move once the first legal action was chosen."""
    further = state.clone()
    further.apply(further.legal_actions()[0])
    return further.current_seat


@pytest.mark.parametrize("same", [True, False])
async def test_two_answers_to_one_turn_in_a_frame_leave_the_match_going(redis_url: str, same: bool) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        turn = await duel.mover.turn(duel.match_id)
        first, other = turn.legal[0].id, turn.legal[1].id
        mover, waiter = duel.mover, duel.waiter
        acts = [act(duel.match_id, turn.ply, chosen) for chosen in (first, first if same else other)]
        await mover.send_all(*(play_pb2.BotEvent(act=each) for each in acts))
        told = await mover.next("applied", duel.match_id)
        if same:
            assert await mover.next("applied", duel.match_id) == told
        else:
            assert (await mover.next("rejected")).reason == reason_pb2.REASON_STALE
        assert await waiter.next("applied", duel.match_id) == told
        duel.state.apply(first)
        for _ in range(4):
            await duel.move()


async def test_a_frame_with_answers_to_two_turns_in_a_row_commits_both(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.skip(lambda state: state.current_seat == after_first(state))
        turn = await duel.mover.turn(duel.match_id)
        mover, waiter = duel.mover, duel.waiter
        actions = [duel.state.legal_actions()[0]]
        duel.state.apply(actions[0])
        actions.append(duel.state.legal_actions()[0])
        duel.state.apply(actions[1])
        acts = [act(duel.match_id, turn.ply + n, action) for n, action in enumerate(actions)]
        await mover.send_all(*(play_pb2.BotEvent(act=each) for each in acts))
        for client in (mover, waiter):
            plies = [(await client.next("applied", duel.match_id)).ply for _ in acts]
            assert plies == [turn.ply, turn.ply + 1]
