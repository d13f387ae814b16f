"""The 3x3 centre: which cells are open, what happens when a card leaves one, moving markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import CELL
from targi_engine.board import ALL_CELLS, CELLS, REACHES
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

# CELL_ACTIONS[mask]: the actions c0 to c8 for a mask of cells.
CELL_ACTIONS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(CELL + cell for cell in range(CELLS) if mask >> cell & 1) for mask in range(1 << CELLS)
)


def open_cells(state: State) -> int:
    """The cells with a face-up card and no marker (B4.4), as a mask."""
    return ALL_CELLS & ~(state.down | state.bare | state.players[0].markers | state.players[1].markers)


def open_goods_cells(state: State) -> int:
    """The open cells that hold a goods card."""
    cells = open_cells(state)
    tribe = state.ruleset.catalog.tribe_cards
    for cell in range(CELLS):
        if cells >> cell & 1 and tribe[state.centre[cell]]:
            cells &= ~(1 << cell)
    return cells


def movable_markers(state: State, me: Player, reach: int) -> int:
    """The cells of own markers that have a target within reach, as a mask."""
    targets = open_cells(state)
    if not targets:
        return 0
    reaches = REACHES[reach]
    markers = me.markers
    movable = 0
    while markers:
        lowest = markers & -markers
        if reaches[lowest.bit_length() - 1] & targets:
            movable |= lowest
        markers ^= lowest
    return movable


def leave_cell(state: State, cell: int) -> None:
    """Take the card off a cell; a face-down card of the other deck takes its place (B5.1, B5.2, B5.4)."""
    ruleset = state.ruleset
    if ruleset.catalog.tribe_cards[state.centre[cell]]:
        card = state.goods.draw(state.seed)
        shuffles = state.goods.shuffles
    else:
        state.goods.discard.append(state.centre[cell])
        card = state.draw_tribe()
        shuffles = state.tribe.shuffles
        if card and ruleset.open_top:
            state.known |= 1 << cell  # X1.4
    state.centre[cell] = card
    if card:
        state.down |= 1 << cell
        state.epochs[cell] = shuffles
    else:
        state.bare |= 1 << cell


def turn_up_centre(state: State) -> None:
    """Turn all face-down centre cards up (B3.6)."""
    if state.down:
        state.reveals += (state.down & ~state.known).bit_count()
        state.epochs = [0] * CELLS
        state.down = 0
        state.known = 0


class LeaveCell(Step):
    """Work: the goods card of a cell leaves once its gain is over."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        leave_cell(state, state.stack.pop() >> frames.BITS)
        return ACT_ON


class ChooseCell(Step):
    """`cell`: an open goods card of the centre to gain (D8, XC2)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return CELL_ACTIONS[open_goods_cells(state)]

    def apply(self, state: State, action: int) -> None:
        leaves = state.stack.pop() >> frames.BITS
        cell = action - CELL
        if leaves:
            state.push(frames.LEAVE_CELL, cell)
        state.ruleset.catalog.faces[state.centre[cell]].gain(state, state.me())


class ChooseMarker(Step):
    """`marker`: an own marker that is to move (B4.4, XT6)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return CELL_ACTIONS[movable_markers(state, state.me(), state.argument())]

    def apply(self, state: State, action: int) -> None:
        reach = state.stack.pop() >> frames.BITS
        state.push(frames.MARKER_TO, action - CELL | reach << 4)


class MoveMarker(Step):
    """`marker`: the face-up, unmarked cell that the marker moves to."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        argument = state.argument()
        return CELL_ACTIONS[open_cells(state) & REACHES[argument >> 4][argument & 15]]

    def apply(self, state: State, action: int) -> None:
        me = state.me()
        origin = state.stack.pop() >> frames.BITS & 15
        me.markers = me.markers & ~(1 << origin) | 1 << (action - CELL)
