"""Random games of the engine in one of its forms, as a child of playouts.py."""

from __future__ import annotations

import random
import time
from functools import partial
from types import FunctionType

from pace import Pace, serve
from targi_engine import RULESETS, State, new_game, playout


def games(ruleset: str, seconds: float) -> Pace:
    """Random games from the deal to the end, decision by decision from Python."""
    rng = random.Random(1)
    draw = rng.random
    played = decisions = branches = 0
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        state = new_game(ruleset, rng.randbytes(32))
        while actions := state.legal_actions():
            branches += len(actions)
            state.apply(actions[int(draw() * len(actions))])
            decisions += 1
        played += 1
    return Pace(used, decisions, games=played, branches=branches)


def whole_games(ruleset: str, seconds: float) -> Pace:
    """The same in one call a game: the deal, then `playout`."""
    rng = random.Random(1)
    played = decisions = 0
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        decisions += playout(new_game(ruleset, rng.randbytes(32)), rng)
        played += 1
    return Pace(used, decisions, games=played)


def positions(ruleset: str) -> list[State]:
    """Every seventh position of some random games."""
    rng = random.Random(2)
    found: list[State] = []
    for _ in range(5):
        state = new_game(ruleset, rng.randbytes(32))
        while actions := state.legal_actions():
            if state.ply % 7 == 0:
                found.append(state.clone())
            state.apply(rng.choice(actions))
    return found


def clones(ruleset: str, seconds: float) -> Pace:
    """Clones of positions from all over the game; each is dropped at once."""
    states = positions(ruleset)
    made = 0
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        for state in states:
            state.clone()
        made += len(states)
    return Pace(used, made)


WHAT = {"games": games, "playout": whole_games, "clone": clones}

if __name__ == "__main__":
    serve(
        "pure" if isinstance(State.apply, FunctionType) else "compiled",
        {f"{name}:{ruleset}": partial(what, ruleset) for name, what in WHAT.items() for ruleset in RULESETS},
    )
