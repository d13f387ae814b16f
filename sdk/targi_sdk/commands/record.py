"""`targi record show|verify`: read a game record, or check that it is true."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from targi_engine import EngineError, Record, show, verify

from targi_sdk.cards.own import add_cards_argument, own_cards
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.recordfile import RecordFileError, read_record

__all__ = ["COMMAND", "RecordCommand"]


class RecordCommand:
    """`targi record`."""

    name = "record"
    help = "show a game record in words, or verify records by replaying them"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="show|verify")
        shown = parts.add_parser("show", help="print a record as a readable log")
        shown.add_argument("file", type=Path, help="a .targi file")
        verified = parts.add_parser(
            "verify",
            help="replay records and check cards, actions, result and score; exit code 1 if one is wrong",
        )
        verified.add_argument("files", type=Path, nargs="+", metavar="file", help="a .targi file")
        for part in (shown, verified):
            add_cards_argument(part)
            add_output_arguments(part)

    def run(self, args: argparse.Namespace) -> int:
        part: Callable[[argparse.Namespace, Console], int] = PARTS[args.part]
        return part(args, Console.of(args))


def _show(args: argparse.Namespace, console: Console) -> int:
    record = read_record(args.file)
    own = own_cards(args, record.tags["Ruleset"])
    try:
        lines = list(show(record, own.of_record(record)))
    except EngineError as error:
        raise RecordFileError(f"{args.file}: {error}") from error
    for line in lines:
        console.line(line)
    console.document({"tags": dict(record.tags), "log": lines})
    return 0


def _verify(args: argparse.Namespace, console: Console) -> int:
    reports = [_report(path, args) for path in args.files]
    for report in reports:
        console.line(f"{report['file']}: {report['words']}", style="green" if report["ok"] else "red")
    console.document(reports)
    return 0 if all(report["ok"] for report in reports) else 1


def _report(path: Path, args: argparse.Namespace) -> dict[str, object]:
    """Whether one file holds a true record, and what is wrong with it."""
    try:
        record = read_record(path)
    except RecordFileError as error:
        return {"file": str(path), "ok": False, "words": str(error).removeprefix(f"{path}: ")}
    own = own_cards(args, record.tags["Ruleset"])
    try:
        verify(record, own.of_record(record))
    except EngineError as error:
        return {"file": str(path), "ok": False, "words": str(error)}
    return {"file": str(path), "ok": True, "words": _praise(record)}


def _praise(record: Record) -> str:
    tags = record.tags
    ending = f"{tags['Result']} {tags['Termination']}"
    return f"ok, {tags['Ruleset']}, {len(record.actions)} decisions, {ending}, score {tags.get('Score', '-')}"


PARTS = {"show": _show, "verify": _verify}

COMMAND = RecordCommand()
