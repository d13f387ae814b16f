"""Playing a state to its end at random."""

from __future__ import annotations

import random

from targi_engine.state import State


def playout(state: State, rng: random.Random) -> int:
    """Play the state to its end, every legal action equally likely; returns the number of decisions.

    The state is changed in place. Only `rng.random()` is used, one call a decision.
    """
    draw = rng.random
    decisions = 0
    actions = state.legal_actions()
    while actions:
        state.apply_unchecked(actions[int(draw() * len(actions))])
        decisions += 1
        actions = state.legal_actions()
    return decisions
