"""Perft: the counts of `perft.txt`, which `make goldens` writes anew."""

from __future__ import annotations

import pytest
from perft_counts import HEAD, Row, rows
from targi_engine import RULESETS, new_game, perft

MOST_NODES = 2_000_000  # of the whole file, so that it is counted in seconds
ROWS = tuple(rows())


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.ruleset} {row.seed} after {row.played} to depth {row.depth}"
)
def test_the_count_is_as_committed(row: Row) -> None:
    assert row.counted() == row.nodes


def test_the_file_covers_every_ruleset_within_its_budget() -> None:
    assert {row.ruleset for row in ROWS} == set(RULESETS)
    assert sum(row.nodes for row in ROWS) <= MOST_NODES
    assert HEAD.split()[1:] == list(Row._fields)


def test_a_count_adds_up() -> None:
    state = new_game("base", bytes(32))
    total = 0
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        total += perft(child, 2)
    assert perft(state, 3) == total
    assert (perft(state, 0), perft(state, 1)) == (1, len(state.legal_actions()))


def test_a_game_that_is_over_counts_once() -> None:
    state = new_game("base", bytes(32))
    while not state.is_over:
        state.apply(state.legal_actions()[-1])
    assert perft(state, 5) == 1
