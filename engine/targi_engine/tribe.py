"""Deciding on a tribe card in front of a player: play it, take it, discard it, reject it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from targi_engine import frames
from targi_engine.actions import DISCARD, DONE, REJECT, TAKE, WHICH
from targi_engine.chain import start_chain
from targi_engine.goods import WATER
from targi_engine.payment import payable
from targi_engine.shown import discard_shown, turn_up_tribe
from targi_engine.sources import PLACE_BITS, PLACE_MASK, SOURCES, hand_payable
from targi_engine.step import Step

if TYPE_CHECKING:
    from targi_engine.state import State


class Which(Step):
    """`which`: one of several hand cards (X6.5); at the Noble any, else only those that can be played."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        source = state.argument()
        if SOURCES[source].others(me) == (DISCARD,):
            return tuple(WHICH + at for at in range(len(me.hand)))
        return tuple(WHICH + at for at in range(len(me.hand)) if hand_payable(state, me, source, at))

    def apply(self, state: State, action: int) -> None:
        source = state.stack.pop() >> frames.BITS
        state.push(frames.CARD, source | (action - WHICH) << PLACE_BITS)


class Card(Step):
    """`card`: a tribe card in front of the player (B5.2, B4.2, B4.7)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        argument = state.argument()
        source = SOURCES[argument & PLACE_MASK]
        at = argument >> PLACE_BITS
        others = source.others(me)
        rows = me.powers.rows
        if not rows or not source.playable(me, at):
            return others
        if payable(state, me, source.card(state, me, at), source.points(me), source.extra(me)):
            return rows + others
        return others

    def apply(self, state: State, action: int) -> None:
        argument = state.stack.pop() >> frames.BITS
        if action < TAKE:
            start_chain(state, argument, action)
        elif action != DONE:
            put_aside(state, argument, action)


def put_aside(state: State, argument: int, action: int) -> None:
    """Take, discard or reject the card of a card frame."""
    me = state.me()
    source = SOURCES[argument & PLACE_MASK]
    at = argument >> PLACE_BITS
    if action == REJECT:
        me.stock[WATER] -= 1
        discard_shown(state)
        turn_up_tribe(state)
        state.push(frames.CARD, argument)
        return
    card = source.card(state, me, at)
    source.remove(state, me, at)
    if action == TAKE:
        me.hand = (*me.hand, card)
        me.fresh += 1
    else:
        state.tribe.discard.append(card)
        source.discarded(state, me)
