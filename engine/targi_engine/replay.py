"""A state from the beginning of its game and the actions since."""

from __future__ import annotations

from collections.abc import Iterable

from targi_engine.ruleset import Ruleset
from targi_engine.setup import new_game
from targi_engine.state import State


def replay(ruleset: Ruleset | str, seed: bytes, opening: bytes | None, actions: Iterable[int]) -> State:
    """The state after these actions; raises IllegalAction at one that is not legal, SeedError."""
    state = new_game(ruleset, seed, opening)
    for action in actions:
        state.apply(action)
    return state
