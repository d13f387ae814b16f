"""What must hold for the cards of a file together: every card once, nine of a symbol, costs within reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from targi_engine.board import SIZE
from targi_engine.entry import MOST, Entry
from targi_engine.errors import CardFileError
from targi_engine.goods import GOLD_LIMIT, GOODS, GOODS_LIMIT, SYMBOLS, WATER_LIMIT

CARDS_OF_A_SYMBOL: Final = 9

Sections = Mapping[str, Sequence[Entry]]


def check_each_once(where: str, sections: Sections) -> None:
    """Raise CardFileError for an id or a border number that a file has twice."""
    ids = [card.text("id") for card in (*sections["tribe"], *sections["dunes"])]
    for name in ids:
        if ids.count(name) > 1:
            raise CardFileError(f"{where}: the id {name!r} is there twice; every card has its own")
    numbers = [card.number("no", 1, SIZE) for card in sections["border"]]
    for number in numbers:
        if numbers.count(number) > 1:
            raise CardFileError(f"{where}: border card {number} is there twice; one card a number")


def check_whole(where: str, sections: Sections) -> None:
    """Raise CardFileError unless tribe cards have nine of each symbol (or there are none) and can be paid."""
    tribe = sections["tribe"]
    for symbol in SYMBOLS:
        count = sum(card.data["symbol"] == symbol for card in tribe)
        if tribe and count != CARDS_OF_A_SYMBOL:
            raise CardFileError(
                f"{where}: {count} tribe cards have the symbol {symbol}; allowed: {CARDS_OF_A_SYMBOL} of each"
            )
    kept = _kept(tribe)
    for card in tribe:
        for cost in card.listed("cost"):
            _check_cost(card, cost, kept)


def _kept(tribe: Sequence[Entry]) -> dict[str, int]:
    """What a player may keep from turn to turn with the best of these cards (B7.1, X4.1, B9.9)."""
    kept = {"goods": GOODS_LIMIT, "gold": GOLD_LIMIT, "water": WATER_LIMIT}
    for card in tribe:
        effect = card.inner("effect").data if card.has("effect") else {}
        if effect.get("kind") == "limit" and effect["of"] in kept:
            limit = str(effect["of"])
            kept[limit] = max(kept[limit], Entry(card.where, effect).number("amount", 1, 30))
        kept["gold"] += effect.get("kind") == "stored_gold"
    return kept


def _check_cost(card: Entry, cost: Entry, kept: Mapping[str, int]) -> None:
    """Refuse a cost that nobody can save up for."""
    asked = {"goods": 0, "gold": 0, "water": 0}
    for kind in cost.data:
        asked["goods" if kind in GOODS else kind] += cost.number(kind, 1, MOST)
    for kind, count in asked.items():
        if count > kept[kind]:
            card.refuse("cost", f"at most {kept[kind]} {kind}, as many as a player may keep")
