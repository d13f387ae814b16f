"""Raids (B6, X7.1): what a corner demands, the ways to pay it, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import PAY_CARD, PAY_GOLD, PAY_GOODS, PAY_VP, ROW, WATER_FOR
from targi_engine.goods import GOLD, GOODS, VP, WATER
from targi_engine.payment import new_payment, short
from targi_engine.player import ROW_CELLS, ROWS
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

UNPAID_VP: Final = 3  # what an unpaid raid brings the opponent where it asks no VP (X7.1), or under flat3

# X4.2: water for one of dates, salt, pepper, gold.
WATER_PRICES: Final = (2, 2, 2, 3)
# WATER_EXCHANGES[water]: the actions that so much water pays for; the last entry holds for more, too.
WATER_EXCHANGES: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(WATER_FOR + kind for kind in range(4) if water >= WATER_PRICES[kind])
    for water in range(max(WATER_PRICES) + 1)
)


class Demand:
    """What a corner demands: one kind of payment, or VP, or the last card of a row."""

    __slots__ = ("card", "gold", "goods", "named", "vp")

    def __init__(self, first: Mapping[str, int], second: Mapping[str, int]) -> None:
        self.goods: int = first.get("goods", 0)  # of the player's choice
        self.named: list[int] = [first.get(good, 0) for good in GOODS]
        self.gold: int = first.get("gold", 0)
        self.vp: int = second.get("vp", 0)
        self.card: bool = "rightmost_tribe_card" in second

    def unpaid_vp(self) -> int:
        """What the opponent gains from who cannot pay (B6.3, X7.1)."""
        return self.vp or UNPAID_VP

    def goods_short(self, me: Player) -> int:
        """How many goods are missing, after the goods that are spared (X6.4)."""
        if self.goods:
            return self.goods - me.powers.raid_less - me.goods()
        return short(me.stock, self.named) - me.powers.raid_less

    def asks_goods(self) -> bool:
        """Whether it asks for goods at all."""
        return self.goods > 0 or sum(self.named) > 0

    def nothing_left(self, me: Player) -> bool:
        """Whether the goods spared leave nothing to pay (X6.4)."""
        return self.asks_goods() and self.goods + sum(self.named) <= me.powers.raid_less

    def payable(self, me: Player, water: int) -> bool:
        """Whether it can be paid, perhaps after exchanges of so much water (X4.4)."""
        stock = me.stock
        if self.vp and stock[VP] >= self.vp:
            return True
        if self.card and me.powers.cards:
            return True
        if self.gold:
            return stock[GOLD] + water // WATER_PRICES[GOLD] >= self.gold
        return self.goods_short(me) <= water // WATER_PRICES[0]

    def options(self, me: Player) -> tuple[int, ...]:
        """The payments that can be made now, as actions (B6.2)."""
        found: list[int] = []
        if self.asks_goods() and self.goods_short(me) <= 0:
            found.append(PAY_GOODS)
        if self.gold and me.stock[GOLD] >= self.gold:
            found.append(PAY_GOLD)
        if self.vp and me.stock[VP] >= self.vp:
            found.append(PAY_VP)
        if self.card and me.powers.cards:
            found.append(PAY_CARD)
        return tuple(found)


def exchanges(demand: Demand, me: Player) -> tuple[int, ...]:
    """The water exchanges after which the raid stays payable (X4.4), as actions."""
    stock = me.stock
    found: list[int] = []
    for kind in range(4):
        price = WATER_PRICES[kind]
        if stock[WATER] < price:
            continue
        stock[kind] += 1
        if demand.payable(me, stock[WATER] - price):
            found.append(WATER_FOR + kind)
        stock[kind] -= 1
    return tuple(found)


def exchange_water(me: Player, action: int) -> None:
    """Carry out a water exchange (X4.2)."""
    kind = action - WATER_FOR
    me.stock[WATER] -= WATER_PRICES[kind]
    me.stock[kind] += 1


class RaidTurn(Step):
    """Work: a seat's raid payment begins; it may be that nothing is asked."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.begin_turn(state.stack.pop() >> frames.BITS)
        me = state.me()
        demand = state.ruleset.demands[state.robber]
        if me.powers.immune:  # B9.13
            return ACT_ON
        if demand.nothing_left(me):  # X6.4: counts as paid (B9.12)
            state.push(frames.RAID_PAID, 0)
        elif demand.payable(me, me.stock[WATER]):
            state.push(frames.RAID_PAID, 0)
            state.push(frames.RAID, 0)
        else:  # B6.3
            flat = state.ruleset.flat3
            state.players[1 - me.seat].stock[VP] += UNPAID_VP if flat else demand.unpaid_vp()
        return ACT_ON


class Raid(Step):
    """`raid`: how to pay, or an exchange of water first."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        me = state.me()
        demand = state.ruleset.demands[state.robber]
        options = demand.options(me)
        return exchanges(demand, me) + options if me.stock[WATER] > 1 else options

    def apply(self, state: State, action: int) -> None:
        me = state.me()
        if action < WATER_FOR + 4:
            exchange_water(me, action)
            return
        state.stack.pop()
        demand = state.ruleset.demands[state.robber]
        if action == PAY_GOODS:
            pay_goods(state, me, demand)
        elif action == PAY_GOLD:
            me.stock[GOLD] -= demand.gold
        elif action == PAY_VP:
            me.stock[VP] -= demand.vp
        else:
            state.push(frames.LOSE_CARD, 0)


def pay_goods(state: State, me: Player, demand: Demand) -> None:
    """Goods of choice are given one by one; named ones go by themselves, but for those spared (X6.4)."""
    if demand.goods:
        state.push(frames.GIVE, demand.goods - me.powers.raid_less)
        return
    state.payment = new_payment(0, 0, 0, me.powers.raid_less, 0)
    state.payment.needs = demand.named[:]
    state.push(frames.RAID_GOODS, 0)
    state.push(frames.SAVE, 0)


class RaidGoods(Step):
    """Work: the named goods go back to the supply."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        needs = state.paying().needs
        state.payment = None
        stock = state.me().stock
        for good in range(3):
            stock[good] -= needs[good]
        return ACT_ON


class RaidPaid(Step):
    """Work: the owner of T7 gains VP after paying (B9.12)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        me = state.me()
        me.stock[VP] += me.powers.raid_vp
        return ACT_ON


class LoseCard(Step):
    """`card`: the row whose last card is given up (X7.1); what lay on it or followed from it goes too."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        display = state.me().display
        return tuple(ROW + row for row in range(ROWS) if display[ROW_CELLS * row])

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        me = state.me()
        row = action - ROW
        cell = max(cell for cell in range(ROW_CELLS * row, ROW_CELLS * (row + 1)) if me.display[cell])
        card = me.display[cell]
        state.set_display(me, (*me.display[:cell], 0, *me.display[cell + 1 :]))
        me.tokens = tuple(other for other in me.tokens if other != card)
        me.stored = tuple(other for other in me.stored if other != card)
        catalog = state.ruleset.catalog
        if catalog.tribe_cards[card]:
            state.tribe.discard.append(card)
        else:
            state.dunes.discard.append(catalog.dune_of[card])
