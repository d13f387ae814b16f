"""Which effects a card file may use: parameters by kind of effect, kinds of effect by kind of card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from targi_engine.entry import MOST, Entry
from targi_engine.goods import GOODS, SYMBOLS
from targi_engine.params import (
    GET_KINDS,
    Counts,
    Exactly,
    Flag,
    Keep,
    LimitAmount,
    Number,
    Offers,
    Param,
    Word,
)

COUNTED: Final = (
    *(f"symbol:{symbol}" for symbol in SYMBOLS),
    *("cards", "free_cells", "full_rows", "different_rows"),
    *("cards_of_vp:1", "kind:permanent", "goods", "gold", "water"),
)

CHOICES: Final = [{"goods_of_choice": 3}, {"gold": 1}, {"vp": 1}]

GET: Final = Counts(*GET_KINDS)
ANY_COUNT: Final = Number(1, MOST)

PARAMS: Final[Mapping[str, Mapping[str, Param]]] = {
    "gain": {"get": GET},
    "gain_per": {"what": Word(*COUNTED), "per": ANY_COUNT, "get": GET},
    "choose": {"options": Exactly(CHOICES)},
    "exchange": {"offers": Offers(), "times": Number(1, 9), "optional": Flag()},
    "reveal": {"cards": Number(1, 3), "keep": Keep()},
    "gain_centre_card": {"leaves": Flag()},
    "arrange": {"moves": Flag()},
    "play_hand_now": {"goods_less": Number(0, 3), "optional": Flag()},
    "targia_now": {},
    "free_border_card": {"get": Counts(*GET_KINDS, empty=True)},
    "move_marker": {},
    "to_display": {"pay": Exactly(*({"any_goods": n} for n in range(1, 7))), "vp": Number(0, 4)},
    "opponent_targis": {"targis": Number(1, 2)},
    "discount": {"on": Word("symbol", "noble", "good"), "goods": Number(1, 2)},
    "goods_card_bonus": {"good": Word(*GOODS), "amount": Number(1, 1)},
    "no_goods_bonus": {"get": Exactly({"goods_of_choice": 1})},
    "border_bonus": {"card": Word(*GOODS, "water_hole"), "get": GET},
    "dune_bonus": {"get": GET},
    "trade": {"times": Word("any", "first")},
    "well": {"pay": Exactly({"water": 1}), "times": Number(1, 1)},
    "play_hand": {"extra_goods": Number(0, 1)},
    "stored_gold": {"gold": Number(1, 1)},
    "limit": {"of": Word("goods", "water", "hand"), "amount": LimitAmount()},
    "place_on_robber": {},
    "place_facing_opponent": {},
    "join_opposing_dune": {},
    "targia_both": {},
    "pay_any_goods": {},
    "pay_gold_with_water": {"water": Number(2, 2)},
    "raid_bonus": {"vp": ANY_COUNT},
    "raid_immunity": {},
    "raid_discount": {"goods": Number(1, 1)},
    "end_per": {"what": Word(*COUNTED), "per": ANY_COUNT, "vp": Number(1, 4)},
    "end_if": {
        "test": Word("more_cards", "last_of_full_row", "cards_at_least", "all_symbols"),
        "vp": ANY_COUNT,
    },
    "different_rows": {"rows": Number(1, 3), "vp": Number(3, 6)},
}

# A parameter that is there only with one value of another: (kind, field, value) -> parameter.
EXTRA_PARAMS: Final[Mapping[tuple[str, str, str], tuple[str, Param]]] = {
    ("discount", "on", "symbol"): ("symbol", Word(*SYMBOLS)),
    ("discount", "on", "good"): ("good", Word(*GOODS)),
    ("end_if", "test", "cards_at_least"): ("count", ANY_COUNT),
}

_IMMEDIATE: Final = (
    *("gain", "gain_per", "choose", "exchange", "reveal", "gain_centre_card", "arrange"),
    *("play_hand_now", "targia_now", "opponent_targis"),
)
_TOKEN: Final = (
    *("gain", "free_border_card", "move_marker"),
    *("place_facing_opponent", "pay_any_goods", "pay_gold_with_water"),
)
_DUNE: Final = (
    *("gain", "exchange", "reveal", "gain_centre_card"),
    *("play_hand_now", "free_border_card", "to_display"),
)
_STORED: Final = ("stored_gold",)
_END: Final = ("end_per", "end_if", "different_rows")

EFFECTS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "plain": (),
    "immediate": _IMMEDIATE,
    "dune": _DUNE,
    "token": _TOKEN,
    "stored": _STORED,
    "end": _END,
    "permanent": tuple(
        kind for kind in PARAMS if kind not in {*_IMMEDIATE, *_DUNE, *_TOKEN, *_STORED, *_END}
    ),
}
TRIBE_KINDS: Final = tuple(kind for kind in EFFECTS_OF if kind != "dune")


def check_effect(card: Entry, kind: str) -> None:
    """Raise CardFileError unless the card's effect fits its kind and all parameters are allowed."""
    allowed = EFFECTS_OF[kind]
    if not allowed:
        if card.data.get("effect") is not None:
            card.refuse("effect", f"null, for a card of kind {kind}")
        return
    effect = card.inner("effect")
    if effect.data.get("kind") not in allowed:
        effect.refuse("kind", f"with a card of kind {kind}: {', '.join(allowed)}")
    name = effect.text("kind")
    params = dict(PARAMS[name])
    effect.known(("kind", *params, *(extra for (of, _, _), (extra, _) in EXTRA_PARAMS.items() if of == name)))
    for (extra_of, field, value), (extra, param) in EXTRA_PARAMS.items():
        if extra_of == name:
            PARAMS[name][field].check(effect, field)
            if effect.data[field] == value:
                params[extra] = param
    effect.only(("kind", *params))
    for field, param in params.items():
        param.check(effect, field)
