"""A card file that holds only what it changes in a packaged set: `based_on`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from targi_engine.entry import Entry
from targi_engine.errors import CardFileError

# Section to the field that says which card of the basis an entry takes the place of.
KEYS: Final[Mapping[str, str]] = {"tribe": "id", "border": "no", "dunes": "id"}


def changed(
    where: str, name: str, basis: Mapping[str, Sequence[Entry]], given: Mapping[str, Sequence[Entry]]
) -> dict[str, tuple[Entry, ...]]:
    """The cards of a basis called `name`, each in its place, with those of a file in place of their own.

    Goods cards have no id: if a file has any, they take the place of all goods cards of the basis. Border
    cards that the basis does not have come in addition. Raises CardFileError for an id that it does not have.
    """
    sections = {key: _section(where, name, key, basis[key], given[key]) for key in KEYS}
    return {**sections, "goods": tuple(given["goods"] or basis["goods"])}


def _section(
    where: str, name: str, section: str, basis: Sequence[Entry], given: Sequence[Entry]
) -> tuple[Entry, ...]:
    key = KEYS[section]
    new = {card.data[key]: card for card in given}
    cards = tuple(new.pop(card.data[key], card) for card in basis)
    if new and section != "border":
        held = ", ".join(str(card.data[key]) for card in basis) or "none"
        raise CardFileError(
            f"{where}: {section} card {next(iter(new))}: there is none in {name} to change; it has {held}"
        )
    return (*cards, *new.values())
