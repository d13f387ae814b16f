"""`targi cards show|check|diff|schema`: the cards of a ruleset, and card files of one's own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from targi_engine import RULESETS, CardFileError, ruleset
from targi_engine.cardschema import schema_text
from targi_engine.provenance import LEGEND

from targi_sdk.cards.differences import differences, words_only
from targi_sdk.cards.own import PLAYED, CardFile, OwnCards, check_place, place_of
from targi_sdk.cards.sheet import COLUMNS, Sheet, rows_of
from targi_sdk.console import Console, add_output_arguments

__all__ = ["COMMAND", "CardsCommand"]

SET_HELP = f"a ruleset ({', '.join(RULESETS)}) or a card file"


class CardsCommand:
    """`targi cards`."""

    name = "cards"
    help = "show the cards, check or compare card files of one's own, print their JSON Schema"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="show|check|diff|schema")
        shown = parts.add_parser("show", help="list all cards of a ruleset or of a card file")
        shown.add_argument("set", nargs="?", default="base", help=f"{SET_HELP}; default: base")
        checked = parts.add_parser("check", help="check a card file; exit code 1 if no ruleset can use it")
        checked.add_argument("file", help="a card file")
        compared = parts.add_parser("diff", help="tell what a card file changes in play")
        compared.add_argument("file", help="a card file")
        compared.add_argument("other", nargs="?", help=f"{SET_HELP}; default: what the file is based on")
        for part in (shown, checked, compared):
            add_output_arguments(part)
        parts.add_parser("schema", help="print the JSON Schema of card files, for editors")

    def run(self, args: argparse.Namespace) -> int:
        return PARTS[args.part](args)


def _show(args: argparse.Namespace) -> int:
    console = Console.of(args)
    sheet = Sheet.named(args.set) if args.set in RULESETS else Sheet.of_file(CardFile.read(args.set))
    for section, columns in COLUMNS.items():
        if sheet.sections[section]:
            console.table(columns, rows_of(sheet, section), title=section)
            console.line()
    if sheet.has_house_cards:
        console.line(LEGEND)
    hashes = {args.set: ruleset(args.set).cards_hash} if args.set in RULESETS else _hashes(args.set)[0]
    _tell_hashes(hashes, console)
    console.document({"set": sheet.title, "hashes": hashes, **sheet.as_json()})
    return 0


def _check(args: argparse.Namespace) -> int:
    console = Console.of(args)
    file = CardFile.read(args.file)
    hashes, refused = _hashes(args.file)
    own = _own_cards(file)
    counts = ", ".join(f"{section} {count}" for section, count in own.items() if count) or "none"
    console.line(f"{file.path}: allowed, cards of its own: {counts}", style="green")
    _tell_hashes(hashes, console)
    for name, reason in refused.items():
        console.line(f"not for {name}: {reason}")
    console.document({"file": file.path, "cards": own, "hashes": hashes, "refused": refused})
    return 0


def _diff(args: argparse.Namespace) -> int:
    console = Console.of(args)
    old, new = _compared(args)
    found, worded = differences(old, new), words_only(old, new)
    if found:
        console.table(("section", "card", "field", old.title, new.title), found)
    else:
        console.line("no difference in play")
    if worded:
        console.line(f"{worded} more cards differ in words only")
    documents = [difference._asdict() for difference in found]
    console.document({"old": old.title, "new": new.title, "differences": documents, "words_only": worded})
    return 0


def _schema(args: argparse.Namespace) -> int:
    print(schema_text(), end="")
    return 0


PARTS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "show": _show,
    "check": _check,
    "diff": _diff,
    "schema": _schema,
}


def _compared(args: argparse.Namespace) -> tuple[Sheet, Sheet]:
    """The two sets of `diff`: two files as they are, or a ruleset without and with the file."""
    file = CardFile.read(args.file)
    other = args.other or place_of(file, "expansion")
    if other not in RULESETS:
        return Sheet.of_file(CardFile.read(other)), Sheet.of_file(file)
    new = Sheet.of_ruleset(_with(file, other).ruleset(other))
    return Sheet.named(other), Sheet(file.path, new.sections)


def _with(file: CardFile, name: str) -> OwnCards:
    """A file in its place in a ruleset. Raises `UsageError` if that plays no cards of it."""
    place = place_of(file, name)
    check_place(file, place, name)
    return OwnCards(**{place: file})


def _hashes(path: str) -> tuple[dict[str, str], dict[str, str]]:
    """The hashes of the rulesets that can use a file, and why others cannot. Raises if none can."""
    file = CardFile.read(path)
    hashes: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name in RULESETS:
        if place_of(file, name) in PLAYED[name]:
            try:
                hashes[name] = _with(file, name).ruleset(name).cards_hash
            except CardFileError as error:
                refused[name] = str(error)
    if not hashes:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in refused.items())
        raise CardFileError(f"no ruleset can use {file.path}: {reasons}")
    return hashes, refused


def _own_cards(file: CardFile) -> dict[str, int]:
    """How many cards of each section the file itself holds."""
    sections = file.cards().sections()
    start = f"{file.path}: "
    return {name: sum(card.where.startswith(start) for card in cards) for name, cards in sections.items()}


def _tell_hashes(hashes: Mapping[str, str], console: Console) -> None:
    for name, cards_hash in hashes.items():
        console.line(f"card set of {name}: {cards_hash}")


COMMAND = CardsCommand()
