"""What differs in play between two card sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from targi_engine.entry import Entry
from targi_engine.fields import SECTIONS, WORDS_ONLY
from targi_engine.meanings import value_words

from targi_sdk.cards.sheet import Sheet, cost_words, effect_words, extra_words

__all__ = ["Difference", "differences", "words_only"]

Face = Mapping[str, Any]  # a card as JSON: the engine has checked its fields
ABSENT = "-"


class Difference(NamedTuple):
    """One difference, in words."""

    section: str
    card: str
    """Id or number of the card, what a goods card gives, or "" for the whole section."""
    field: str
    """Field that differs; "" if only one of the sets has the card."""
    before: str
    after: str


def differences(old: Sheet, new: Sheet) -> list[Difference]:
    """What differs, section by section. What only people read (texts, sources) does not count."""
    return [found for section in SECTIONS for found in _section(section, old, new)]


def words_only(old: Sheet, new: Sheet) -> int:
    """How many cards differ in nothing but what only people read."""
    pairs = [
        (before, _by_name(section, new)[name])
        for section in SECTIONS
        for name, before in _by_name(section, old).items()
        if name in _by_name(section, new)
    ]
    return sum(one != other and _played(one) == _played(other) for one, other in pairs)


def _section(section: str, old: Sheet, new: Sheet) -> Iterator[Difference]:
    before, after = _by_name(section, old), _by_name(section, new)
    for name, face in before.items():
        if name in after:
            yield from _card(section, name, face, after[name])
        else:
            yield Difference(section, name, "", "there", ABSENT)
    for name in after:
        if name not in before:
            yield Difference(section, name, "", ABSENT, "there")
    if before.keys() == after.keys() and list(before) != list(after):
        yield Difference(section, "", "order before shuffling", " ".join(before), " ".join(after))


def _card(section: str, name: str, old: Face, new: Face) -> Iterator[Difference]:
    for field in dict.fromkeys((*_played(old), *_played(new))):
        if old.get(field) != new.get(field):
            yield Difference(section, name, field, _words(field, old), _words(field, new))


def _words(field: str, face: Face) -> str:
    """The value of a field in words."""
    if face.get(field) is None:
        return ABSENT
    return WORDS[field](face) if field in WORDS else value_words(face[field])


WORDS: Mapping[str, Callable[[Face], str]] = {
    "cost": cost_words,
    "effect": effect_words,
    "optional": extra_words,
}


def _played(face: Face) -> dict[str, object]:
    """The fields that count in play."""
    return {field: value for field, value in face.items() if field not in WORDS_ONLY}


def _by_name(section: str, sheet: Sheet) -> dict[str, Face]:
    """The cards of a section by what tells them apart."""
    return _numbered([(_name(section, card.data), card) for card in sheet.sections[section]])


def _numbered(cards: Sequence[tuple[str, Entry]]) -> dict[str, Face]:
    """Cards by name; a second one of a name (two lists of equal goods cards) gets a number."""
    found: dict[str, Face] = {}
    for name, card in cards:
        same = sum(known == name or known.startswith(f"{name} #") for known in found)
        found[f"{name} #{same + 1}" if same else name] = card.data
    return found


def _name(section: str, face: Face) -> str:
    if section == "goods":
        return value_words(face.get("gives") or face["choose_one_of"])
    return str(face["no"] if section == "border" else face["id"])
