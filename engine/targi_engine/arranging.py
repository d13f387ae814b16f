"""Rearranging a display: as many as two cards elsewhere and no gaps (B9.6), or one swap (XT2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import ARRANGE, DONE
from targi_engine.player import DISPLAY, ROW_CELLS, ROWS
from targi_engine.step import Step

if TYPE_CHECKING:
    from targi_engine.state import State

STEPS: Final = 3  # most steps of one rearrangement
MOVED: Final = 2  # most cards that lie elsewhere in the end


def exchanged(display: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    """The display with the contents of two cells exchanged."""
    cells = list(display)
    cells[one], cells[other] = cells[other], cells[one]
    return tuple(cells)


def has_gap(display: tuple[int, ...]) -> bool:
    """Whether a row has an empty cell left of a card."""
    return any(display[cell] and cell % ROW_CELLS and not display[cell - 1] for cell in range(DISPLAY))


def moved(old: tuple[int, ...], new: tuple[int, ...]) -> int:
    """How many cards lie elsewhere."""
    return sum(new[cell] != 0 and new[cell] != old[cell] for cell in range(DISPLAY))


def free_places(display: tuple[int, ...]) -> tuple[int, ...]:
    """The first free cell of every row that has one; of several empty rows only of the first."""
    places: list[int] = []
    empty = False
    for row in range(ROWS):
        cells = display[ROW_CELLS * row : ROW_CELLS * (row + 1)]
        if cells[-1] or (empty and not cells[0]):
            continue
        empty = empty or not cells[0]
        places.append(ROW_CELLS * row + cells.index(0))
    return tuple(places)


def second_cells(
    display: tuple[int, ...], reached: tuple[tuple[int, ...], ...], first: int, moves: bool
) -> tuple[int, ...]:
    """The cells that a card can be exchanged with or moved to in one step.

    `reached` are the arrangements so far, the one before the effect first; none is reached twice.
    """
    targets = [cell for cell in range(DISPLAY) if display[cell] and cell != first]
    if moves:
        targets += [cell for cell in free_places(display) if cell // ROW_CELLS != first // ROW_CELLS]
    found: list[int] = []
    for cell in sorted(targets):
        result = exchanged(display, first, cell)
        if result not in reached and not has_gap(result) and moved(reached[0], result) <= MOVED:
            found.append(cell)
    return tuple(found)


class Arrange(Step):
    """`arrange`: the first cell of a step, or the end."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        moves = state.argument()
        reached = state.reached
        if len(reached) > (STEPS if moves else 1):
            return (DONE,)
        display = state.me().display
        firsts = tuple(
            ARRANGE + cell
            for cell in range(DISPLAY)
            if display[cell] and second_cells(display, reached, cell, moves != 0)
        )
        return (*firsts, DONE)

    def apply(self, state: State, action: int) -> None:
        moves = state.stack.pop() >> frames.BITS
        if action == DONE:
            state.reached = ()
        else:
            state.push(frames.ARRANGE_TO, moves | (action - ARRANGE) << 1)


class ArrangeTo(Step):
    """`arrange`: the second cell of a step: swap with its card, or move into it."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        argument = state.argument()
        cells = second_cells(state.me().display, state.reached, argument >> 1, argument & 1 != 0)
        return tuple(ARRANGE + cell for cell in cells)

    def apply(self, state: State, action: int) -> None:
        argument = state.stack.pop() >> frames.BITS
        me = state.me()
        state.set_display(me, exchanged(me.display, argument >> 1, action - ARRANGE))
        state.reached = (*state.reached, me.display)
        state.push(frames.ARRANGE, argument & 1)
