"""Prints what the engine makes of random games: records, traces, observations, states drawn from them.

`python engine_games.py GAMES`: both forms of the engine print the same bytes.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

from targi_engine import RULESETS, Record, State, new_game, perft, playout, trace


def lines(games: int) -> Iterator[str]:
    """The games, ruleset by ruleset."""
    for ruleset in RULESETS:
        for number in range(games):
            yield from _game(ruleset, random.Random(f"{ruleset} {number}"))


def _game(ruleset: str, rng: random.Random) -> Iterator[str]:
    """One game, every other one with an opening."""
    opening = rng.randbytes(32) if rng.random() < 0.5 else None
    state = new_game(ruleset, rng.randbytes(32), opening)
    actions: list[int] = []
    while not state.is_over:
        if rng.random() < 0.05:
            yield from _looked_at(state, rng)
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    record = Record.of_game(state.ruleset, state.seed, opening, actions)
    yield record.text()
    for line in trace(record):
        yield json.dumps(line)


def _looked_at(state: State, rng: random.Random) -> Iterator[str]:
    """A position: what each sees of it, how one that looks the same goes on, what can follow."""
    for seat in (0, 1, None):
        view = state.observation(seat)
        yield view.encode().hex()
        other = view.determinize(rng)
        yield f"{playout(other, rng)} {other.outcome()}"
    yield str(perft(state, 2))


if __name__ == "__main__":
    for text in lines(int(sys.argv[1])):
        print(text)
