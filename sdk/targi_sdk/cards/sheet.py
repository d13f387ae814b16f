"""The cards of a ruleset or of a card file, and their faces in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from targi_engine import Ruleset, explain, ruleset
from targi_engine.entry import Entry
from targi_engine.fields import SECTIONS, WORDS_ONLY
from targi_engine.meanings import counts_words, symbol_words, value_words
from targi_engine.provenance import MARK, is_house

from targi_sdk.cards.own import CardFile

__all__ = ["COLUMNS", "Sheet", "cost_words", "effect_words", "extra_words", "face_words", "rows_of"]

Cell = str | int
Face = Mapping[str, Any]  # a card as JSON: the engine has checked its fields


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cards in file order, by section."""

    title: str
    sections: Mapping[str, Sequence[Entry]]

    @classmethod
    def of_ruleset(cls, rules: Ruleset) -> Sheet:
        """The cards in play."""
        return cls(rules.name, rules.cards)

    @classmethod
    def of_file(cls, file: CardFile) -> Sheet:
        """The cards of a file, with those of the set that it is based on."""
        return cls(file.path, file.cards().sections())

    @classmethod
    def named(cls, name: str) -> Sheet:
        """The cards in play in a packaged ruleset. Raises `UnknownRuleset`."""
        return cls.of_ruleset(ruleset(name))

    @property
    def has_house_cards(self) -> bool:
        """Whether some face is this project's own, in whole or in part."""
        return any(is_house(card) for cards in self.sections.values() for card in cards)

    def as_json(self) -> dict[str, list[dict[str, object]]]:
        """The cards as a card file writes them."""
        return {section: [dict(card.data) for card in self.sections[section]] for section in SECTIONS}


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "tribe": ("card", "symbol", "VP", "cost", "extra", "kind", "what it does", "face"),
    "goods": ("copies", "gives", "face"),
    "border": ("no", "card", "details", "face"),
    "dunes": ("card", "copies", "what it does", "face"),
}
"""Section to the columns of its table."""


def rows_of(sheet: Sheet, section: str) -> list[tuple[Cell, ...]]:
    """The rows of a section's table; names of house cards are marked."""
    return [ROWS[section](card) for card in sheet.sections[section]]


def face_words(card: Entry) -> str:
    """Where a card's face is from: what its file says, else the file itself."""
    return str(card.data.get("source") or card.where.partition(": ")[0])


def cost_words(face: Face) -> str:
    """A tribe card's cost: its alternatives."""
    return " or ".join(counts_words(part) for part in face["cost"])


def extra_words(face: Face) -> str:
    """What may be paid on top of a tribe card's cost (X6.2); "" for nothing."""
    extra = face.get("optional")
    return f"{counts_words(extra['pay'])} for {extra['vp']} VP" if extra else ""


def effect_words(face: Face) -> str:
    """What a tribe card or dune does; "" for nothing."""
    return explain(face["kind"], face["effect"]) if face["effect"] else ""


def _tribe(card: Entry) -> tuple[Cell, ...]:
    face: Face = card.data
    name, symbol = _marked(card, face["id"]), symbol_words(face["symbol"])
    words = (cost_words(face), extra_words(face), face["kind"], effect_words(face))
    return (name, symbol, face["vp"], *words, face_words(card))


def _goods(card: Entry) -> tuple[Cell, ...]:
    face: Face = card.data
    gives = face.get("gives") or face["choose_one_of"]
    return (face["copies"], _marked(card, value_words(gives)), face_words(card))


def _border(card: Entry) -> tuple[Cell, ...]:
    face: Face = card.data
    details = "; ".join(
        f"{symbol_words(field)}: {value_words(value)}"
        for field, value in face.items()
        if field not in ("no", "card", *WORDS_ONLY)
    )
    return (face["no"], _marked(card, symbol_words(face["card"])), details, face_words(card))


def _dune(card: Entry) -> tuple[Cell, ...]:
    face: Face = card.data
    return (_marked(card, face["id"]), face["copies"], effect_words(face), face_words(card))


def _marked(card: Entry, name: str) -> str:
    return name + MARK * is_house(card)


ROWS: Mapping[str, Callable[[Entry], tuple[Cell, ...]]] = {
    "tribe": _tribe,
    "goods": _goods,
    "border": _border,
    "dunes": _dune,
}
