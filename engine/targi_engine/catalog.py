"""All cards of a ruleset as tables by card number.

Numbers: 0 is no card, 1 and 2 the backs of an unknown goods and tribe card, then the tribe cards in
file order, the kinds of goods card, the kinds of dune, and for every dune that can be displayed
(X5.5) five cards, one a symbol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from targi_engine.building import EFFECTS, END_EFFECTS, POWERS, TOKENS
from targi_engine.effects import NO_EFFECT, Effect
from targi_engine.entry import MOST, Entry
from targi_engine.finals import NO_POINTS, EndEffect
from targi_engine.frozen import Frozen
from targi_engine.gains import NOTHING, Face
from targi_engine.goods import GOODS, KINDS, SYMBOLS
from targi_engine.params import GET_KINDS
from targi_engine.powers import NO_POWER, Power

NONE: Final = 0
GOODS_BACK: Final = 1
TRIBE_BACK: Final = 2
_NO_FACE: Final = Face(NOTHING)
_NO_COSTS: Final[tuple[tuple[int, ...], ...]] = ()
_NO_SURPLUS: Final = (0, 0, 0, 0)


class _Row:
    """One card while the tables are built."""

    __slots__ = ("costs", "end", "face", "laid", "name", "power", "surplus", "symbol", "token", "used", "vp")

    def __init__(self, name: str) -> None:
        self.name = name
        self.symbol: int = -1
        self.vp: int = 0
        self.costs = _NO_COSTS
        self.surplus: tuple[int, ...] = _NO_SURPLUS
        self.face: Face = _NO_FACE
        self.laid: Effect = NO_EFFECT
        self.used: Effect = NO_EFFECT
        self.power: Power = NO_POWER
        self.end: EndEffect = NO_POINTS
        self.token: int = 0


class Catalog(Frozen):
    """Tables by card number; cannot be changed once built."""

    __slots__ = (
        "by_symbol",
        "copies",
        "costs",
        "deck_of_dunes",
        "deck_of_goods",
        "displayed",
        "dune_of",
        "dunes",
        "effect_kinds",
        "end_effects",
        "faces",
        "gold_on",
        "goods",
        "names",
        "on_lay",
        "on_use",
        "permanent",
        "powers",
        "surplus",
        "symbols",
        "tokens",
        "tribe",
        "tribe_cards",
        "vp",
        "weights",
    )

    tribe: tuple[int, ...]
    goods: tuple[int, ...]
    dunes: tuple[int, ...]
    displayed: Mapping[int, tuple[int, ...]]  # by dune: its five cards in the display
    dune_of: Mapping[int, int]  # the way back
    copies: Mapping[int, int]  # how many cards of a number a deck holds
    # The card in the number that stands for cards of its deck (see snapshot.py): a bit for every tribe
    # card, of which there is one, four for every other kind.
    weights: tuple[int, ...]
    deck_of_goods: tuple[int, ...]  # copies and all, in file order
    deck_of_dunes: tuple[int, ...]
    effect_kinds: tuple[str, ...]  # the kind of effect in the card files, "" without one
    names: tuple[str, ...]
    symbols: tuple[int, ...]
    by_symbol: tuple[tuple[int, ...], ...]  # the tribe cards of a symbol
    vp: tuple[int, ...]  # printed
    costs: tuple[tuple[tuple[int, ...], ...], ...]  # alternatives, each dates, salt, pepper, gold, water
    surplus: tuple[tuple[int, ...], ...]  # the optional extra dates, salt, pepper, and the VP for them (X6.2)
    faces: tuple[Face, ...]
    on_lay: tuple[Effect, ...]
    on_use: tuple[Effect, ...]  # dunes and tokens
    powers: tuple[Power, ...]
    end_effects: tuple[EndEffect, ...]
    tokens: tuple[int, ...]  # see building.TOKENS
    tribe_cards: tuple[bool, ...]
    permanent: tuple[bool, ...]
    gold_on: tuple[bool, ...]

    def __init__(self, tribe: Sequence[Entry], goods: Sequence[Entry], dunes: Sequence[Entry]) -> None:
        rows = [_Row("?"), _Row("?"), _Row("?"), *map(_tribe_row, tribe), *map(_goods_row, goods)]
        rows += map(_dune_row, dunes)
        first_goods = 3 + len(tribe)
        first_dune = first_goods + len(goods)
        object.__setattr__(self, "tribe", tuple(range(3, first_goods)))
        object.__setattr__(self, "goods", tuple(range(first_goods, first_dune)))
        object.__setattr__(self, "dunes", tuple(range(first_dune, len(rows))))
        # effect_kinds: a displayed dune has none.
        words = ["", "", "", *map(_effect_kind, tribe), *("" for _ in goods), *map(_effect_kind, dunes)]
        self._fill_displayed(rows, dunes)
        self._fill_decks([*goods, *dunes])
        object.__setattr__(self, "effect_kinds", (*words, *("" for _ in rows[len(words) :])))
        object.__setattr__(self, "weights", self._weights(len(rows)))
        self._fill_cards(rows)
        kinds = {card: entry.text("kind") for card, entry in zip(self.tribe, tribe, strict=True)}
        numbers = range(len(rows))
        object.__setattr__(
            self, "tribe_cards", tuple(card in kinds or card == TRIBE_BACK for card in numbers)
        )
        object.__setattr__(self, "permanent", tuple(kinds.get(card) == "permanent" for card in numbers))
        object.__setattr__(self, "gold_on", tuple(kinds.get(card) == "stored" for card in numbers))

    def _fill_displayed(self, rows: list[_Row], dunes: Sequence[Entry]) -> None:
        displayed: dict[int, tuple[int, ...]] = {}
        for card, entry in zip(self.dunes, dunes, strict=True):
            if entry.inner("effect").text("kind") == "to_display":
                displayed[card] = tuple(range(len(rows), len(rows) + len(SYMBOLS)))
                rows += _displayed_rows(entry)
        object.__setattr__(self, "displayed", MappingProxyType(displayed))
        dune_of = {shown: card for card, five in displayed.items() for shown in five}
        object.__setattr__(self, "dune_of", MappingProxyType(dune_of))

    def _fill_decks(self, others: Sequence[Entry]) -> None:
        """Copies and decks; the others are the goods cards, then the dunes."""
        copies = dict.fromkeys(self.tribe, 1)
        for card, entry in zip(self.goods + self.dunes, others, strict=True):
            copies[card] = entry.number("copies", 1, MOST)
        object.__setattr__(self, "copies", MappingProxyType(copies))
        object.__setattr__(
            self, "deck_of_goods", tuple(card for card in self.goods for _ in range(copies[card]))
        )
        object.__setattr__(
            self, "deck_of_dunes", tuple(card for card in self.dunes for _ in range(copies[card]))
        )

    def _weights(self, numbers: int) -> tuple[int, ...]:
        weights = [0] * numbers
        for cards, width in ((self.tribe, 1), (self.goods, 4), (self.dunes, 4)):
            for at, card in enumerate(cards):
                weights[card] = 1 << width * at
        return tuple(weights)

    def _fill_cards(self, rows: list[_Row]) -> None:
        symbols = tuple(row.symbol for row in rows)
        of_symbol = (
            tuple(card for card in self.tribe if symbols[card] == symbol) for symbol in range(len(SYMBOLS))
        )
        object.__setattr__(self, "names", tuple(row.name for row in rows))
        object.__setattr__(self, "symbols", symbols)
        object.__setattr__(self, "by_symbol", tuple(of_symbol))
        object.__setattr__(self, "vp", tuple(row.vp for row in rows))
        object.__setattr__(self, "costs", tuple(row.costs for row in rows))
        object.__setattr__(self, "surplus", tuple(row.surplus for row in rows))
        object.__setattr__(self, "faces", tuple(row.face for row in rows))
        object.__setattr__(self, "on_lay", tuple(row.laid for row in rows))
        object.__setattr__(self, "on_use", tuple(row.used for row in rows))
        object.__setattr__(self, "powers", tuple(row.power for row in rows))
        object.__setattr__(self, "end_effects", tuple(row.end for row in rows))
        object.__setattr__(self, "tokens", tuple(row.token for row in rows))


def _tribe_row(card: Entry) -> _Row:
    row = _Row(card.text("id"))
    row.symbol = SYMBOLS.index(card.text("symbol"))
    row.vp = card.number("vp", 0, MOST)
    row.costs = tuple(_cost(cost) for cost in card.listed("cost"))
    if card.has("optional"):
        optional = card.inner("optional")
        pay = optional.counts("pay", GOODS)
        row.surplus = (*(pay.get(good, 0) for good in GOODS), optional.number("vp", 1, MOST))
    if card.has("effect"):
        _add_effect(row, card.text("kind"), card.inner("effect"))
    return row


def _effect_kind(card: Entry) -> str:
    return card.inner("effect").text("kind") if card.has("effect") else ""


def _cost(cost: Entry) -> tuple[int, ...]:
    return tuple(cost.number(kind, 1, MOST) if kind in cost.data else 0 for kind in KINDS[:5])


def _add_effect(row: _Row, kind: str, effect: Entry) -> None:
    name = effect.text("kind")
    if kind == "immediate":
        row.laid = EFFECTS[name](effect)
    elif kind == "token":
        row.token = TOKENS[name]
        row.used = EFFECTS[name](effect) if name in EFFECTS else NO_EFFECT
    elif kind == "end":
        row.end = END_EFFECTS[name](effect)
    elif kind == "permanent":
        row.power = POWERS[name](effect)


def _goods_row(card: Entry) -> _Row:
    counts = card.counts("gives", GET_KINDS) if card.has("gives") else {"goods_of_choice": 1}
    face = Face(counts)
    row = _Row(face.notation)
    row.face = face
    return row


def _dune_row(card: Entry) -> _Row:
    row = _Row(card.text("id"))
    effect = card.inner("effect")
    row.used = EFFECTS[effect.text("kind")](effect)
    return row


def _displayed_rows(card: Entry) -> list[_Row]:
    rows: list[_Row] = []
    for symbol, name in enumerate(SYMBOLS):
        row = _Row(f"{card.text('id')}:{name}")
        row.symbol = symbol
        row.vp = card.inner("effect").number("vp", 0, MOST)
        rows.append(row)
    return rows
