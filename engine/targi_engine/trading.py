"""Exchanges at the Trader (B4.3) and the Silversmith (B4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import DONE, SILVER, TRADE
from targi_engine.goods import GOLD, VP
from targi_engine.step import Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

# What a trade gives and gets, by action: 3 for a gold, 2 for 1, 1 for 1, in the order of the vocabulary.
_PAIRS: Final = tuple((give, get) for give in range(3) for get in range(3) if give != get)
TRADES: Final[tuple[tuple[int, int, int], ...]] = (
    *((good, 3, GOLD) for good in range(3)),
    *((give, 2, get) for give, get in _PAIRS),
    *((give, 1, get) for give, get in _PAIRS),
)


def trades(stock: list[int], one_for_one: bool) -> tuple[int, ...]:
    """The exchanges that a stock affords."""
    least = 1 if one_for_one else 2
    if stock[0] < least and stock[1] < least and stock[2] < least:
        return ()
    last = len(TRADES) if one_for_one else len(TRADES) - len(_PAIRS)
    found: list[int] = []
    for at in range(last):
        give, amount, _ = TRADES[at]
        if stock[give] >= amount:
            found.append(TRADE + at)
    return tuple(found)


class Trades(Step):
    """`trade`: an exchange of the Trader's, or the end of the visit."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        argument = state.argument()
        started = argument & 1
        one_for_one = me.powers.trade_any or (me.powers.trade_first and not started)
        offers = trades(me.stock, one_for_one)
        return (*offers, DONE) if started else offers

    def apply(self, state: State, action: int) -> None:
        left = state.stack.pop() >> (frames.BITS + 1)
        if action == DONE:
            return
        give, amount, get = TRADES[action - TRADE]
        stock = state.me().stock
        stock[give] -= amount
        stock[get] += 1
        if left > 1:
            state.push(frames.TRADE, (left - 1) << 1 | 1)


# The Silversmith's offers in the order of the vocabulary: kind given (or ANY), amount, VP.
ANY: Final = -1
OFFERS: Final[tuple[tuple[int, int, int], ...]] = (
    *((good, 2, 1) for good in range(3)),
    *((good, 4, 3) for good in range(3)),
    (GOLD, 1, 2),
    (GOLD, 2, 4),
    (ANY, 2, 1),
    (ANY, 4, 3),
)
_EQUAL_OFFERS: Final = tuple(range(8))
_ANY_OFFERS: Final = tuple(range(6, 10))


def silver_offers(me: Player, any_goods: bool) -> tuple[int, ...]:
    """The exchanges that the player can afford, as actions."""
    stock = me.stock
    goods = me.goods()
    found: list[int] = []
    for at in _ANY_OFFERS if any_goods else _EQUAL_OFFERS:
        kind, amount, _ = OFFERS[at]
        if (goods if kind == ANY else stock[kind]) >= amount:
            found.append(SILVER + at)
    return tuple(found)


def silver_affords(me: Player, any_goods: bool) -> bool:
    """Whether the player can afford any of them: the cheapest take two goods, or one gold."""
    stock = me.stock
    if stock[GOLD]:
        return True
    return me.goods() > 1 if any_goods else stock[0] > 1 or stock[1] > 1 or stock[2] > 1


class Silver(Step):
    """`silver`: exactly one exchange for VP; any goods are given one by one first."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return silver_offers(state.me(), state.argument() != 0)

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        me = state.me()
        kind, amount, vp = OFFERS[action - SILVER]
        if kind == ANY:
            state.push(frames.AWARD, vp)
            state.push(frames.GIVE, amount)
        else:
            me.stock[kind] -= amount
            me.stock[VP] += vp
