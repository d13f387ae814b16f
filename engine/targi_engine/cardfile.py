"""Card files: read, checked, and written in the canonical form whose SHA-256 names a card set."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from targi_engine.cardchecks import check_each_once, check_whole
from targi_engine.cardtext import read_object, read_text
from targi_engine.changes import changed
from targi_engine.entry import Entry
from targi_engine.fields import SECTIONS, WORDS_ONLY

PACKAGED: Final = ("base", "expansion")


class CardSet:
    """The checked cards of one file, as JSON objects in file order; immutable by convention."""

    __slots__ = ("border", "dunes", "goods", "name", "tribe", "where")

    def __init__(self, where: str, name: str, sections: Mapping[str, tuple[Entry, ...]]) -> None:
        self.where = where
        self.name = name
        self.tribe = sections["tribe"]
        self.goods = sections["goods"]
        self.border = sections["border"]
        self.dunes = sections["dunes"]

    def sections(self) -> dict[str, tuple[Entry, ...]]:
        """The cards by section, as `SECTIONS` names them."""
        return {"tribe": self.tribe, "goods": self.goods, "border": self.border, "dunes": self.dunes}

    def __reduce__(self) -> tuple[type[CardSet], tuple[str, str, dict[str, tuple[Entry, ...]]]]:
        return (CardSet, (self.where, self.name, self.sections()))


def load_cards(source: str | Path) -> CardSet:
    """The card set of a packaged name ("base", "expansion") or of a file.

    Raises CardFileError, which names the file, the card, the field and the allowed values.
    """
    if isinstance(source, str) and source in PACKAGED:
        text = resources.files("targi_engine").joinpath("data", f"{source}.json").read_text("utf-8")
        return parse_cards(text, f"{source}.json")
    return parse_cards(read_text(Path(source)), str(source))


def parse_cards(text: str, where: str) -> CardSet:
    """The card set of a JSON text; `where` names it in errors. Raises CardFileError."""
    whole = Entry(where, read_object(text, where))
    whole.only(("set",), ("note", "based_on", *SECTIONS, "$schema"))
    sections = {name: _section(whole, name) for name in SECTIONS}
    check_each_once(sections)
    if whole.has("based_on"):
        basis = load_cards(whole.word("based_on", PACKAGED))
        sections = changed(where, basis.name, basis.sections(), sections)
    check_whole(where, sections)
    return CardSet(where, whole.text("set"), sections)


def _section(whole: Entry, name: str) -> tuple[Entry, ...]:
    if name not in whole.data:
        return ()
    entries = tuple(
        Entry(f"{whole.where}: {_title(name, at, entry)}", entry.data)
        for at, entry in enumerate(whole.listed(name), start=1)
    )
    for entry in entries:
        SECTIONS[name].check(entry)
    return entries


def _title(section: str, at: int, entry: Entry) -> str:
    for field in ("id", "no"):
        if field in entry.data:
            return f"{section} card {entry.data[field]}"
    return f"{section} entry {at}"


def canonical_json(sections: Mapping[str, Sequence[Entry]]) -> bytes:
    """The cards as JSON with sorted keys, no spaces, and without the fields that are words only."""
    bare = {
        name: [
            {field: value for field, value in card.data.items() if field not in WORDS_ONLY}
            for card in sections[name]
        ]
        for name in SECTIONS
    }
    return json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
