"""What must hold for the cards of a file together: every card once, nine of a symbol, costs within reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from targi_engine.cardtext import as_json
from targi_engine.entry import MOST, Entry
from targi_engine.errors import CardFileError
from targi_engine.goods import GOLD_LIMIT, GOODS, GOODS_LIMIT, SYMBOLS, WATER_LIMIT

CARDS_OF_A_SYMBOL: Final = 9

Sections = Mapping[str, Sequence[Entry]]


def check_each_once(sections: Sections) -> None:
    """Raise CardFileError for an id or a border number that a file has twice."""
    check_ids((*sections["tribe"], *sections["dunes"]))
    _check_field(sections["border"], "no", "one border card for a number")


def check_ids(cards: Sequence[Entry]) -> None:
    """Raise CardFileError for an id that two cards have, perhaps of two files."""
    _check_field(cards, "id", "an id that no other card has")


def _check_field(cards: Sequence[Entry], field: str, allowed: str) -> None:
    seen: dict[object, Entry] = {}
    for card in cards:
        other = seen.setdefault(card.data[field], card)
        if other is not card:
            # Two cards of one file and section bear the same words.
            same = " twice" if other.where == card.where else f" also on {other.where}"
            card.refuse(field, f"{allowed}; this one is there{same}")


def check_whole(where: str, sections: Sections) -> None:
    """Raise CardFileError unless tribe cards have nine of each symbol and can be paid."""
    tribe = sections["tribe"]
    _check_symbols(where, tribe)
    kept = _kept(tribe)
    for card in tribe:
        for cost in card.listed("cost"):
            _check_cost(card, cost, kept)


def _check_symbols(where: str, tribe: Sequence[Entry]) -> None:
    """Refuse a symbol of which there are too many cards, or too few."""
    counts = {symbol: sum(card.data["symbol"] == symbol for card in tribe) for symbol in SYMBOLS}
    few = ", ".join(f"{name} ({count})" for name, count in counts.items() if count < CARDS_OF_A_SYMBOL)
    for symbol, count in counts.items():
        if count > CARDS_OF_A_SYMBOL:
            # Of a file that changes some cards only those, as one of them is wrong.
            own = [card for card in tribe if card.where.startswith(f"{where}: ")]
            names = ", ".join(card.text("id") for card in own if card.data["symbol"] == symbol)
            raise CardFileError(
                f"{where}: tribe card {names}: field 'symbol' is {as_json(symbol)} on {count} cards of the "
                f"set; allowed: {CARDS_OF_A_SYMBOL} of each symbol, and there are too few of {few or 'none'}"
            )
    if few:
        raise CardFileError(
            f"{where}: field 'tribe' has {len(tribe)} cards, too few of {few}; allowed: 45 cards, nine of "
            "each symbol (with 'based_on' only those that change)"
        )


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
