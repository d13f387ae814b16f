"""Counting the positions reachable in so many decisions: a check of move generation."""

from __future__ import annotations

from targi_engine.state import State


def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` decisions there are from a state; a game over earlier counts as one."""
    actions = state.legal_actions()
    if depth <= 0 or not actions:
        return 1
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = state.clone()
        child.apply_unchecked(action)
        total += perft(child, depth - 1)
    return total
