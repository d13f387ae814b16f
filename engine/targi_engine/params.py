"""What values a field of a card file may have: checked when it is loaded, in words, and as JSON Schema.

Words are Markdown: values stand in backticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from targi_engine.cardtext import as_json
from targi_engine.entry import MOST, Entry
from targi_engine.goods import KINDS

JsonSchema = dict[str, object]

GET_KINDS: Final = (*KINDS, "goods_of_choice")
OFFERS: Final = ((2, 1), (2, 2), (4, 4))  # water paid, VP gained
_OFFERS: Final = [{"pay": {"water": water}, "get": {"vp": vp}} for water, vp in OFFERS]
_IDENTIFIER: Final = "[A-Za-z][A-Za-z0-9_-]*"


class Param:
    """What values a field may have."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        """Raise CardFileError unless the field's value is allowed."""
        raise NotImplementedError

    def words(self) -> str:
        """The allowed values."""
        raise NotImplementedError

    def schema(self) -> JsonSchema:
        """The allowed values as JSON Schema."""
        raise NotImplementedError

    def conditions(self, field: str) -> list[JsonSchema]:
        """What JSON Schema demands of the object besides, as the field depends on others."""
        return []


class Number(Param):
    """A whole number within bounds."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def check(self, entry: Entry, field: str) -> None:
        entry.number(field, self.low, self.high)

    def words(self) -> str:
        return f"`{self.low}`" if self.low == self.high else f"{self.low} to {self.high}"

    def schema(self) -> JsonSchema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Word(Param):
    """One of several words."""

    __slots__ = ("options",)

    def __init__(self, *options: str) -> None:
        self.options = options

    def check(self, entry: Entry, field: str) -> None:
        entry.word(field, self.options)

    def words(self) -> str:
        return quoted(self.options)

    def schema(self) -> JsonSchema:
        return {"enum": list(self.options)}


class Identifier(Param):
    """The name of a card."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        if not re.fullmatch(_IDENTIFIER, entry.text(field)):
            entry.refuse(field, "a letter, then letters, digits, - and _")

    def words(self) -> str:
        return "a letter, then letters, digits, `-` and `_`"

    def schema(self) -> JsonSchema:
        return {"type": "string", "pattern": f"^{_IDENTIFIER}$"}


class Flag(Param):
    """True or false."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        entry.flag(field)

    def words(self) -> str:
        return "`true`, `false`"

    def schema(self) -> JsonSchema:
        return {"type": "boolean"}


class Counts(Param):
    """Counts of some kinds."""

    __slots__ = ("empty", "kinds")

    def __init__(self, *kinds: str, empty: bool = False) -> None:
        self.kinds = kinds
        self.empty = empty

    def check(self, entry: Entry, field: str) -> None:
        entry.counts(field, self.kinds, empty=self.empty)

    def words(self) -> str:
        return f"counts from 1 to {MOST} of {quoted(self.kinds)}" + ", or `{}`" * self.empty

    def schema(self) -> JsonSchema:
        return counts_schema(self.kinds, least=0 if self.empty else 1)


class Exactly(Param):
    """One of a few values."""

    __slots__ = ("values",)

    def __init__(self, *values: object) -> None:
        self.values = values

    def check(self, entry: Entry, field: str) -> None:
        entry.exactly(field, self.values)

    def words(self) -> str:
        return " or ".join(f"`{as_json(value)}`" for value in self.values)

    def schema(self) -> JsonSchema:
        return {"enum": list(self.values)}


class Keep(Param):
    """As many cards as `cards`, or one less."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        cards = entry.number("cards", 1, 3)
        entry.number(field, cards - 1, cards)

    def words(self) -> str:
        return "as many as `cards`, or one less"

    def schema(self) -> JsonSchema:
        return {"type": "integer", "minimum": 0, "maximum": 3}

    def conditions(self, field: str) -> list[JsonSchema]:
        return [when("cards", cards, {field: {"enum": [cards - 1, cards]}}) for cards in (1, 2, 3)]


class Offers(Param):
    """A list of exchanges of water for VP, each one at most once."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        offers = [dict(offer.data) for offer in entry.listed(field)]
        if not offers or any(offer not in _OFFERS or offers.count(offer) > 1 for offer in offers):
            entry.refuse(field, f"a list of some of {', '.join(map(as_json, _OFFERS))}")

    def words(self) -> str:
        return f"a list of some of {', '.join(f'`{as_json(offer)}`' for offer in _OFFERS)}"

    def schema(self) -> JsonSchema:
        return {"type": "array", "items": {"enum": _OFFERS}, "minItems": 1, "uniqueItems": True}


class LimitAmount(Param):
    """How high a limit may be, by what it limits."""

    __slots__ = ()

    def check(self, entry: Entry, field: str) -> None:
        hand = entry.data.get("of") == "hand"
        entry.number(field, 2 if hand else 11, 2 if hand else 30)

    def words(self) -> str:
        return "11 to 30; `2` for `hand`"

    def schema(self) -> JsonSchema:
        return {"type": "integer", "minimum": 2, "maximum": 30}

    def conditions(self, field: str) -> list[JsonSchema]:
        high: dict[str, JsonSchema] = {field: {"minimum": 11}}
        return [
            when("of", "hand", {field: {"const": 2}}),
            when("of", "goods", high),
            when("of", "water", high),
        ]


def counts_schema(kinds: Iterable[str], *, least: int = 1) -> JsonSchema:
    """Counts of some kinds as JSON Schema; `least` kinds at least."""
    count = Number(1, MOST).schema()
    return {**object_schema(dict.fromkeys(kinds, count), ()), "minProperties": least}


def object_schema(fields: dict[str, JsonSchema], required: Iterable[str]) -> JsonSchema:
    """An object with some fields and no other ones as JSON Schema."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(required),
        "additionalProperties": False,
    }


def when(field: str, value: object, then: dict[str, JsonSchema]) -> JsonSchema:
    """What holds for the fields of an object if one of them has some value, as JSON Schema."""
    return {"if": {"properties": {field: {"const": value}}}, "then": {"properties": then}}


def quoted(words: Iterable[str]) -> str:
    """Words in backticks, comma-separated."""
    return ", ".join(f"`{word}`" for word in words)
