"""All cards of a ruleset as tables by card number.

Numbers: 0 is no card, 1 and 2 the backs of an unknown goods and tribe card, then the tribe cards in
file order, the kinds of goods card, the kinds of dune, and for every dune that can be displayed
(X5.5) five cards, one a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from targi_engine.building import EFFECTS, END_EFFECTS, POWERS, TOKENS
from targi_engine.effects import NO_EFFECT, Effect
from targi_engine.entry import MOST, Entry
from targi_engine.finals import NO_POINTS, EndEffect
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


class Catalog:
    """Tables by card number; immutable once built."""

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

    def __init__(self, tribe: Sequence[Entry], goods: Sequence[Entry], dunes: Sequence[Entry]) -> None:
        rows = [_Row("?"), _Row("?"), _Row("?"), *map(_tribe_row, tribe), *map(_goods_row, goods)]
        rows += map(_dune_row, dunes)
        first_goods = 3 + len(tribe)
        first_dune = first_goods + len(goods)
        self.tribe: tuple[int, ...] = tuple(range(3, first_goods))
        self.goods: tuple[int, ...] = tuple(range(first_goods, first_dune))
        self.dunes: tuple[int, ...] = tuple(range(first_dune, len(rows)))
        # displayed[dune]: its five cards in the display; dune_of: the way back.
        self.displayed: dict[int, tuple[int, ...]] = {}
        self.dune_of: dict[int, int] = {}
        for card, entry in zip(self.dunes, dunes, strict=True):
            if entry.inner("effect").text("kind") == "to_display":
                self.displayed[card] = tuple(range(len(rows), len(rows) + len(SYMBOLS)))
                rows += _displayed_rows(entry)
                for shown in self.displayed[card]:
                    self.dune_of[shown] = card
        # copies[n]: how many cards of number n a deck holds.
        self.copies: dict[int, int] = dict.fromkeys(self.tribe, 1)
        for card, entry in zip(self.goods + self.dunes, [*goods, *dunes], strict=True):
            self.copies[card] = entry.number("copies", 1, MOST)
        # weights[n]: the card in the number that stands for cards of its deck (see snapshot.py): a bit for
        # every tribe card, of which there is one, four for every other kind.
        weights = [0] * len(rows)
        for cards, width in ((self.tribe, 1), (self.goods, 4), (self.dunes, 4)):
            for at, card in enumerate(cards):
                weights[card] = 1 << width * at
        self.weights: tuple[int, ...] = tuple(weights)
        self.deck_of_goods: tuple[int, ...] = self._deck(self.goods)  # copies and all, in file order
        self.deck_of_dunes: tuple[int, ...] = self._deck(self.dunes)
        # effect_kinds[n]: the kind of effect in the card files, "" without one.
        words = ["", "", "", *map(_effect_kind, tribe), *("" for _ in goods), *map(_effect_kind, dunes)]
        self.effect_kinds: tuple[str, ...] = (*words, *("" for _ in rows[len(words) :]))
        kinds = {card: entry.text("kind") for card, entry in zip(self.tribe, tribe, strict=True)}
        self._fill(rows, kinds)

    def _deck(self, cards: Sequence[int]) -> tuple[int, ...]:
        return tuple(card for card in cards for _ in range(self.copies[card]))

    def _fill(self, rows: list[_Row], kinds: dict[int, str]) -> None:
        self.names: tuple[str, ...] = tuple(row.name for row in rows)
        self.symbols: tuple[int, ...] = tuple(row.symbol for row in rows)
        # by_symbol[symbol]: its tribe cards.
        self.by_symbol: tuple[tuple[int, ...], ...] = tuple(
            tuple(card for card in self.tribe if self.symbols[card] == symbol)
            for symbol in range(len(SYMBOLS))
        )
        self.vp: tuple[int, ...] = tuple(row.vp for row in rows)  # printed
        # costs[card]: alternatives, each dates, salt, pepper, gold, water.
        self.costs: tuple[tuple[tuple[int, ...], ...], ...] = tuple(row.costs for row in rows)
        # surplus[card]: the optional extra dates, salt, pepper, and the VP for them (X6.2).
        self.surplus: tuple[tuple[int, ...], ...] = tuple(row.surplus for row in rows)
        self.faces: tuple[Face, ...] = tuple(row.face for row in rows)
        self.on_lay: tuple[Effect, ...] = tuple(row.laid for row in rows)
        self.on_use: tuple[Effect, ...] = tuple(row.used for row in rows)  # dunes and tokens
        self.powers: tuple[Power, ...] = tuple(row.power for row in rows)
        self.end_effects: tuple[EndEffect, ...] = tuple(row.end for row in rows)
        self.tokens: tuple[int, ...] = tuple(row.token for row in rows)  # see building.TOKENS
        numbers = range(len(rows))
        self.tribe_cards: tuple[bool, ...] = tuple(card in kinds or card == TRIBE_BACK for card in numbers)
        self.permanent: tuple[bool, ...] = tuple(kinds.get(card) == "permanent" for card in numbers)
        self.gold_on: tuple[bool, ...] = tuple(kinds.get(card) == "stored" for card in numbers)


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
