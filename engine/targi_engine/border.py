"""The actions of the border cards (B4, and the expansion's): one class a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames, sources
from targi_engine.actions import BORDER
from targi_engine.board import ALL_PLACES, PLACES, bits
from targi_engine.centre import movable_markers
from targi_engine.gains import Get
from targi_engine.goods import GOODS
from targi_engine.shown import turn_up_goods, turn_up_tribe
from targi_engine.step import Step
from targi_engine.trading import silver_affords

if TYPE_CHECKING:
    from targi_engine.player import Player
    from targi_engine.state import State

# Border cards that a border bonus can name, by number.
BONUS_CARDS: Final = (*GOODS, "water_hole")
WATER_HOLE: Final = 3


class BorderCard:
    """A card without an action (a raid); also the contract of the others."""

    __slots__ = ("plain",)

    def __init__(self) -> None:
        self.plain: bool = False  # whether it can always be used

    def usable(self, state: State, me: Player) -> bool:
        """Whether using it now would change anything."""
        return False

    def use(self, state: State, me: Player) -> None:
        """Carry out the action, or put the decisions that it needs on the stack."""


class GoodsCard(BorderCard):
    """A good (B4.1)."""

    __slots__ = ("good",)

    def __init__(self, good: int) -> None:
        self.plain = True
        self.good = good

    def usable(self, state: State, me: Player) -> bool:
        return True

    def use(self, state: State, me: Player) -> None:
        me.stock[self.good] += 1
        if me.powers.border_gets:
            border_bonus(state, me, self.good)


class WaterHole(BorderCard):
    """Water, or whatever the card file says."""

    __slots__ = ("get",)

    def __init__(self, get: Get) -> None:
        self.plain = True
        self.get = get

    def usable(self, state: State, me: Player) -> bool:
        return True

    def use(self, state: State, me: Player) -> None:
        self.get.give(state, me)
        border_bonus(state, me, WATER_HOLE)


def border_bonus(state: State, me: Player, card: int) -> None:
    """The gains that own cards add to the use of a border card (XO4, XW5)."""
    for named, get in me.powers.border_gets:
        if named == card:
            get.give(state, me)


class Noble(BorderCard):
    """Play a hand card, paying, or discard it (B4.2)."""

    __slots__ = ("source",)

    def __init__(self, bonus: bool) -> None:
        self.plain = False
        self.source = sources.NOBLE_WITH_BONUS if bonus else sources.NOBLE

    def usable(self, state: State, me: Player) -> bool:
        return len(me.hand) > 0

    def use(self, state: State, me: Player) -> None:
        sources.push_hand_play(state, me, self.source)


class Trader(BorderCard):
    """Exchanges of goods, as often as wished in one visit (B4.3)."""

    __slots__ = ()

    def usable(self, state: State, me: Player) -> bool:
        stock = me.stock
        if stock[0] > 1 or stock[1] > 1 or stock[2] > 1:
            return True
        return me.powers.trade_first and me.goods() > 0

    def use(self, state: State, me: Player) -> None:
        state.push(frames.TRADE, me.goods() << 1)


class FataMorgana(BorderCard):
    """Move an own marker to an open cell within reach (B4.4)."""

    __slots__ = ("reach",)

    def __init__(self, reach: int) -> None:
        self.plain = False
        self.reach = reach

    def usable(self, state: State, me: Player) -> bool:
        return movable_markers(state, me, self.reach) != 0

    def use(self, state: State, me: Player) -> None:
        state.push(frames.MARKER, self.reach)


class Silversmith(BorderCard):
    """One exchange of goods or gold for VP (B4.5)."""

    __slots__ = ("any_goods",)

    def __init__(self, any_goods: bool) -> None:
        self.plain = False
        self.any_goods = any_goods

    def usable(self, state: State, me: Player) -> bool:
        return silver_affords(me, self.any_goods)

    def use(self, state: State, me: Player) -> None:
        state.push(frames.SILVER, int(self.any_goods))


class Caravan(BorderCard):
    """Turn up a goods card, gain it, discard it (B4.6)."""

    __slots__ = ()

    def usable(self, state: State, me: Player) -> bool:
        return not state.goods.empty()

    def use(self, state: State, me: Player) -> None:
        turn_up_goods(state)
        state.push(frames.DISCARD_SHOWN, 0)
        state.push(frames.GAIN_SHOWN, 0)


class TribalExpansion(BorderCard):
    """Turn up a tribe card: play it, take it or discard it (B4.7)."""

    __slots__ = ("source",)

    def __init__(self, rejects: bool) -> None:
        self.plain = False
        self.source = sources.SHOWN_OR_NEXT if rejects else sources.SHOWN

    def usable(self, state: State, me: Player) -> bool:
        return not state.tribe.empty()

    def use(self, state: State, me: Player) -> None:
        turn_up_tribe(state)
        state.push(frames.CARD, self.source)


def free_border_cards(state: State, me: Player) -> int:
    """The border cards without a Targi, off the Robber, that can be used now (X6.7), as a mask."""
    taken = state.players[0].targis | state.players[1].targis | 1 << state.robber
    free = ALL_PLACES & ~taken
    border = state.ruleset.border
    for place in bits(free):
        if not border[place].usable(state, me):
            free &= ~(1 << place)
    return free


class ChooseBorder(Step):
    """`border`: a border card without a Targi to use (D7, XT7)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        free = free_border_cards(state, state.me())
        return tuple(BORDER + at for at, place in enumerate(PLACES) if free >> place & 1)

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        state.ruleset.border[PLACES[action - BORDER]].use(state, state.me())
