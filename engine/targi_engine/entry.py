"""One object of a card file with its place in the file, so that every complaint can name it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NoReturn

from targi_engine.cardtext import as_json, shortened
from targi_engine.errors import CardFileError

MOST: Final = 12  # the highest count in a card file


class Entry:
    """A JSON object and the words that say where it stands ("base.json: tribe card C7")."""

    __slots__ = ("data", "where")

    def __init__(self, where: str, data: Mapping[str, object]) -> None:
        self.where = where
        self.data = data

    def __reduce__(self) -> tuple[type[Entry], tuple[str, Mapping[str, object]]]:
        # Compiled classes with arguments in __init__ are not pickled by themselves.
        return (Entry, (self.where, self.data))

    def refuse(self, field: str, allowed: str) -> NoReturn:
        """Raise CardFileError for a field, with its value and what is allowed."""
        held = shortened(self.data[field]) if field in self.data else "missing"
        raise CardFileError(f"{self.where}: field {field!r} is {held}; allowed: {allowed}")

    def only(self, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        """Refuse an unknown or a missing field; of a mistyped one, the name as it was typed."""
        needed = tuple(required)
        known = (*needed, *optional)
        self.known(known)
        for field in needed:
            if field not in self.data:
                raise CardFileError(f"{self.where}: field {field!r} is missing; fields: {', '.join(known)}")

    def known(self, fields: Iterable[str]) -> None:
        """Refuse a field that is none of these."""
        allowed = tuple(fields)
        for field in self.data:
            if field not in allowed:
                raise CardFileError(
                    f"{self.where}: field {field!r} is unknown; allowed: {', '.join(allowed)}"
                )

    def has(self, field: str) -> bool:
        """Whether the field is there and not null."""
        return self.data.get(field) is not None

    def text(self, field: str) -> str:
        """A string that is not empty."""
        value = self.data.get(field)
        if not isinstance(value, str) or not value:
            self.refuse(field, "a text")
        return value

    def word(self, field: str, allowed: Iterable[str]) -> str:
        """One of the allowed words."""
        words = tuple(allowed)
        value = self.data.get(field)
        if not isinstance(value, str) or value not in words:
            self.refuse(field, ", ".join(words))
        return value

    def number(self, field: str, low: int, high: int) -> int:
        """A whole number from low to high."""
        value = self.data.get(field)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.refuse(field, f"a whole number from {low} to {high}")
        return value

    def flag(self, field: str) -> bool:
        """True or false."""
        value = self.data.get(field)
        if not isinstance(value, bool):
            self.refuse(field, "true, false")
        return value

    def counts(self, field: str, kinds: Iterable[str], *, empty: bool = False) -> dict[str, int]:
        """An object that maps some of the kinds to counts from 1 to 12."""
        words = tuple(kinds)
        value = self.data.get(field)
        allowed = f"an object of {', '.join(words)} with counts from 1 to {MOST}"
        if not isinstance(value, Mapping) or not (value or empty):
            self.refuse(field, allowed)
        found: dict[str, int] = {}
        for kind, count in value.items():
            if kind not in words or not isinstance(count, int) or isinstance(count, bool):
                self.refuse(field, allowed)
            if not 1 <= count <= MOST:
                self.refuse(field, allowed)
            found[str(kind)] = count
        return found

    def inner(self, field: str) -> Entry:
        """The object in a field."""
        value = self.data.get(field)
        if not isinstance(value, Mapping):
            self.refuse(field, "an object")
        return Entry(f"{self.where}: {field}", value)

    def listed(self, field: str) -> tuple[Entry, ...]:
        """The objects of a list."""
        value = self.data.get(field)
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self.refuse(field, "a list of objects")
        return tuple(Entry(f"{self.where}: {field} {at}", item) for at, item in enumerate(value, start=1))

    def exactly(self, field: str, allowed: Iterable[object]) -> None:
        """Refuse a value that is none of the allowed ones."""
        values = tuple(allowed)
        if self.data.get(field) not in values:
            self.refuse(field, " or ".join(as_json(value) for value in values))
