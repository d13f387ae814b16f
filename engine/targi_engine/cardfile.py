"""Card files: read, checked, and written in the canonical form whose SHA-256 names a card set."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from targi_engine.board import CORNERS, SIZE
from targi_engine.entry import MOST, Entry
from targi_engine.errors import CardFileError
from targi_engine.goods import GOODS, KINDS, SYMBOLS
from targi_engine.schema import GET_KINDS, TRIBE_KINDS, check_effect

PACKAGED: Final = ("base", "expansion")
SECTIONS: Final = ("tribe", "goods", "border", "dunes")
CARDS_OF_A_SYMBOL: Final = 9
# Fields for the reader of a file; they do not change the game, nor the hash.
WORDS_ONLY: Final = ("note", "text", "source", "set")

_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TRADER_RATES: Final = [
    {"give": {"equal_goods": 3}, "get": {"gold": 1}},
    {"give": {"equal_goods": 2}, "get": {"goods_of_choice": 1}},
]


def _silver_rates(goods: str) -> list[dict[str, dict[str, int]]]:
    return [
        {"give": {goods: 2}, "get": {"vp": 1}},
        {"give": {goods: 4}, "get": {"vp": 3}},
        {"give": {"gold": 1}, "get": {"vp": 2}},
        {"give": {"gold": 2}, "get": {"vp": 4}},
    ]


# Border cards by name: fields that must and that may be there.
_BORDER_FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "noble": ((), ("discard_bonus",)),
    "goods": (("gives",), ()),
    "raid": (("demand",), ()),
    "trader": (("rates",), ()),
    "fata_morgana": ((), ("reach",)),
    "silversmith": (("rates",), ()),
    "caravan": ((), ()),
    "tribal_expansion": ((), ("reject_cost",)),
    "water_hole": (("gives",), ()),
}


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

    def __reduce__(self) -> tuple[type[CardSet], tuple[str, str, dict[str, tuple[Entry, ...]]]]:
        sections = {"tribe": self.tribe, "goods": self.goods, "border": self.border, "dunes": self.dunes}
        return (CardSet, (self.where, self.name, sections))


def load_cards(source: str | Path) -> CardSet:
    """The card set of a packaged name ("base", "expansion") or of a file.

    Raises CardFileError, which names the file, the card, the field and the allowed values.
    """
    if isinstance(source, str) and source in PACKAGED:
        text = resources.files("targi_engine").joinpath("data", f"{source}.json").read_text("utf-8")
        return parse_cards(text, f"{source}.json")
    path = Path(source)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CardFileError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    return parse_cards(text, str(path))


def parse_cards(text: str, where: str) -> CardSet:
    """The card set of a JSON text; `where` names it in errors. Raises CardFileError."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise CardFileError(f"{where}: is no JSON ({error})") from error
    if not isinstance(data, dict):
        raise CardFileError(f"{where}: holds no JSON object; allowed fields: set, {', '.join(SECTIONS)}")
    whole = Entry(where, data)
    whole.only(("set",), ("note", *SECTIONS))
    sections = {name: _section(whole, name) for name in SECTIONS}
    _check_ids(where, (*sections["tribe"], *sections["dunes"]))
    _check_border_numbers(where, sections["border"])
    _check_symbols(where, sections["tribe"])
    return CardSet(where, whole.text("set"), sections)


def _section(whole: Entry, name: str) -> tuple[Entry, ...]:
    if name not in whole.data:
        return ()
    entries = tuple(
        Entry(f"{whole.where}: {_title(name, at, entry)}", entry.data)
        for at, entry in enumerate(whole.listed(name), start=1)
    )
    check = _CHECKS[name]
    for entry in entries:
        check.check(entry)
    return entries


def _title(section: str, at: int, entry: Entry) -> str:
    for field in ("id", "no"):
        if field in entry.data:
            return f"{section} card {entry.data[field]}"
    return f"{section} entry {at}"


class _Check:
    """How the entries of one section are checked."""

    __slots__ = ()

    def check(self, card: Entry) -> None:
        raise NotImplementedError


