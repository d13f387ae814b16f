"""Where card faces come from: printed ones, and house cards, which are this project's own.

A card file says so in the field `source`; the field changes neither the game nor the hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from targi_engine.goods import SYMBOLS

if TYPE_CHECKING:
    from targi_engine.entry import Entry
    from targi_engine.ruleset import Ruleset

# What `source` says of a packaged card, in words.
SOURCES: Final[Mapping[str, str]] = {
    "published": "the printed face",
    "house": "this project's own face: the printed one is not known to it",
    "part house": "rules as published, the rest of the face this project's own",
}
HOUSE: Final = ("house", "part house")
MARK: Final = "*"  # stands after the name of a house card wherever a person sees it
LEGEND: Final = f"{MARK} house card: its face is this project's own, in whole or in part"


def is_house(card: Entry) -> bool:
    """Whether a card of a card file has a face that is this project's own, in whole or in part."""
    return card.data.get("source") in HOUSE


def house_cards(rules: Ruleset) -> frozenset[str]:
    """The names, as observations and traces give them, of a ruleset's cards that are house cards."""
    cards, catalog = rules.cards, rules.catalog
    names = {card.text("id") for card in cards["tribe"] if is_house(card)}
    faces = [catalog.names[number] for number in catalog.goods]
    goods = list(zip(faces, cards["goods"], strict=True))
    # Two cards of a deck may show the same face; it is marked only if all of them are house cards.
    names |= {face for face, _ in goods if all(is_house(card) for name, card in goods if name == face)}
    dunes = [card.text("id") for card in cards["dunes"] if is_house(card)]
    return frozenset({*names, *dunes, *(f"{dune}:{symbol}" for dune in dunes for symbol in SYMBOLS)})


def house_border(rules: Ruleset) -> frozenset[int]:
    """The numbers of a ruleset's border cards that are house cards."""
    return frozenset(number for number, card in enumerate(rules.cards["border"], 1) if is_house(card))


def marked(name: str, house: frozenset[str]) -> str:
    """The name of a card, with `MARK` behind it if it is among the house cards."""
    return name + MARK if name in house else name
