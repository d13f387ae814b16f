"""Dunes (X5): using them, displaying them, discarding and turning up; exchanges of water."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import DONE, ROW, SYMBOL, WATER_2_FOR_1, WATER_2_FOR_2, WATER_4_FOR_4
from targi_engine.board import DUNE_BIT
from targi_engine.chain import lay
from targi_engine.goods import SYMBOLS, VP, WATER
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

SLOTS: Final = 3

# Exchanges of water for VP, in the order of the vocabulary: action, water, VP.
OFFERS: Final[tuple[tuple[int, int, int], ...]] = (
    (WATER_2_FOR_2, 2, 2),
    (WATER_4_FOR_4, 4, 4),
    (WATER_2_FOR_1, 2, 1),
)
_SYMBOLS: Final = tuple(SYMBOL + symbol for symbol in range(len(SYMBOLS)))


def dune_usable(state: State, me: Player, slot: int) -> bool:
    """Whether the dune in a slot (0 to 2) lies there and could do something (X5.2)."""
    card = state.dune_slots[slot]
    return card != 0 and state.ruleset.catalog.on_use[card].usable(state, me)


def use_dune(state: State, me: Player, slot: int) -> None:
    """Use the dune in a slot; its Targi leaves at once."""
    me.targis &= ~(1 << (DUNE_BIT + 1 + slot))
    card = state.dune_slots[slot]
    state.push(frames.AFTER_DUNE, slot)
    state.ruleset.catalog.on_use[card].run(state, me, card)


def discard_dune(state: State, slot: int) -> None:
    """Discard the dune of a slot, if one lies there."""
    if state.dune_slots[slot]:
        state.dunes.discard.append(state.dune_slots[slot])
        state.dune_slots[slot] = 0


def turn_up_dunes(state: State, after_raid: bool) -> None:
    """X2.3: three new dunes after a raid, else one if none lies face up."""
    if after_raid:
        for slot in range(SLOTS):
            discard_dune(state, slot)
    elif state.dune_slots[0] or state.dune_slots[1] or state.dune_slots[2]:
        return
    for slot in range(SLOTS if after_raid else 1):
        if state.dunes.left():  # X5.4: the dune deck is never made anew
            state.dune_slots[slot] = state.dunes.draw(state.seed)
            state.reveals += 1


class AfterDune(Step):
    """Work: own bonuses after a dune (X5.6), then it is discarded, unless both stand on it (X5.3)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        argument = state.stack.pop() >> frames.BITS
        slot = argument & 3
        gets = state.me().powers.dune_gets
        if gets and not argument >> 2:
            state.push(frames.AFTER_DUNE, slot | 4)
            for get in gets:
                get.give(state, state.me())
        elif not state.joint >> slot & 1:
            discard_dune(state, slot)
        return ACT_ON


class DunesOff(Step):
    """Work: at the end of an action turn skipped dunes go, shared ones after the second turn (X5.2, X5.3)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        stood = state.me().targis >> (DUNE_BIT + 1)
        if not stood | state.joint:
            return ACT_ON
        second = state.current_seat != state.first
        for slot in range(SLOTS):
            shared = state.joint >> slot & 1
            if (shared and second) or (not shared and stood >> slot & 1):
                discard_dune(state, slot)
        return ACT_ON


class DuneRow(Step):
    """`card`: the row that a dune for the display goes to."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return state.me().powers.rows

    def apply(self, state: State, action: int) -> None:
        slot = state.stack.pop() >> frames.BITS
        # The row waits in the frame of the symbol, below the goods that are given first.
        state.stack[-2] = frames.SYMBOL | (slot | (action - ROW) << 2) << frames.BITS


class Symbol(Step):
    """`symbol`: the symbol of a displayed dune, now and for good (X5.5)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return _SYMBOLS

    def apply(self, state: State, action: int) -> None:
        argument = state.stack.pop() >> frames.BITS
        slot = argument & 3
        displayed = state.ruleset.catalog.displayed[state.dune_slots[slot]]
        state.dune_slots[slot] = 0
        lay(state, state.me(), displayed[action - SYMBOL], argument >> 2)


class Exchange(Step):
    """`water`: an exchange of water for VP (D9, XW2); an optional one can be left."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        argument = state.argument()
        water = state.me().stock[WATER]
        offers = argument >> 4 & 15
        actions = tuple(
            OFFERS[at][0] for at in range(len(OFFERS)) if offers >> at & 1 and OFFERS[at][1] <= water
        )
        if not actions:
            state.stack.pop()
            return ACT_ON
        return (*actions, DONE) if argument >> 8 else actions

    def apply(self, state: State, action: int) -> None:
        argument = state.stack.pop() >> frames.BITS
        if action == DONE:
            return
        stock = state.me().stock
        for offer, water, vp in OFFERS:
            if offer == action:
                stock[WATER] -= water
                stock[VP] += vp
        if argument & 15 > 1:
            state.push(frames.EXCHANGE, argument - 1)
