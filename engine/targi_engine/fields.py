"""Which fields the cards of a file have, by section, and what their values may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from targi_engine.board import CORNERS, PLACES, SIZE
from targi_engine.cardparams import Costs, Demand, Surplus
from targi_engine.entry import MOST, Entry
from targi_engine.goods import GOODS, SYMBOLS
from targi_engine.params import GET_KINDS, Counts, Exactly, Identifier, Number, Param, Word
from targi_engine.schema import TRIBE_KINDS, check_effect

# Fields for the reader of a file; they do not change the game, nor the hash.
WORDS_ONLY: Final = ("note", "text", "source", "set")

_TRADER_RATES: Final = [
    {"give": {"equal_goods": 3}, "get": {"gold": 1}},
    {"give": {"equal_goods": 2}, "get": {"goods_of_choice": 1}},
]


def _silver_rates(goods: str) -> list[dict[str, dict[str, int]]]:
    return [
        {"give": {goods: 2}, "get": {"vp": 1}},
        {"give": {goods: 4}, "get": {"vp": 3}},
        {"give": {"gold": 1}, "get": {"vp": 2}},
        {"give": {"gold": 2}, "get": {"vp": 4}},
    ]


class Fields:
    """Fields that a card must have, and may have."""

    __slots__ = ("optional", "required")

    def __init__(self, required: Mapping[str, Param], optional: Mapping[str, Param] | None = None) -> None:
        self.required = required
        self.optional: Mapping[str, Param] = optional or {}

    def check(self, card: Entry, *others: str) -> None:
        """Raise CardFileError for a missing, an unknown, or a wrong field; `others` must be there too."""
        card.only((*self.required, *others), (*self.optional, *WORDS_ONLY))
        for field, param in self.required.items():
            param.check(card, field)
        for field, param in self.optional.items():
            if card.has(field):
                param.check(card, field)


COPIES: Final = Number(1, MOST)

TRIBE: Final = Fields(
    {
        "id": Identifier(),
        "symbol": Word(*SYMBOLS),
        "vp": Number(0, MOST),
        "cost": Costs(),
        "kind": Word(*TRIBE_KINDS),
    },
    {"optional": Surplus()},
)
DUNE: Final = Fields({"id": Identifier(), "copies": COPIES, "kind": Word("dune")})
GOODS_GIVEN: Final = Fields({"copies": COPIES, "gives": Counts(*GET_KINDS)})
GOODS_CHOSEN: Final = Fields({"copies": COPIES, "choose_one_of": Exactly([{good: 1} for good in GOODS])})

# Border cards by name, and where they may lie.
BORDER: Final[Mapping[str, Fields]] = {
    "noble": Fields({}, {"discard_bonus": Counts(*GET_KINDS)}),
    "goods": Fields({"gives": Word(*GOODS)}),
    "raid": Fields({"demand": Demand()}),
    "trader": Fields({"rates": Exactly(_TRADER_RATES)}),
    "fata_morgana": Fields({}, {"reach": Word("orthogonally adjacent")}),
    "silversmith": Fields({"rates": Exactly(_silver_rates("equal_goods"), _silver_rates("any_goods"))}),
    "caravan": Fields({}),
    "tribal_expansion": Fields({}, {"reject_cost": Exactly({"water": 1})}),
    "water_hole": Fields({"gives": Counts(*GET_KINDS)}),
}
ON_CORNERS: Final = ("raid",)
ON_PLACES: Final = tuple(name for name in BORDER if name not in ON_CORNERS)
NUMBERS: Final[tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]] = (
    (CORNERS, ON_CORNERS),
    (PLACES, ON_PLACES),
)


class Section:
    """How the cards of one section are checked."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        """Raise CardFileError unless the card is allowed."""
        raise NotImplementedError


class TribeSection(Section):
    """Tribe cards."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        TRIBE.check(card, "effect")
        check_effect(card, card.text("kind"))


class GoodsSection(Section):
    """Goods cards: what they give, or a good of choice."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        (GOODS_CHOSEN if "choose_one_of" in card.data else GOODS_GIVEN).check(card)


class DuneSection(Section):
    """Dunes."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        DUNE.check(card, "effect")
        check_effect(card, "dune")


class BorderSection(Section):
    """Border cards: raids on the corners, the others elsewhere."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        number = card.number("no", 1, SIZE)
        name = card.word("card", ON_CORNERS if number in CORNERS else ON_PLACES)
        BORDER[name].check(card, "no", "card")


SECTIONS: Final[Mapping[str, Section]] = {
    "tribe": TribeSection(),
    "goods": GoodsSection(),
    "border": BorderSection(),
    "dunes": DuneSection(),
}