class _Tribe(_Check):
    __slots__ = ()

    def check(self, card: Entry) -> None:
        card.only(("id", "symbol", "vp", "cost", "kind", "effect"), ("optional", *WORDS_ONLY))
        _check_id(card)
        card.word("symbol", SYMBOLS)
        card.number("vp", 0, MOST)
        costs = card.listed("cost")
        if not 1 <= len(costs) <= 2:
            card.refuse("cost", "one or two alternatives")
        for cost in costs:
            cost.only((), KINDS[:5])
            Entry(card.where, {"cost": cost.data}).counts("cost", KINDS[:5])
        if card.has("optional"):
            optional = card.inner("optional")
            optional.only(("pay", "vp"))
            optional.counts("pay", GOODS)
            optional.number("vp", 1, MOST)
        check_effect(card, card.word("kind", TRIBE_KINDS))


class _Goods(_Check):
    __slots__ = ()

    def check(self, card: Entry) -> None:
        shown = "choose_one_of" if "choose_one_of" in card.data else "gives"
        card.only(("copies", shown), WORDS_ONLY)
        card.number("copies", 1, MOST)
        if shown == "gives":
            card.counts("gives", GET_KINDS)
        else:
            card.exactly("choose_one_of", ([{good: 1} for good in GOODS],))


class _Dune(_Check):
    __slots__ = ()

    def check(self, card: Entry) -> None:
        card.only(("id", "copies", "kind", "effect"), WORDS_ONLY)
        _check_id(card)
        card.number("copies", 1, MOST)
        card.word("kind", ("dune",))
        check_effect(card, "dune")


class _Border(_Check):
    __slots__ = ()

    def check(self, card: Entry) -> None:
        number = card.number("no", 1, SIZE)
        names = ("raid",) if number in CORNERS else tuple(name for name in _BORDER_FIELDS if name != "raid")
        name = card.word("card", names)
        required, optional = _BORDER_FIELDS[name]
        card.only(("no", "card", *required), (*optional, *WORDS_ONLY))
        if name == "goods":
            card.word("gives", GOODS)
        if name == "water_hole":
            card.counts("gives", GET_KINDS)
        if card.has("discard_bonus"):
            card.counts("discard_bonus", GET_KINDS)
        if card.has("reach"):
            card.word("reach", ("orthogonally adjacent",))
        if card.has("reject_cost"):
            card.exactly("reject_cost", ({"water": 1},))
        if name == "trader":
            card.exactly("rates", (_TRADER_RATES,))
        if name == "silversmith":
            card.exactly("rates", (_silver_rates("equal_goods"), _silver_rates("any_goods")))
        if name == "raid":
            _check_demand(card)


_CHECKS: Final[Mapping[str, _Check]] = {
    "tribe": _Tribe(),
    "goods": _Goods(),
    "border": _Border(),
    "dunes": _Dune(),
}


def _check_demand(card: Entry) -> None:
    allowed = (
        "two alternatives: goods, or some of dates, salt, pepper, or gold (1 to 12); "
        "then vp (1 to 12) or rightmost_tribe_card (1)"
    )
    options = card.listed("demand")
    if len(options) != 2:
        card.refuse("demand", allowed)
    first = Entry(card.where, {"demand": options[0].data})
    paid = first.counts("demand", ("goods", *GOODS, "gold"))
    if len(paid) > 1 and not set(paid) <= set(GOODS):
        card.refuse("demand", allowed)
    second = Entry(card.where, {"demand": options[1].data})
    other = second.counts("demand", ("vp", "rightmost_tribe_card"))
    if len(other) > 1 or other.get("rightmost_tribe_card", 1) != 1:
        card.refuse("demand", allowed)


def _check_id(card: Entry) -> None:
    if not _ID.fullmatch(card.text("id")):
        card.refuse("id", "a letter, then letters, digits, - and _")


def _check_ids(where: str, cards: Sequence[Entry]) -> None:
    seen: set[str] = set()
    for card in cards:
        if card.text("id") in seen:
            raise CardFileError(f"{where}: the id {card.text('id')!r} is there twice; every card has its own")
        seen.add(card.text("id"))


def _check_border_numbers(where: str, cards: Sequence[Entry]) -> None:
    numbers = [card.number("no", 1, SIZE) for card in cards]
    for number in numbers:
        if numbers.count(number) > 1:
            raise CardFileError(f"{where}: border card {number} is there twice; one card a number")


def _check_symbols(where: str, cards: Sequence[Entry]) -> None:
    for symbol in SYMBOLS:
        count = sum(card.data["symbol"] == symbol for card in cards)
        if cards and count != CARDS_OF_A_SYMBOL:
            raise CardFileError(
                f"{where}: {count} tribe cards have the symbol {symbol}; allowed: {CARDS_OF_A_SYMBOL} of each"
            )


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
