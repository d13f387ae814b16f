"""The Targia figure (X3): her two options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import TARGIA_DRAW, TARGIA_TAKE
from targi_engine.step import Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

TAKEN: Final = 1
DRAWN: Final = 2


def targia_options(state: State, me: Player, used: int) -> tuple[int, ...]:
    """The options that are open: not used yet, and drawing takes a good and a goods card."""
    take = not used & TAKEN
    draw = not used & DRAWN and me.goods() > 0 and not state.goods.empty()
    if take and draw:
        return (TARGIA_TAKE, TARGIA_DRAW)
    if take:
        return (TARGIA_TAKE,)
    return (TARGIA_DRAW,) if draw else ()


def targia_open(state: State, me: Player) -> bool:
    """Whether the Targia can be used now: one option a round, or both with XT3 (X3.1)."""
    if not me.targia or (me.targia_used and not me.powers.targia_both):
        return False
    return len(targia_options(state, me, me.targia_used)) > 0


class Targia(Step):
    """`targia`: a good of choice, or draw a goods card for a good. A card's use (XT1) is apart."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        return targia_options(state, me, 0 if state.argument() else me.targia_used)

    def apply(self, state: State, action: int) -> None:
        by_card = state.stack.pop() >> frames.BITS
        if not by_card:
            state.me().targia_used |= TAKEN if action == TARGIA_TAKE else DRAWN
        if action == TARGIA_TAKE:
            state.push(frames.GAIN, 1)
        else:
            state.push(frames.TURN_UP, 0)
            state.push(frames.GIVE, 1)
