"""Placing Targis (B3.2, B3.3) and the markers that follow from them (B3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import PLACE, PLACE_DUNE
from targi_engine.board import ALL_PLACES, DUNE_BIT, DUNE_PLACES, FACING, PLACES, crossings
from targi_engine.chain import spend_token
from targi_engine.payment import token_of
from targi_engine.player import TARGIS
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

TOKEN_FACING: Final = 4  # see catalog.TOKENS

# Where an action places: the number of the bit in a mask of Targis.
PLACE_NUMBERS: Final = (*PLACES, DUNE_BIT + 1, DUNE_BIT + 2, DUNE_BIT + 3)

# The placements for a mask of border cards, kept once made: a few thousand masks occur.
_PLACEMENTS: Final[dict[int, tuple[int, ...]]] = {}
# DUNE_PLACEMENTS[mask]: the placements for a mask of dunes.
DUNE_PLACEMENTS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(PLACE_DUNE + slot for slot in range(3) if mask >> slot & 1) for mask in range(8)
)


def placements(places: int) -> tuple[int, ...]:
    """The place actions for a mask of border cards."""
    known = _PLACEMENTS.get(places)
    if known is None:
        known = tuple(PLACE + at for at, number in enumerate(PLACES) if places >> number & 1)
        _PLACEMENTS[places] = known
    return known


def open_places(state: State, me: Player, other: Player) -> int:
    """The border cards that a Targi may go to (B3.3), as a mask."""
    faced = other.faced
    if faced and me.tokens and token_of(me, state.ruleset.catalog, TOKEN_FACING):
        faced = 0  # X6.3
    robber = 0 if me.powers.on_robber else 1 << state.robber  # B9.7
    return ALL_PLACES & ~(me.targis | other.targis | faced | robber)


def open_dunes(state: State, me: Player, other: Player) -> int:
    """The slots of face-up dunes that hold no Targi (X5.1), or only an opposing one under X5.3, as a mask."""
    slots = state.dune_slots
    lying = (slots[0] != 0) | (slots[1] != 0) << 1 | (slots[2] != 0) << 2
    held = me.targis if me.powers.joins_dunes else me.targis | other.targis
    return lying & ~(held >> (DUNE_BIT + 1))


class Place(Step):
    """`place`: the next Targi (B3.2)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        seat = state.first ^ state.placed & 1
        me = state.players[seat]
        if state.placed >> 1 >= me.quota:  # B9.11: the placement is passed
            count_placement(state)
            return ACT_ON
        other = state.players[1 - seat]
        state.begin_turn(seat)
        places = placements(open_places(state, me, other))
        if state.ruleset.expanded:
            return places + DUNE_PLACEMENTS[open_dunes(state, me, other)]
        return places

    def apply(self, state: State, action: int) -> None:
        seat = state.current_seat
        me = state.players[seat]
        number = PLACE_NUMBERS[action]
        if action < PLACE_DUNE:
            if state.players[1 - seat].faced >> number & 1:  # X6.3: only the token allows it
                spend_token(me, token_of(me, state.ruleset.catalog, TOKEN_FACING))
            me.faced |= FACING[number]
        me.targis |= 1 << number
        count_placement(state)


def count_placement(state: State) -> None:
    """After the last placement come the markers and the two action turns."""
    state.placed += 1
    if state.placed < 2 * TARGIS:
        return
    state.placed = 0
    state.stack.pop()
    for me in state.players:
        me.markers = crossings(me.targis) & ~state.bare
        me.targia = me.targis >> state.targia & 1 == 1 and state.targia != 0  # X3.1
    state.joint = (state.players[0].targis & state.players[1].targis & DUNE_PLACES) >> (DUNE_BIT + 1)
    state.push(frames.CLOSE_ROUND, 0)
    state.push(frames.TURN, 1 - state.first)
    state.push(frames.TURN, state.first)
