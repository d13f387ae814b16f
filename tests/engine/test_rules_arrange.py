"""B9.6: rearranging the display with O9, and how its steps are asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
from positions import Position, Side, legal, names, play
from rule_cases import Case, check, read
from targi_engine import State, action_name
from targi_engine.arranging import has_gap, moved

COST = "1s 1p 1g"


def laid(others: str) -> Position:
    """O9 about to be laid beside other cards of a display."""
    me = Side(stock=COST, display=others, targis="7", markers="1", hand="W2")
    return Position(me=me, centre={1: "O9"})


def arranging(others: str, row: str = "row1") -> State:
    """A state in which O9 was just laid."""
    return play(laid(others).build(), f"c1 {row}")


def test_b9_6_the_card_that_was_picked_up_is_told() -> None:
    """Before the second step of an exchange every observer knows which card it is about."""
    state = play(arranging("K1 K2/T2 T3"), "x5")
    for seat in (0, 1, None):
        assert state.observation(seat).pending.chosen == 4


STEPS = (
    Case(
        pins="B9.6 it is optional: done is offered at the start",
        given=laid("K1 K2"),
        play="c1 row1",
        offers="done",
        decision="arrange",
    ),
    Case(
        pins="B9.6 done leaves the display as it is",
        given=laid("K1 K2"),
        play="c1 row1 done",
        decision="act",
        then={"display 0": "K1 K2 O9"},
    ),
    Case(
        pins="B9.6 two cards swap",
        given=laid("K1 K2"),
        play="c1 row1 x1 x3 done",
        then={"display 0": "O9 K2 K1"},
    ),
    Case(
        pins="B9.6 a card moves to the first free cell of another row",
        given=laid("K1 K2"),
        play="c1 row1 x3 x5 done",
        then={"display 0": "K1 K2/O9"},
    ),
    Case(
        pins="B9.6 of several empty rows only the first is a place",
        given=laid("K1 K2"),
        play="c1 row1 x3",
        legal="x1 x2 x5",
    ),
    Case(
        pins="B9.6 a move that leaves a gap is not offered",
        given=laid("K1 K2"),
        play="c1 row1 x1",
        legal="x2 x3",
    ),
    Case(
        pins="B9.6 not to a later cell of the own row",
        given=laid("K1"),
        play="c1 row1 x2",
        legal="x1 x5",
    ),
    Case(
        pins="B9.6 two cards may move one after the other",
        given=laid("K1 K2"),
        play="c1 row1 x3 x5 x2 x6 done",
        then={"display 0": "K1/O9 K2"},
    ),
    Case(
        pins="B9.6 a third card cannot move",
        given=laid("K1 K2"),
        play="c1 row1 x3 x5 x2 x6",
        lacks="x1",
        then={"display 0": "K1/O9 K2"},
    ),
    Case(
        pins="B9.6 both orders of a swap are offered",
        given=laid("K1 K2"),
        play="c1 row1",
        legal="x1 x2 x3 done",
    ),
    Case(
        pins="B9.6 an arrangement is not reached twice",
        given=laid("K1 K2"),
        play="c1 row1 x3 x5 x5",
        legal="x1 x2 x9",
    ),
    Case(
        pins="B9.6 done is not offered between the two cells of a step",
        given=laid("K1 K2"),
        play="c1 row1 x1",
        lacks="done",
    ),
    Case(
        pins="B9.6 a lone card may move to the next row, which leaves no gap",
        given=laid(""),
        play="c1 row1 x1",
        then={"display 0": "/O9"},
    ),
)


@pytest.mark.parametrize("case", STEPS, ids=lambda case: case.pins)
def test_a_step(case: Case) -> None:
    check(case)


def reachable(start: State) -> set[tuple[int, ...]]:
    """Every display in which the effect can be ended."""
    found = set()
    open_states = [start]
    while open_states:
        state = open_states.pop()
        for action in state.legal_actions():
            after = state.clone()
            after.apply(action)
            if after.decision == "arrange":
                open_states.append(after)
            else:
                found.add(after.players[0].display)
    return found


def allowed(display: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What the rule allows, built without steps: two cards at most lie elsewhere, no gaps, rows in order."""
    cells = range(12)
    found = {display}
    cards = [cell for cell in cells if display[cell]]
    for one, other in permutations(cards, 2):
        rest = [0 if cell in (one, other) else display[cell] for cell in cells]
        for to_one, to_other in permutations([cell for cell in cells if not rest[cell]], 2):
            new = rest[:]
            new[to_one], new[to_other] = display[one], display[other]
            if not has_gap(tuple(new)):
                found.add(tuple(new))
    for one in cards:
        rest = [0 if cell == one else display[cell] for cell in cells]
        for to_one in (cell for cell in cells if not rest[cell]):
            new = rest[:]
            new[to_one] = display[one]
            if not has_gap(tuple(new)):
                found.add(tuple(new))
    return found


def orderly(displays: set[tuple[int, ...]], start: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Without those that skip an empty row: of several empty rows only the first counts as a place."""
    return {new for new in displays if not _skips(new, start)}


def _skips(new: tuple[int, ...], start: tuple[int, ...]) -> bool:
    empty = [row for row in range(3) if not start[4 * row]]
    used = [row for row in empty if new[4 * row]]
    return used != empty[: len(used)]


@pytest.mark.parametrize(
    ("others", "row"),
    [
        ("K1 K2", "row1"),
        ("K1 K2/C1", "row1"),
        ("K1 K2 K3/C1 C2", "row2"),
        ("K1 K2 K3/C1 C2/T1", "row3"),
        ("K1 K2 K3 K8/C1", "row2"),
        ("K1/C1/T1", "row1"),
    ],
)
def test_every_arrangement_of_the_rule_is_reached_and_no_other(others: str, row: str) -> None:
    """B9.6: cells of at most two cards differ, without gaps.

    A card that went to an empty row may go on to the next one, which is then the first empty one.
    """
    state = arranging(others, row)
    start = state.players[0].display
    found = reachable(state)
    assert orderly(allowed(start), start) <= found <= allowed(start)
    assert all(moved(start, new) <= 2 for new in found)


def walks(state: State, steps: int = 0) -> Iterator[tuple[int, str]]:
    """Every way to go on: how many steps it had at its end, and what the engine then took by itself."""
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        done = action_name(action) == "done"
        if after.decision != "arrange":
            yield (steps if done else steps + 1, names(tuple(taken for _, taken in after.forced)))
        else:
            between = "done" not in legal(after)
            yield from walks(after, steps if between else steps + 1)


def test_after_three_steps_the_effect_ends_by_itself() -> None:
    """B9.6: done is taken then, and was a choice before."""
    ends = set(walks(arranging("K1 K2 K3/C1", "row2")))
    assert (3, "done") in ends
    assert max(steps for steps, _ in ends) == 3
    assert (3, "") not in ends
    assert {(0, ""), (1, ""), (2, "")} <= ends


def test_a_row_left_empty_is_a_place_again() -> None:
    """B9.6: once its only card has gone to another row."""
    state = play(arranging("K1 K2/C1"), "x5 x9")
    assert read(state, "display 0") == "K1 K2 O9//C1"
    assert "x5" in legal(play(state, "x3"))
