"""Effects that hold as long as their card lies in a display: one class a kind of effect."""

from __future__ import annotations

from typing import Final

from targi_engine.gains import Get
from targi_engine.player import Powers


class Power:
    """No power; also the contract of the others."""

    __slots__ = ()

    def join(self, powers: Powers) -> None:
        """Add what this card does to what the display does; several of a kind each count (B9.1)."""


class SymbolDiscount(Power):
    """`discount` on a symbol: goods off later cards of that symbol (B9.1)."""

    __slots__ = ("goods", "symbol")

    def __init__(self, symbol: int, goods: int) -> None:
        self.symbol = symbol
        self.goods = goods

    def join(self, powers: Powers) -> None:
        powers.symbol_less[self.symbol] += self.goods


class NobleDiscount(Power):
    """`discount` on the Noble: goods off a hand card played there (K7)."""

    __slots__ = ("goods",)

    def __init__(self, goods: int) -> None:
        self.goods = goods

    def join(self, powers: Powers) -> None:
        powers.noble_less += self.goods


class NamedDiscount(Power):
    """`discount` on a good: so many of that good off every cost, by itself (X6.7)."""

    __slots__ = ("good", "goods")

    def __init__(self, good: int, goods: int) -> None:
        self.good = good
        self.goods = goods

    def join(self, powers: Powers) -> None:
        powers.named_less[self.good] += self.goods


class GoodsCardBonus(Power):
    """`goods_card_bonus`: once a round, one more of a good that a goods card gives (B9.2)."""

    __slots__ = ("amount", "good")

    def __init__(self, good: int, amount: int) -> None:
        self.good = good
        self.amount = amount

    def join(self, powers: Powers) -> None:
        powers.bonus[self.good] += self.amount
        powers.any_bonus = True


class NoGoodsBonus(Power):
    """`no_goods_bonus`: a good of choice after a round without goods from goods cards (B9.3)."""

    __slots__ = ("goods",)

    def __init__(self, goods: int) -> None:
        self.goods = goods

    def join(self, powers: Powers) -> None:
        powers.no_goods += self.goods


class BorderBonus(Power):
    """`border_bonus`: a gain with each use of a border card (see border.BONUS_CARDS)."""

    __slots__ = ("card", "get")

    def __init__(self, card: int, get: Get) -> None:
        self.card = card
        self.get = get

    def join(self, powers: Powers) -> None:
        powers.border_gets = (*powers.border_gets, (self.card, self.get))


class DuneBonus(Power):
    """`dune_bonus`: a gain after each use of a dune (X5.6)."""

    __slots__ = ("get",)

    def __init__(self, get: Get) -> None:
        self.get = get

    def join(self, powers: Powers) -> None:
        powers.dune_gets = (*powers.dune_gets, self.get)


class Trade(Power):
    """`trade`: one good for another at the Trader, always (B9.10) or as the first exchange (X6.7)."""

    __slots__ = ("always",)

    def __init__(self, always: bool) -> None:
        self.always = always

    def join(self, powers: Powers) -> None:
        powers.trade_any = powers.trade_any or self.always
        powers.trade_first = True


class Well(Power):
    """`well`: once a turn, 1 water for a good (XW4)."""

    __slots__ = ("times",)

    def __init__(self, times: int) -> None:
        self.times = times

    def join(self, powers: Powers) -> None:
        powers.wells += self.times


class PlayHand(Power):
    """`play_hand`: the hand card without Noble, for extra goods; the fewest count (B9.8)."""

    __slots__ = ("extra_goods",)

    def __init__(self, extra_goods: int) -> None:
        self.extra_goods = extra_goods

    def join(self, powers: Powers) -> None:
        fewest = self.extra_goods if powers.play_hand < 0 else min(powers.play_hand, self.extra_goods)
        powers.play_hand = fewest


class GoodsLimit(Power):
    """`limit` of goods: the highest holds (B7.1)."""

    __slots__ = ("amount",)

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def join(self, powers: Powers) -> None:
        powers.goods_limit = max(powers.goods_limit, self.amount)


class WaterLimit(Power):
    """`limit` of water: the highest holds (X4.1)."""

    __slots__ = ("amount",)

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def join(self, powers: Powers) -> None:
        powers.water_limit = max(powers.water_limit, self.amount)


class HandLimit(Power):
    """`limit` of the hand: the highest holds (X6.5)."""

    __slots__ = ("amount",)

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def join(self, powers: Powers) -> None:
        powers.hand_limit = max(powers.hand_limit, self.amount)


class PlaceOnRobber(Power):
    """`place_on_robber`: own Targis may stand on the Robber's card (B9.7)."""

    __slots__ = ()

    def join(self, powers: Powers) -> None:
        powers.on_robber = True


class JoinOpposingDune(Power):
    """`join_opposing_dune`: own Targis may join an opposing one on a dune (X5.3)."""

    __slots__ = ()

    def join(self, powers: Powers) -> None:
        powers.joins_dunes = True


class TargiaBoth(Power):
    """`targia_both`: both of the Targia's options, once each (X3.1)."""

    __slots__ = ()

    def join(self, powers: Powers) -> None:
        powers.targia_both = True


class RaidBonus(Power):
    """`raid_bonus`: VP after a raid that was paid (B9.12)."""

    __slots__ = ("vp",)

    def __init__(self, vp: int) -> None:
        self.vp = vp

    def join(self, powers: Powers) -> None:
        powers.raid_vp += self.vp


class RaidImmunity(Power):
    """`raid_immunity`: raids ask nothing of the owner (B9.13)."""

    __slots__ = ()

    def join(self, powers: Powers) -> None:
        powers.immune = True


class RaidDiscount(Power):
    """`raid_discount`: goods off the goods that a raid asks (X6.4)."""

    __slots__ = ("goods",)

    def __init__(self, goods: int) -> None:
        self.goods = goods

    def join(self, powers: Powers) -> None:
        powers.raid_less += self.goods


NO_POWER: Final = Power()
