"""A match from its offer to its end, over a real port."""

import hashlib

import pytest
from duel import Duel
from play_client import SEED, PlayClient, act, arena
from targi.v1 import play_pb2
from targi_engine import ACTIONS, Observation, action_name, new_game
from targi_sdk.wire import observation_to_proto
from targi_server.play import together
from targi_server.play.chain import walk


async def test_a_game_is_played_to_its_end_and_both_are_told_the_same(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        first, second = await duel.play_out()
        outcome = duel.state.outcome()
        assert first == second
        assert tuple(first.outcome.scores) == outcome.scores
        assert [tuple(part.ListFields()) for part in first.outcome.breakdowns]
        assert first.outcome.result == {"1-0": 1, "0-1": 2, "1/2-1/2": 3}[outcome.result]
        assert first.secrets.seed == SEED


async def test_match_started_says_who_what_and_where(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        state = new_game("base", SEED)
        for seat, client in enumerate(duel.clients):
            started = await client.next("match_started")
            assert started.seat == seat
            assert [who.bot for who in started.seats] == ["bot-one", "bot-two"]
            assert [who.owner for who in started.seats] == ["owner-of-bot-one", "owner-of-bot-two"]
            assert started.seed_commitment == hashlib.sha256(SEED).digest()
            assert started.rules.card_set_hash == state.ruleset.cards_hash
            assert (started.time_control.base_ms, started.time_control.increment_ms) == (60_000, 1_000)
            assert Observation.decode(started.view.compact) == state.observation(seat)
            assert started.HasField("turn") == (seat == state.current_seat)
            assert not started.turn.HasField("view")
            assert (started.ply, started.rated, started.pair_id) == (0, False, "")


async def test_a_turn_alone_is_enough_to_play(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(12):
            await duel.move()
        turn = await duel.mover.turn(duel.match_id)
        seat = duel.state.current_seat
        assert tuple(action.id for action in turn.legal) == duel.state.legal_actions()
        assert turn.decision == duel.state.decision
        assert Observation.decode(turn.view.compact) == duel.state.observation(seat)
        assert not any(action.name for action in turn.legal)


async def test_a_structured_session_gets_notation_and_messages(redis_url: str) -> None:
    async with arena(redis_url) as here:
        fields = {"view": play_pb2.VIEW_FORM_STRUCTURED, "vocabulary_version": 0}
        one, two = await here.connect("bot-one", **fields), await here.connect("bot-two")
        match_id = await here.match(one, two, "bot-one", "bot-two")
        duel = Duel(match_id, [one, two], new_game("base", SEED))
        await duel.skip(lambda state: state.ply > 10 and state.current_seat == 0)
        turn = await duel.mover.turn(duel.match_id)
        assert [action.name for action in turn.legal] == [*map(action_name, duel.state.legal_actions())]
        assert turn.view.structured == observation_to_proto(duel.state.observation(0))
        await duel.mover.act(duel.match_id, duel.state.ply, turn.legal[0].name)
        applied = await duel.mover.next("applied", duel.match_id)
        assert applied.actions[0].action.name == turn.legal[0].name


async def test_forced_actions_are_told_to_both(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        forced: list[object] = []
        while not forced:
            applied = await duel.move()
            forced = [(step.seat, step.action.id) for step in applied.actions if step.forced]
            assert forced == list(duel.state.forced)


@pytest.mark.parametrize("length", [2, 4])
async def test_chains_are_taken_as_far_as_they_go(redis_url: str, length: int) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        taken = set()
        while not duel.state.is_over:
            actions = duel.further(length)
            expected = walk(duel.state, actions).taken
            applied = await duel.move(*actions)
            assert applied.taken == expected
            taken.add(expected)
        assert {1, 2} <= taken


async def test_time_is_charged_to_the_first_action_of_a_chain(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.skip(lambda state: walk(state, duel.further(2)).taken == 2)
        actions = duel.further(2)
        while walk(duel.state, actions).taken < 2:
            actions = duel.further(2)
        applied = await duel.move(*actions)
        charges = [step.charged_ms for step in applied.actions]
        assert charges == [applied.charged_ms, *[0] * (len(charges) - 1)]


async def answer(client: PlayClient, matches: dict[str, int]) -> None:
    """Answer the open turns of several matches in one frame."""
    turns = [await client.turn(match_id) for match_id in matches]
    events = [
        play_pb2.BotEvent(act=play_pb2.Act(match_id=turn.match_id, ply=turn.ply, actions=turn.legal[:1]))
        for turn in turns
    ]
    await client.send_all(*events)
    for match_id in matches:
        assert (await client.next("applied", match_id)).taken == 1


@pytest.mark.parametrize("row", [together.ROW, 2])
async def test_all_turns_of_a_frame_may_be_answered_in_one(
    redis_url: str, row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "ROW", row)
    async with arena(redis_url) as here:
        one, two = await here.connect("bot-one"), await here.connect("bot-two")
        matches = {await here.match(one, two, "bot-one", "bot-two"): 0 for _ in range(4)}
        await answer(one, matches)
        await answer(two, matches)


async def test_ids_and_notation_may_be_mixed(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(6):
            await duel.mover.turn(duel.match_id)
            action = duel.state.legal_actions()[0]
            await duel.mover.act(duel.match_id, duel.state.ply, ACTIONS[action])
            for client in duel.clients:
                assert (await client.next("applied", duel.match_id)).actions[0].action.id == action
            duel.state.apply(action)


async def test_the_same_answer_twice_in_one_frame_is_one_action(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        first, mover, waiter = duel.state.legal_actions()[0], duel.mover, duel.waiter
        event = play_pb2.BotEvent(act=act(duel.match_id, 0, first))
        await mover.send_all(event, event)
        told = [await mover.next("applied", duel.match_id) for _ in range(2)]
        assert told[0] == told[1]
        assert (told[0].ply, told[0].actions[0].action.id) == (0, first)
        assert await waiter.next("applied", duel.match_id) == told[0]
        duel.state.apply(first)
        await duel.move()
