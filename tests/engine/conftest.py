"""Fixtures of the engine's tests: seeds and games played at random from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from targi_engine import RULESETS, State, new_game

Positions = Callable[[str, int], Iterator[State]]


@pytest.fixture(params=RULESETS)
def ruleset_name(request: pytest.FixtureRequest) -> str:
    """Each ruleset in turn."""
    return str(request.param)


@pytest.fixture
def positions() -> Positions:
    """positions(ruleset, game): every decision of a random game and its end; one object, changed in place."""
    return random_positions


def random_positions(ruleset: str, game: int) -> Iterator[State]:
    """A game's states, every legal action equally likely; odd games have an opening."""
    rng = random.Random(game)
    opening = rng.randbytes(32) if game % 2 else None
    state = new_game(ruleset, rng.randbytes(32), opening)
    yield state
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))
        yield state
