"""The chain of choices that pays for a tribe card, and the laying of it.

After the row the links come in a fixed order: cost, modify, save, gold, optional, extra goods, any
goods; then everything is paid and the card is laid. Each link drops out when it has nothing to ask.
At every link only those choices are legal from which the rest can still be paid in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import (
    AS_PRINTED,
    COST,
    EXTRA,
    FROM_CARD,
    FROM_PURSE,
    GIVE,
    PLAIN,
    ROW,
    SAVE,
)
from targi_engine.giving import gives_above
from targi_engine.goods import GOLD, VP, WATER
from targi_engine.payment import (
    ANY_GOODS,
    TOKEN_ANY_GOODS,
    TOKEN_WATER_GOLD,
    WATER_FOR_GOLD,
    WATER_GOLD,
    Payment,
    named_needs,
    new_payment,
    points_off,
    short,
    token_of,
    ways,
)
from targi_engine.player import ROW_CELLS
from targi_engine.sources import PLACE_BITS, PLACE_MASK, SOURCES
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

_LINKS: Final[tuple[int, ...]] = (
    frames.PAY,
    frames.ANY_GOODS,
    frames.EXTRA_GOODS,
    frames.OPTIONAL,
    frames.GOLD,
    frames.SAVE,
    frames.MODIFY,
    frames.COST,
)
_PLAIN_ONLY: Final = (PLAIN,)
_EXTRA_OR_PLAIN: Final = (EXTRA, PLAIN)


def start_chain(state: State, argument: int, row_action: int) -> None:
    """Begin to pay for the card of a card frame, to lay it in the row of an action."""
    me = state.me()
    source = SOURCES[argument & PLACE_MASK]
    card = source.card(state, me, argument >> PLACE_BITS)
    points = source.points(me) + points_off(state, me, card)
    state.payment = new_payment(card, argument, row_action - ROW, points, source.extra(me))
    state.stack.extend(_LINKS)


class Cost(Step):
    """`cost`: one of the printed alternatives (B5.6)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        me = state.me()
        catalog = state.ruleset.catalog
        costs = catalog.costs[payment.card]
        if len(costs) == 1:
            self.apply(state, COST)
            return ACT_ON
        return tuple(
            COST + at
            for at, cost in enumerate(costs)
            if ways(me, catalog, named_needs(me, cost), cost[3], cost[4], payment.points, payment.extra)
        )

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        payment = state.paying()
        cost = state.ruleset.catalog.costs[payment.card][action - COST]
        payment.needs = named_needs(state.me(), cost)
        payment.gold = cost[3]
        payment.water = cost[4]


class Modify(Step):
    """`modify`: whether a token changes how the card is paid (XO6, XW7), one token a card."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        catalog = state.ruleset.catalog
        if not me.tokens or not (
            token_of(me, catalog, TOKEN_ANY_GOODS) or token_of(me, catalog, TOKEN_WATER_GOLD)
        ):
            state.stack.pop()
            return ACT_ON
        payment = state.paying()
        modes = ways(me, catalog, payment.needs, payment.gold, payment.water, payment.points, payment.extra)
        return tuple(AS_PRINTED + mode for mode in modes)

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        payment = state.paying()
        payment.mode = action - AS_PRINTED
        if payment.mode == ANY_GOODS:
            payment.any_goods = sum(payment.needs) - payment.points
            payment.needs = [0, 0, 0]
            payment.points = 0
        elif payment.mode == WATER_GOLD:
            payment.water += WATER_FOR_GOLD * payment.gold
            payment.gold = 0


class Save(Step):
    """`save`: which good of the cost a discount point takes off (B9.1), or a raid spares (X6.4)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        needs = payment.needs
        if not payment.points or not (needs[0] or needs[1] or needs[2]):
            state.stack.pop()
            return ACT_ON
        stock = state.me().stock
        spare = short(stock, needs) < payment.points
        return tuple(SAVE + good for good in range(3) if needs[good] and (spare or needs[good] > stock[good]))

    def apply(self, state: State, action: int) -> None:
        payment = state.paying()
        payment.needs[action - SAVE] -= 1
        payment.points -= 1


