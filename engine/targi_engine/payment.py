"""Paying for a tribe card: what it costs now, and whether a chain of choices can still be paid in full.

A cost is five counts: dates, salt, pepper, gold, water. Points are goods off the goods of a cost,
of the payer's choice (B9.1, D6); named discounts (X6.7) come off first, by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine.goods import WATER

if TYPE_CHECKING:
    from targi_engine.catalog import Catalog
    from targi_engine.player import Player
    from targi_engine.state import State

AS_PRINTED: Final = 0
ANY_GOODS: Final = 1
WATER_GOLD: Final = 2

# Kinds of token that change how a card is paid (see catalog.TOKENS).
TOKEN_ANY_GOODS: Final = 5
TOKEN_WATER_GOLD: Final = 6
WATER_FOR_GOLD: Final = 2
_PRINTED_ONLY: Final = (AS_PRINTED,)


class Payment:
    """One tribe card being paid: what the choices so far have fixed."""

    __slots__ = (
        "any_goods",
        "card",
        "extra",
        "gold",
        "mode",
        "needs",
        "points",
        "purse",
        "row",
        "source",
        "stored",
        "surplus",
        "water",
    )

    card: int
    source: int  # the argument of the card's frame: where it comes from
    row: int
    points: int  # discount points left
    extra: int  # goods on top, of choice (B9.8)
    needs: list[int]  # dates, salt, pepper still in the cost
    gold: int  # gold whose origin is not settled
    purse: int  # gold from the purse
    stored: int  # gold from a card (B9.9)
    water: int
    mode: int
    any_goods: int  # goods still to be given under ANY_GOODS
    surplus: bool  # whether the optional extra is paid (X6.2)

    def clone(self) -> Payment:
        """A copy that shares nothing that changes."""
        new = new_payment(self.card, self.source, self.row, self.points, self.extra)
        new.needs = self.needs[:]
        new.gold = self.gold
        new.purse = self.purse
        new.stored = self.stored
        new.water = self.water
        new.mode = self.mode
        new.any_goods = self.any_goods
        new.surplus = self.surplus
        return new


def new_payment(card: int, source: int, row: int, points: int, extra: int) -> Payment:
    """A payment at the start of its chain."""
    new = Payment()
    new.card = card
    new.source = source
    new.row = row
    new.points = points
    new.extra = extra
    new.needs = [0, 0, 0]
    new.gold = 0
    new.purse = 0
    new.stored = 0
    new.water = 0
    new.mode = AS_PRINTED
    new.any_goods = 0
    new.surplus = False
    return new


def short(stock: list[int], needs: list[int]) -> int:
    """How many goods of the needs are not held."""
    dates = needs[0] - stock[0]
    salt = needs[1] - stock[1]
    pepper = needs[2] - stock[2]
    return (dates if dates > 0 else 0) + (salt if salt > 0 else 0) + (pepper if pepper > 0 else 0)


def goods_payable(me: Player, needs: list[int], points: int, extra: int) -> bool:
    """Whether the goods can be paid with the points, and extra goods of any kind besides."""
    if short(me.stock, needs) > points:
        return False
    if not extra:
        return True
    total = needs[0] + needs[1] + needs[2]
    return me.goods() - max(0, total - points) >= extra


def any_goods_payable(me: Player, needs: list[int], points: int, extra: int) -> bool:
    """Whether the goods can be paid in any goods: something must be left to pay (XO6)."""
    number = needs[0] + needs[1] + needs[2] - points
    return number > 0 and me.goods() >= number + extra


def named_needs(me: Player, cost: tuple[int, ...]) -> list[int]:
    """The goods of a cost after the discounts of a named good."""
    less = me.powers.named_less
    if not (less[0] or less[1] or less[2]):
        return [cost[0], cost[1], cost[2]]
    return [max(0, cost[0] - less[0]), max(0, cost[1] - less[1]), max(0, cost[2] - less[2])]


def ways(
    me: Player, catalog: Catalog, needs: list[int], gold: int, water: int, points: int, extra: int
) -> tuple[int, ...]:
    """The modes in which a cost can be paid in full; empty if it cannot. Named discounts are off `needs`."""
    if water > me.stock[WATER]:
        return ()
    goods_ok = goods_payable(me, needs, points, extra)
    gold_ok = gold <= me.gold()
    if not me.tokens:
        return _PRINTED_ONLY if goods_ok and gold_ok else ()
    found: list[int] = []
    if goods_ok and gold_ok:
        found.append(AS_PRINTED)
    if gold_ok and token_of(me, catalog, TOKEN_ANY_GOODS) and any_goods_payable(me, needs, points, extra):
        found.append(ANY_GOODS)
    water += WATER_FOR_GOLD * gold
    if goods_ok and gold and water <= me.stock[WATER] and token_of(me, catalog, TOKEN_WATER_GOLD):
        found.append(WATER_GOLD)
    return tuple(found)


def token_of(me: Player, catalog: Catalog, kind: int) -> int:
    """The first card in display order that holds an unused token of a kind; 0 if none does."""
    for card in me.display:
        if card and card in me.tokens and catalog.tokens[card] == kind:
            return card
    return 0


def points_off(state: State, me: Player, card: int) -> int:
    """The discount points of the display for a card's symbol (B9.1)."""
    return me.powers.symbol_less[state.ruleset.catalog.symbols[card]]


def payable(state: State, me: Player, card: int, points: int, extra: int) -> bool:
    """Whether some way to pay for a card exists; `points` and `extra` come from where it lies."""
    catalog = state.ruleset.catalog
    points += me.powers.symbol_less[catalog.symbols[card]]
    for cost in catalog.costs[card]:
        if ways(me, catalog, named_needs(me, cost), cost[3], cost[4], points, extra):
            return True
    return False
