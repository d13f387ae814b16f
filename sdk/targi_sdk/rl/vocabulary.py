"""The names of a ruleset's cards as places in a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from targi_engine import Ruleset
from targi_engine.goods import SYMBOLS

__all__ = ["Vocabulary", "vocabulary_of"]


class Vocabulary:
    """Cards by name, in file order, each with its place in a plane."""

    def __init__(self, rules: Ruleset) -> None:
        names = rules.catalog.names
        dunes = tuple(names[card] for card in rules.catalog.dunes)
        tribe = tuple(names[card] for card in rules.catalog.tribe)
        goods = tuple(dict.fromkeys(names[card] for card in rules.catalog.goods))
        displayed = tuple(f"{dune}:{symbol}" for dune in _displayable(rules) for symbol in SYMBOLS)
        self.expanded = rules.expanded
        self.dunes = _places(dunes)
        """Kinds of dune."""
        self.laid = _places((*tribe, *displayed))
        """What can lie in a display: tribe cards, then dunes that were laid."""
        self.tribe = _places(tribe)
        self.faces = _places((*tribe, *goods))
        """What can lie face up in the centre: tribe cards, then kinds of goods card."""
        self.cards = _places((*tribe, *goods, *dunes))
        """All of them."""
        self.copies = dict.fromkeys(self.cards, 0)
        """How many of a card a deck holds."""
        for card, copies in rules.catalog.copies.items():
            self.copies[names[card]] += copies


def _displayable(rules: Ruleset) -> Iterable[str]:
    return (rules.catalog.names[dune] for dune in rules.catalog.displayed)


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


@lru_cache(maxsize=8)
def vocabulary_of(rules: Ruleset) -> Vocabulary:
    """The vocabulary of a ruleset, made once."""
    return Vocabulary(rules)
