"""Chains of actions: how far they go, and what they leave alone."""

import random
from collections.abc import Iterator

import pytest
from targi_engine import State, new_game
from targi_server.play.chain import Walk, walk

SEEDS = [bytes((number,)) * 32 for number in range(1, 9)]


def positions(seed: bytes) -> Iterator[tuple[State, random.Random]]:
    """Every position of a random game."""
    state, rng = new_game("base", seed), random.Random(seed)
    while not state.is_over:
        yield state, rng
        state.apply(rng.choice(state.legal_actions()))


def further(state: State, rng: random.Random, length: int) -> list[int]:
    """Actions that are legal one after the other from here."""
    state = state.clone()
    actions: list[int] = []
    while len(actions) < length and not state.is_over:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    return actions


def allowed(state: State, actions: list[int]) -> int:
    """How many links may be taken: as long as the same own turn runs and no further card is visible."""
    now = state.clone()
    for taken, action in enumerate(actions, start=1):
        now.apply(action)
        if now.is_over or now.turn != state.turn or now.reveals != state.reveals:
            return taken
    return len(actions)


def asked(walked: Walk) -> list[int]:
    return [step.action for step in walked.steps if not step.forced]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_legal_chain_stops_with_its_turn_and_before_a_new_card(seed: bytes) -> None:
    lengths = set()
    for state, rng in positions(seed):
        actions = further(state, rng, 6)
        walked = walk(state, actions)
        assert walked.taken == allowed(state, actions)
        assert asked(walked) == actions[: walked.taken]
        assert not walked.illegal
        lengths.add(walked.taken)
    assert {1, 2, 3} <= lengths


@pytest.mark.parametrize("seed", SEEDS)
def test_the_steps_lead_to_the_position_and_the_old_one_stays(seed: bytes) -> None:
    forced = 0
    for state, rng in positions(seed):
        before, actions = state.observation(None), further(state, rng, 3)
        walked = walk(state, actions)
        assert state.observation(None) == before
        again = state.clone()
        for action in asked(walked):
            again.apply(action)
        assert again.observation(None) == walked.state.observation(None)
        forced += sum(step.forced for step in walked.steps)
    assert forced


@pytest.mark.parametrize("seed", SEEDS)
def test_what_came_before_an_illegal_link_stands(seed: bytes) -> None:
    cut = 0
    for state, rng in positions(seed):
        actions = further(state, rng, 2)[:1]
        after = walk(state, actions)
        unknown = walk(state, [*actions, None])
        goes_on = allowed(state, [*actions]) == 1 and after.state.turn == state.turn
        same_cards = after.state.reveals == state.reveals
        assert unknown.taken == 1
        assert unknown.illegal == (goes_on and same_cards and not after.state.is_over)
        cut += unknown.illegal
    assert cut


@pytest.mark.parametrize("actions", [[None], [9999], []])
def test_an_illegal_first_link_and_no_link_take_nothing(actions: list[int | None]) -> None:
    state = new_game("base", SEEDS[0])
    walked = walk(state, actions)
    assert (walked.taken, walked.steps) == (0, ())
    assert walked.illegal == bool(actions)
    assert not walked.turn_ended


def test_the_increment_is_due_when_the_own_turn_is_over() -> None:
    for state, rng in positions(SEEDS[0]):
        walked = walk(state, further(state, rng, 1))
        assert walked.turn_ended == (walked.state.is_over or walked.state.turn != state.turn)


def test_a_forced_step_carries_the_ply_of_the_asked_one_before_it() -> None:
    for state, rng in positions(SEEDS[1]):
        walked = walk(state, further(state, rng, 3))
        plies = [step.ply for step in walked.steps if not step.forced]
        assert plies == list(range(state.ply, state.ply + walked.taken))
        last = state.ply
        for step in walked.steps:
            last = last if step.forced else step.ply
            assert step.ply == last
