"""Random games of OpenSpiel's C++ games, driven from Python, as a child of playouts.py.

The loop is the fastest there is for it: one look at the player a node, and chance nodes played like
decisions, by an outcome picked uniformly from `legal_actions()`. With probabilities it
takes a tenth longer.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import time
from functools import partial
from typing import Any

from pace import Pace, serve

pyspiel: Any = importlib.import_module("pyspiel")  # Any: it has no types, and is in its own environment only
GAMES = ("backgammon", "gin_rummy")
CHANCE = int(pyspiel.PlayerId.CHANCE)  # players are 0 and up, the end is below


def games(name: str, seconds: float) -> Pace:
    """Random games from the first node to the end."""
    game = pyspiel.load_game(name)
    draw = random.Random(1).random
    played = decisions = chances = branches = 0
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        state = game.new_initial_state()
        while (player := state.current_player()) >= CHANCE:
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            if player >= 0:
                decisions += 1
                branches += len(actions)
            else:
                chances += 1
        played += 1
    return Pace(used, decisions, chances, played, branches)


def clones(name: str, seconds: float) -> Pace:
    """Clones of the positions of a random game."""
    state = pyspiel.load_game(name).new_initial_state()
    rng = random.Random(2)
    states = []
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    made = 0
    start = time.process_time()
    while (used := time.process_time() - start) < seconds:
        for each in states:
            each.clone()
        made += len(states)
    return Pace(used, made)


if __name__ == "__main__":
    tasks = {f"games:{name}": partial(games, name) for name in GAMES}
    clone_tasks = {f"clone:{name}": partial(clones, name) for name in GAMES}
    serve(f"OpenSpiel {importlib.metadata.version('open-spiel')}", tasks | clone_tasks)
