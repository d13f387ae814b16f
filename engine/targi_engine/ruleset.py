"""Rulesets: base, expansion, mixed, with their variants and the card set that results."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from targi_engine import border
from targi_engine.board import PLACES, SIZE
from targi_engine.cardchecks import check_ids
from targi_engine.cardfile import CardSet, canonical_json, load_cards
from targi_engine.catalog import Catalog
from targi_engine.entry import MOST, Entry
from targi_engine.errors import CardFileError, UnknownRuleset, UnknownVariant
from targi_engine.frozen import Frozen
from targi_engine.gains import NOTHING, Get
from targi_engine.goods import GOODS
from targi_engine.length import check_length
from targi_engine.params import GET_KINDS
from targi_engine.raids import Demand

RULES: Final = 1  # rises whenever a ruling or a behaviour changes
RULESETS: Final = ("base", "expansion", "mixed")

# Variants and their values; "border.N" stands for one name a border card.
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "unpayable_raid": ("flat3",),
    "targia_on_corners": ("yes",),
    "easy_start": ("yes",),
    **{f"border.{number}": ("base",) for number in range(1, SIZE + 1)},
}
_BASE_VARIANTS: Final = ("unpayable_raid",)


class Ruleset(Frozen):
    """A ruleset with its variants and cards: a value, compared by name, variants and card hash.

    `ruleset` makes one. All games of a ruleset share it, so it cannot be changed.
    """

    __slots__ = (
        "border",
        "cards",
        "cards_hash",
        "catalog",
        "demands",
        "discard_bonus",
        "easy_start",
        "expanded",
        "flat3",
        "mixed",
        "name",
        "open_top",
        "plain_places",
        "sets",
        "targia_on_corners",
        "variants",
    )

    name: str
    sets: tuple[CardSet, CardSet]  # base, expansion
    variants: str  # as in a record
    expanded: bool
    mixed: bool
    open_top: bool  # X1.4
    flat3: bool
    targia_on_corners: bool
    easy_start: bool
    cards: Mapping[str, tuple[Entry, ...]]
    cards_hash: str
    catalog: Catalog
    border: tuple[border.BorderCard, ...]
    plain_places: int
    demands: Mapping[int, Demand]
    discard_bonus: Get

    def __init__(self, name: str, variants: Mapping[str, str], base: CardSet, expansion: CardSet) -> None:
        cards = effective_cards(name, variants, base, expansion)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "sets", (base, expansion))
        object.__setattr__(self, "variants", format_variants(variants))
        object.__setattr__(self, "expanded", name != "base")
        object.__setattr__(self, "mixed", name == "mixed")
        object.__setattr__(self, "open_top", name != "base")
        object.__setattr__(self, "flat3", "unpayable_raid" in variants)
        object.__setattr__(self, "targia_on_corners", "targia_on_corners" in variants)
        object.__setattr__(self, "easy_start", "easy_start" in variants)
        object.__setattr__(self, "cards", MappingProxyType(cards))
        object.__setattr__(self, "cards_hash", hashlib.sha256(canonical_json(cards)).hexdigest())
        object.__setattr__(self, "catalog", Catalog(cards["tribe"], cards["goods"], cards["dunes"]))
        faces = _border_cards(cards["border"])
        object.__setattr__(self, "border", faces)
        object.__setattr__(self, "plain_places", sum(1 << place for place in PLACES if faces[place].plain))
        object.__setattr__(self, "demands", MappingProxyType(_demands(cards["border"])))
        object.__setattr__(self, "discard_bonus", _discard_bonus(cards["border"]))

    def __reduce__(self) -> tuple[Callable[..., Ruleset], tuple[str, str, CardSet | None, CardSet | None]]:
        own = self.sets != (_packaged("base"), _packaged("expansion"))
        base, expansion = self.sets if own else (None, None)
        return (_restored, (self.name, self.variants, base, expansion))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ruleset):
            return NotImplemented
        mine = (self.name, self.variants, self.cards_hash)
        return mine == (other.name, other.variants, other.cards_hash)

    def __hash__(self) -> int:
        return hash((self.name, self.variants, self.cards_hash))

    def __repr__(self) -> str:
        return f"<Ruleset {self.name} {self.variants or 'no variants'} {self.cards_hash[:8]}>"


def effective_cards(
    name: str, variants: Mapping[str, str], base: CardSet, expansion: CardSet
) -> dict[str, tuple[Entry, ...]]:
    """The cards in play, in file order; border cards by number. Raises CardFileError if some are missing."""
    with_base = name != "expansion"
    with_expansion = name != "base"
    by_number = {card.number("no", 1, SIZE): card for card in base.border}
    if with_expansion:
        for card in expansion.border:
            number = card.number("no", 1, SIZE)
            if f"border.{number}" not in variants or number not in by_number:
                by_number[number] = card
    cards = {
        "tribe": (base.tribe if with_base else ()) + (expansion.tribe if with_expansion else ()),
        "goods": base.goods + (expansion.goods if with_expansion else ()),
        "border": tuple(by_number[number] for number in sorted(by_number)),
        "dunes": expansion.dunes if with_expansion else (),
    }
    _check_whole(name, cards, base, expansion)
    return cards


def _check_whole(name: str, cards: dict[str, tuple[Entry, ...]], base: CardSet, expansion: CardSet) -> None:
    files = base.where if name == "base" else f"{base.where} and {expansion.where}"
    missing = set(range(1, SIZE + 1)) - {card.number("no", 1, SIZE) for card in cards["border"]}
    if missing:
        raise CardFileError(f"{files}: border cards {sorted(missing)} are missing for ruleset {name}")
    needed = 90 if name == "mixed" else 45
    if len(cards["tribe"]) != needed:
        raise CardFileError(f"{files}: {len(cards['tribe'])} tribe cards; ruleset {name} needs {needed}")
    if name == "base":
        _check_no_water(cards["tribe"])
    check_ids((*cards["tribe"], *cards["dunes"]))
    goods = sum(card.number("copies", 1, MOST) for card in cards["goods"])
    if goods < 14:
        raise CardFileError(f"{files}: {goods} goods cards; a game needs 14 or more")
    dunes = sum(card.number("copies", 1, MOST) for card in cards["dunes"])
    if name != "base" and dunes < 3:
        raise CardFileError(f"{files}: {dunes} dunes; ruleset {name} needs 3 or more")
    check_length(name, cards, files)


def _check_no_water(tribe: tuple[Entry, ...]) -> None:
    for card in tribe:
        if all("water" in cost.data for cost in card.listed("cost")):
            card.refuse("cost", "one without water at least, as ruleset base has no water")


def _border_cards(cards: tuple[Entry, ...]) -> tuple[border.BorderCard, ...]:
    return (border.BorderCard(), *(_BORDER[card.text("card")](card) for card in cards))


def _silversmith(card: Entry) -> border.BorderCard:
    gives = card.listed("rates")[0].inner("give")
    return border.Silversmith("any_goods" in gives.data)


_BORDER: Final[Mapping[str, Callable[[Entry], border.BorderCard]]] = {
    "noble": lambda card: border.Noble(card.has("discard_bonus")),
    "goods": lambda card: border.GoodsCard(GOODS.index(card.text("gives"))),
    "raid": lambda card: border.BorderCard(),
    "trader": lambda card: border.Trader(),
    "fata_morgana": lambda card: border.FataMorgana(int(card.has("reach"))),
    "silversmith": _silversmith,
    "caravan": lambda card: border.Caravan(),
    "tribal_expansion": lambda card: border.TribalExpansion(card.has("reject_cost")),
    "water_hole": lambda card: border.WaterHole(Get(card.counts("gives", GET_KINDS))),
}


def _demands(cards: tuple[Entry, ...]) -> dict[int, Demand]:
    demands: dict[int, Demand] = {}
    for card in cards:
        if card.text("card") == "raid":
            first, second = card.listed("demand")
            demands[card.number("no", 1, SIZE)] = Demand(_counts(first), _counts(second))
    return demands


def _counts(entry: Entry) -> dict[str, int]:
    return {kind: entry.number(kind, 1, MOST) for kind in entry.data}


def _discard_bonus(cards: tuple[Entry, ...]) -> Get:
    for card in cards:
        if card.has("discard_bonus"):
            return Get(card.counts("discard_bonus", GET_KINDS))
    return Get(NOTHING)


def format_variants(variants: Mapping[str, str]) -> str:
    """Variants as in a record: name=value, sorted by name, comma-separated."""
    return ",".join(f"{name}={variants[name]}" for name in sorted(variants))


def parse_variants(text: str) -> dict[str, str]:
    """The variants of a text such as "easy_start=yes,unpayable_raid=flat3"; raises UnknownVariant."""
    variants: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or name in variants:
            raise UnknownVariant(f"variant {part!r}: write name=value, each name once, separated by commas")
        variants[name] = value
    return variants


def check_variants(name: str, variants: Mapping[str, str]) -> None:
    """Raise UnknownVariant unless the ruleset has all of these variants and values."""
    known = VARIANTS if name != "base" else {variant: VARIANTS[variant] for variant in _BASE_VARIANTS}
    for variant, value in variants.items():
        if variant not in known:
            raise UnknownVariant(f"{name} has no variant {variant!r}; it has {', '.join(known)}")
        if value not in known[variant]:
            allowed = ", ".join(known[variant])
            raise UnknownVariant(f"variant {variant} has no value {value!r}; allowed: {allowed}")


@lru_cache(maxsize=2)
def _packaged(name: str) -> CardSet:
    return load_cards(name)


@lru_cache(maxsize=64)
def _cached(name: str, variants: str) -> Ruleset:
    return Ruleset(name, parse_variants(variants), _packaged("base"), _packaged("expansion"))


def ruleset(
    name: str,
    variants: Mapping[str, str] | str = "",
    *,
    base: CardSet | None = None,
    expansion: CardSet | None = None,
) -> Ruleset:
    """The ruleset of a name with variants; made once for the packaged cards.

    `base` and `expansion` replace the packaged card sets. Raises UnknownRuleset, UnknownVariant,
    and CardFileError where card sets do not fit together.
    """
    if name not in RULESETS:
        raise UnknownRuleset(f"no ruleset is called {name!r}; there are {', '.join(RULESETS)}")
    chosen = parse_variants(variants) if isinstance(variants, str) else dict(variants)
    check_variants(name, chosen)
    if base is None and expansion is None:
        return _cached(name, format_variants(chosen))
    return Ruleset(name, chosen, base or _packaged("base"), expansion or _packaged("expansion"))


def _restored(name: str, variants: str, base: CardSet | None, expansion: CardSet | None) -> Ruleset:
    return ruleset(name, variants, base=base, expansion=expansion)


def effective_json(rules: Ruleset) -> bytes:
    """The card set in play as canonical JSON; its SHA-256 is the ruleset's `cards_hash`."""
    return canonical_json(rules.cards)