class Gold(Step):
    """`gold`: whether a card's gold pays for a gold of the cost (B9.9)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        me = state.me()
        on_cards = len(me.stored) - payment.stored
        if not payment.gold or not on_cards:
            payment.purse += payment.gold
            payment.gold = 0
            state.stack.pop()
            return ACT_ON
        return (FROM_CARD, FROM_PURSE) if me.stock[GOLD] > payment.purse else (FROM_CARD,)

    def apply(self, state: State, action: int) -> None:
        payment = state.paying()
        payment.gold -= 1
        if action == FROM_CARD:
            payment.stored += 1
        else:
            payment.purse += 1


class Optional(Step):
    """`optional`: whether the extra goods of a card are paid for its extra VP (X6.2)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        surplus = state.ruleset.catalog.surplus[payment.card]
        if not surplus[3]:
            state.stack.pop()
            return ACT_ON
        me = state.me()
        needs = [payment.needs[good] + surplus[good] for good in range(3)]
        total = sum(needs) + payment.extra + payment.any_goods
        payable = short(me.stock, needs) == 0 and me.goods() >= total
        return _EXTRA_OR_PLAIN if payable else _PLAIN_ONLY

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        payment = state.paying()
        if action == EXTRA:
            payment.surplus = True
            surplus = state.ruleset.catalog.surplus[payment.card]
            for good in range(3):
                payment.needs[good] += surplus[good]


class ExtraGoods(Step):
    """`give`: a good on top of the cost (B9.8), none that the cost still needs."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        if not payment.extra:
            state.stack.pop()
            return ACT_ON
        needs = payment.needs
        return gives_above(state.me().stock, needs[0], needs[1], needs[2])

    def apply(self, state: State, action: int) -> None:
        state.me().stock[action - GIVE] -= 1
        state.paying().extra -= 1


class AnyGoods(Step):
    """`give`: a good of any kind for a good of the cost (XO6)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        payment = state.paying()
        if not payment.any_goods:
            state.stack.pop()
            return ACT_ON
        needs = payment.needs
        return gives_above(state.me().stock, needs[0], needs[1], needs[2])

    def apply(self, state: State, action: int) -> None:
        state.me().stock[action - GIVE] -= 1
        state.paying().any_goods -= 1


class Pay(Step):
    """Work: pay what is not given yet, lay the card, and let its effect happen."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        payment = state.paying()
        me = state.me()
        take_cost(state, me, payment)
        state.payment = None
        source = SOURCES[payment.source & PLACE_MASK]
        source.remove(state, me, payment.source >> PLACE_BITS)
        lay(state, me, payment.card, payment.row)
        if payment.surplus:
            me.stock[VP] += state.ruleset.catalog.surplus[payment.card][3]
        state.ruleset.catalog.on_lay[payment.card].run(state, me, payment.card)
        return ACT_ON


def take_cost(state: State, me: Player, payment: Payment) -> None:
    """Take the goods, gold, water and the token that the payment has fixed."""
    stock = me.stock
    for good in range(3):
        stock[good] -= payment.needs[good]
    stock[GOLD] -= payment.purse
    stock[WATER] -= payment.water
    if payment.stored:
        me.stored = me.stored[payment.stored :]
    if payment.mode:
        kind = TOKEN_ANY_GOODS if payment.mode == ANY_GOODS else TOKEN_WATER_GOLD
        spend_token(me, token_of(me, state.ruleset.catalog, kind))


def spend_token(me: Player, card: int) -> None:
    """Take the token off a card."""
    me.tokens = tuple(other for other in me.tokens if other != card)


def lay(state: State, me: Player, card: int, row: int) -> None:
    """Lay a card in the first free cell of a row (B5.5); it holds from now on."""
    cell = me.display.index(0, ROW_CELLS * row)
    before = me.powers.bonus
    state.set_display(me, (*me.display[:cell], card, *me.display[cell + 1 :]))
    bonus = me.powers.bonus
    if bonus != before:  # B9.2: a bonus that has just been laid is ready
        ready = me.ready
        me.ready = (
            ready[0] + bonus[0] - before[0],
            ready[1] + bonus[1] - before[1],
            ready[2] + bonus[2] - before[2],
        )
    catalog = state.ruleset.catalog
    if catalog.tokens[card]:
        me.tokens = (*me.tokens, card)
    if catalog.gold_on[card]:
        me.stored = (*me.stored, card)
