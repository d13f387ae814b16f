"""Goods chosen one by one: gained, gained from a goods card, or given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import GAIN, GET_GOLD, GET_GOODS, GET_VP, GIVE
from targi_engine.gains import goods_came
from targi_engine.goods import GOLD, VP
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.state import State

GAINS: Final = (GAIN, GAIN + 1, GAIN + 2)
_BONUSES: Final = (GET_GOODS, GET_GOLD, GET_VP)

# GIVES[mask]: the give actions for a mask of goods.
GIVES: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(GIVE + good for good in range(3) if mask >> good & 1) for mask in range(8)
)


def gives_above(stock: list[int], dates: int, salt: int, pepper: int) -> tuple[int, ...]:
    """The give actions for the goods of which more than these amounts are held."""
    return GIVES[(stock[0] > dates) | (stock[1] > salt) << 1 | (stock[2] > pepper) << 2]


class Gain(Step):
    """`gain`: a good of choice, as often as the argument says."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return GAINS

    def apply(self, state: State, action: int) -> None:
        state.me().stock[action - GAIN] += 1
        state.count_down(frames.GAIN)


class CardGain(Step):
    """`gain`: a good of choice that a goods card gives; B9.2 and B9.3 follow the last."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return GAINS

    def apply(self, state: State, action: int) -> None:
        me = state.me()
        good = action - GAIN
        me.stock[good] += 1
        argument = state.stack.pop() >> frames.BITS
        goods = argument >> 4 | 1 << good
        left = (argument & 15) - 1
        if left:
            state.push(frames.CARD_GAIN, left | goods << 4)
        else:
            goods_came(me, goods)


class Give(Step):
    """`give`: a good goes back to the supply, as often as the argument says."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return gives_above(state.me().stock, 0, 0, 0)

    def apply(self, state: State, action: int) -> None:
        state.me().stock[action - GIVE] -= 1
        state.count_down(frames.GIVE)


class Bonus(Step):
    """`bonus`: 3 goods, or 1 gold, or 1 VP (B9.5)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return _BONUSES

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        if action == GET_GOODS:
            state.push(frames.GAIN, 3)
        else:
            state.me().stock[GOLD if action == GET_GOLD else VP] += 1


class Award(Step):
    """Work: VP that come once everything is given (the Silversmith's)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.me().stock[VP] += state.stack.pop() >> frames.BITS
        return ACT_ON


class AfterCard(Step):
    """Work: the gain of a card that comes after the action that it allowed (X5.6)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        card = state.stack.pop() >> frames.BITS
        state.ruleset.catalog.on_use[card].after(state, state.me())
        return ACT_ON
