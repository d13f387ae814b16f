"""Effect objects from the effects of a card file: one builder a kind of effect.

This is where a new kind of effect is added, beside its parameters in `schema.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from targi_engine import effects, finals, powers
from targi_engine.border import BONUS_CARDS
from targi_engine.counting import COUNTERS
from targi_engine.dunes import OFFERS
from targi_engine.entry import MOST, Entry
from targi_engine.gains import Get
from targi_engine.goods import GOODS, SYMBOLS
from targi_engine.params import GET_KINDS
from targi_engine.payment import TOKEN_ANY_GOODS, TOKEN_WATER_GOLD
from targi_engine.placing import TOKEN_FACING

# Kinds of token; the first three are used at an `act` decision.
TOKENS: Final[Mapping[str, int]] = {
    "gain": 1,
    "move_marker": 2,
    "free_border_card": 3,
    "place_facing_opponent": TOKEN_FACING,
    "pay_any_goods": TOKEN_ANY_GOODS,
    "pay_gold_with_water": TOKEN_WATER_GOLD,
}


def _get(effect: Entry) -> Get:
    return Get(effect.counts("get", GET_KINDS, empty=True))


def _many(effect: Entry, field: str) -> int:
    return effect.number(field, 0, 30)


def _exchange(effect: Entry) -> effects.Effect:
    offers = 0
    least = MOST
    for offer in effect.listed("offers"):
        water = offer.counts("pay", ("water",))["water"]
        vp = offer.counts("get", ("vp",))["vp"]
        least = min(least, water)
        offers |= sum(1 << at for at, (_, paid, gained) in enumerate(OFFERS) if (paid, gained) == (water, vp))
    return effects.Exchange(offers, least, _many(effect, "times"), effect.flag("optional"))


def _gain_per(effect: Entry) -> effects.Effect:
    return effects.GainPer(COUNTERS[effect.text("what")], _many(effect, "per"), _get(effect))


def _to_display(effect: Entry) -> effects.Effect:
    return effects.ToDisplay(effect.counts("pay", ("any_goods",))["any_goods"], _many(effect, "vp"))


EFFECTS: Final[Mapping[str, Callable[[Entry], effects.Effect]]] = {
    "gain": lambda e: effects.Gain(_get(e)),
    "gain_per": _gain_per,
    "choose": lambda e: effects.Choose(),
    "exchange": _exchange,
    "reveal": lambda e: effects.Reveal(_many(e, "cards"), _many(e, "keep")),
    "gain_centre_card": lambda e: effects.GainCentreCard(e.flag("leaves")),
    "arrange": lambda e: effects.Arrange(e.flag("moves")),
    "play_hand_now": lambda e: effects.PlayHandNow(_many(e, "goods_less"), e.flag("optional")),
    "targia_now": lambda e: effects.TargiaNow(),
    "free_border_card": lambda e: effects.FreeBorderCard(_get(e)),
    "move_marker": lambda e: effects.MoveMarker(),
    "to_display": _to_display,
    "opponent_targis": lambda e: effects.OpponentTargis(_many(e, "targis")),
}


def _discount(effect: Entry) -> powers.Power:
    goods = _many(effect, "goods")
    on = effect.text("on")
    if on == "symbol":
        return powers.SymbolDiscount(SYMBOLS.index(effect.text("symbol")), goods)
    if on == "good":
        return powers.NamedDiscount(GOODS.index(effect.text("good")), goods)
    return powers.NobleDiscount(goods)


def _limit(effect: Entry) -> powers.Power:
    return _LIMITS[effect.text("of")](_many(effect, "amount"))


_LIMITS: Final[Mapping[str, Callable[[int], powers.Power]]] = {
    "goods": powers.GoodsLimit,
    "water": powers.WaterLimit,
    "hand": powers.HandLimit,
}


def _no_goods(effect: Entry) -> powers.Power:
    return powers.NoGoodsBonus(_get(effect).choice)


def _goods_card_bonus(effect: Entry) -> powers.Power:
    return powers.GoodsCardBonus(GOODS.index(effect.text("good")), _many(effect, "amount"))


def _border_bonus(effect: Entry) -> powers.Power:
    return powers.BorderBonus(BONUS_CARDS.index(effect.text("card")), _get(effect))


POWERS: Final[Mapping[str, Callable[[Entry], powers.Power]]] = {
    "discount": _discount,
    "goods_card_bonus": _goods_card_bonus,
    "no_goods_bonus": _no_goods,
    "border_bonus": _border_bonus,
    "dune_bonus": lambda e: powers.DuneBonus(_get(e)),
    "trade": lambda e: powers.Trade(e.text("times") == "any"),
    "well": lambda e: powers.Well(_many(e, "times")),
    "play_hand": lambda e: powers.PlayHand(_many(e, "extra_goods")),
    "limit": _limit,
    "place_on_robber": lambda e: powers.PlaceOnRobber(),
    "join_opposing_dune": lambda e: powers.JoinOpposingDune(),
    "targia_both": lambda e: powers.TargiaBoth(),
    "raid_bonus": lambda e: powers.RaidBonus(_many(e, "vp")),
    "raid_immunity": lambda e: powers.RaidImmunity(),
    "raid_discount": lambda e: powers.RaidDiscount(_many(e, "goods")),
}


def _end_per(effect: Entry) -> finals.EndEffect:
    return finals.EndPer(COUNTERS[effect.text("what")], _many(effect, "per"), _many(effect, "vp"))


def _end_if(effect: Entry) -> finals.EndEffect:
    vp = _many(effect, "vp")
    test = effect.text("test")
    if test == "cards_at_least":
        return finals.CardsAtLeast(_many(effect, "count"), vp)
    return _TESTS[test](vp)


_TESTS: Final[Mapping[str, Callable[[int], finals.EndEffect]]] = {
    "more_cards": finals.MoreCards,
    "last_of_full_row": finals.LastOfFullRow,
    "all_symbols": finals.AllSymbols,
}

END_EFFECTS: Final[Mapping[str, Callable[[Entry], finals.EndEffect]]] = {
    "end_per": _end_per,
    "end_if": _end_if,
    "different_rows": lambda e: finals.DifferentRows(_many(e, "rows"), _many(e, "vp")),
}
