"""Card files of one's own on a command line: `--cards FILE`, and the rulesets that are played with them.

--cards my_cards.json             in place of the packaged set that the file is based on
--cards expansion=my_cards.json   in place of the one that is named
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from targi_engine import CardSet, Record, Ruleset, parse_cards, ruleset
from targi_engine.cardfile import PACKAGED
from targi_engine.cardtext import read_text

from targi_sdk.errors import UsageError

__all__ = [
    "PACKAGED_CARDS",
    "PLAYED",
    "CardFile",
    "OwnCards",
    "add_cards_argument",
    "check_place",
    "own_cards",
    "place_of",
]

PLAYED = {"base": ("base",), "expansion": PACKAGED, "mixed": PACKAGED}
"""Ruleset to the packaged sets of which it plays cards."""


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file as it was read: a plain value, so all processes of a series play the same cards."""

    path: str
    text: str

    @classmethod
    def read(cls, path: str) -> CardFile:
        """Read and check a file. Raises `CardFileError`."""
        file = cls(path, read_text(Path(path)))
        file.cards()
        return file

    def cards(self) -> CardSet:
        """The checked cards."""
        return parse_cards(self.text, self.path)

    @property
    def based_on(self) -> str:
        """The packaged set that the file changes; "" for a whole set, whatever its name is."""
        return json.loads(self.text).get("based_on") or ""


@dataclass(frozen=True, slots=True)
class OwnCards:
    """Card files in place of packaged sets."""

    base: CardFile | None = None
    expansion: CardFile | None = None

    def ruleset(self, name: str, variants: str = "") -> Ruleset:
        """A ruleset with these cards. Raises `UnknownRuleset`, `UnknownVariant` and `CardFileError`."""
        return _ruleset(name, variants, self)

    def of_record(self, record: Record) -> Ruleset | None:
        """The ruleset to replay a record with; None for the packaged cards.

        Raises `RecordVersionError`, which names both hashes, if the record was played with other cards.
        """
        if self == PACKAGED_CARDS:
            return None
        return record.checked(self.ruleset(record.tags["Ruleset"], record.tags.get("Variants", "")))


PACKAGED_CARDS = OwnCards()
"""No card files: the packaged sets are played."""


def add_cards_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--cards`, the option that `own_cards` reads."""
    parser.add_argument(
        "--cards",
        action="append",
        default=[],
        metavar="FILE",
        help="a card file in place of the packaged set that it is based on; base=FILE or expansion=FILE says "
        "of which (see `targi cards`)",
    )


def own_cards(args: argparse.Namespace, ruleset_name: str) -> OwnCards:
    """The card files of `--cards` for a ruleset. Raises `CardFileError` and `UsageError`."""
    found: dict[str, CardFile] = {}
    for option in args.cards:
        named, _, path = option.partition("=")
        file = CardFile.read(path if named in PACKAGED else option)
        place = named if named in PACKAGED else place_of(file, ruleset_name)
        check_place(file, place, ruleset_name)
        if place in found:
            raise UsageError(f"{found[place].path} and {file.path} both take the place of {place}: give one")
        found[place] = file
    return OwnCards(**found)


def place_of(file: CardFile, ruleset_name: str) -> str:
    """Which packaged set a file takes the place of in a ruleset, if nobody says otherwise."""
    return file.based_on or ("base" if ruleset_name == "base" else "expansion")


def check_place(file: CardFile, place: str, ruleset_name: str) -> None:
    """Raise `UsageError` if a ruleset plays no cards of the set whose place a file takes."""
    if place not in PLAYED.get(ruleset_name, PACKAGED):
        raise UsageError(
            f"{file.path} takes the place of {place}, of which {ruleset_name} plays no cards: "
            f"choose ruleset {place}, or name the place as in {ruleset_name}={file.path}"
        )


@lru_cache(maxsize=16)
def _ruleset(name: str, variants: str, own: OwnCards) -> Ruleset:
    base, expansion = (None if file is None else file.cards() for file in (own.base, own.expansion))
    return ruleset(name, variants, base=base, expansion=expansion)
