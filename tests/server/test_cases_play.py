"""Cases from real ladders that a match must get through: races and repetitions on its streams."""

import asyncio

import pytest
from play_client import Arena, PlayClient, act, arena
from targi.v1 import game_pb2, match_service_pb2, play_pb2
from targi_server.play import replay
from targi_server.play.encoding import encoded
from targi_server.play.outbox import Outbox

LATE_S = 1.5


async def test_the_log_gives_the_same_mover_and_the_same_legal_list_at_every_ply(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        while not duel.state.is_over:
            stored = await here.service.store.matches.load(duel.match_id)
            assert stored is not None
            state, _ = replay.start(stored.header)
            replay.follow(state, stored.entries)
            assert (state.ply, state.current_seat) == (duel.state.ply, duel.state.current_seat)
            assert state.legal_actions() == duel.state.legal_actions()
            turn = await duel.mover.turn(duel.match_id)
            assert tuple(action.id for action in turn.legal) == state.legal_actions()
            action = duel.rng.choice(duel.state.legal_actions())
            await duel.mover.act(duel.match_id, duel.state.ply, action)
            for client in duel.clients:
                await client.next("applied")
            duel.state.apply(action)


@pytest.mark.parametrize("ply", [0, 7, 30])
async def test_a_second_instance_gets_the_turn_at_which_the_first_still_thinks(
    redis_url: str, ply: int
) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(ply):
            await duel.move()
        first, bot = duel.mover, ("bot-one", "bot-two")[duel.state.current_seat]
        await first.turn(duel.match_id)
        second = await here.connect(bot)
        duel.clients[duel.state.current_seat] = second
        started = await second.next("match_started")
        assert started.turn.ply == ply
        assert (await first.end()).reason == "REPLACED"
        action = started.turn.legal[0].id
        await second.act(duel.match_id, ply, action)
        for client in duel.clients:
            assert (await client.next("applied")).actions[0].action.id == action
        duel.state.apply(action)
        await duel.move()


async def stuffed(here: Arena, bot: str, client: PlayClient) -> Outbox:
    """Let a bot read nothing, and send so much that its window is closed; the queue behind it."""
    session = here.service.room.sessions.get(bot)
    assert session is not None
    client.reading.clear()
    notice = encoded("notice", play_pb2.Notice(words="n" * 10_000).SerializeToString())
    waiting = -1
    while session.outbox.waiting != waiting or not waiting:
        waiting = session.outbox.waiting
        for _ in range(150):
            session.push(notice)
            waiting += 1
        await asyncio.sleep(0.3)  # what a peer that reads would take at once
    return session.outbox


async def test_who_opens_its_window_late_is_charged_for_it(redis_url: str) -> None:
    async with arena(redis_url, queue_limit=10_000) as here:
        duel = await here.duel()
        await duel.move()
        seat = 1 - duel.state.current_seat
        late = duel.clients[seat]
        outbox = await stuffed(here, ("bot-one", "bot-two")[seat], late)
        while duel.mover is not late:
            turn = await duel.mover.turn(duel.match_id)
            await duel.mover.act(duel.match_id, turn.ply, turn.legal[0].id)
            await duel.mover.next("applied")
            duel.state.apply(turn.legal[0].id)
        await asyncio.sleep(LATE_S)  # this is the lateness itself
        assert outbox.waiting
        late.reading.set()
        turn = await late.turn(duel.match_id)
        await late.act(duel.match_id, turn.ply, turn.legal[0].id)
        while (applied := await late.next("applied")).ply < turn.ply:
            pass
        assert applied.charged_ms > LATE_S * 1000 - 100


async def test_two_bots_that_fail_at_once_leave_one_verdict_that_both_are_told(redis_url: str) -> None:
    async with arena(redis_url) as here:
        for number in range(5):
            duel = await here.duel(f"left-{number}", f"right-{number}")
            error = play_pb2.BotError(match_id=duel.match_id, text="no plan")
            await asyncio.gather(*(client.send(bot_error=error) for client in duel.clients))
            first, second = [await client.next("match_ended") for client in duel.clients]
            assert first == second
            assert first.outcome.termination == game_pb2.TERMINATION_BOT_ERROR
            assert first.outcome.culprit in (game_pb2.CULPRIT_SEAT0, game_pb2.CULPRIT_SEAT1)
            request = match_service_pb2.GetMatchRequest(match_id=duel.match_id)
            shown = (await here.stub.GetMatch(request)).match.outcome
            assert (shown.culprit, shown.result) == (first.outcome.culprit, first.outcome.result)


async def test_an_answer_that_was_meant_for_the_match_before_changes_nothing_in_the_next(
    redis_url: str,
) -> None:
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        old = await here.match(one, two, "bot-one", "bot-two")
        await two.send(resign=play_pb2.Resign(match_id=old))
        await one.next("match_ended")
        new = await here.match(one, two, "bot-one", "bot-two")
        turn = await one.turn(new)
        await one.send_all(play_pb2.BotEvent(act=act(old, turn.ply, turn.legal[0].id)))
        assert (await one.next("rejected", old)).strikes == 0
        await one.act(new, turn.ply, turn.legal[0].id)
        assert (await one.next("applied", new)).ply == turn.ply
