"""`targi records export`: the records of a server's finished matches as files."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from targi_engine import RULESETS

from targi_sdk.client.chronicle import Match
from targi_sdk.client.records import Missing, Wanted, fetched, listed, place
from targi_sdk.client.unary import Calls, calling
from targi_sdk.commands.bot_names import checked_bot
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.console import Console, add_output_arguments, counted
from targi_sdk.recordfile import RecordFileError

__all__ = ["COMMAND", "RecordsCommand"]

AT_ONCE = 8
"""Records that are fetched at a time."""


class RecordsCommand:
    """`targi records`."""

    name = "records"
    help = "fetch the records of finished matches from a server"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="export")
        export = parts.add_parser(
            "export",
            help="write each record into DIR, as DAY/MATCH.targi; those that are there are not fetched again",
        )
        export.add_argument(
            "directory", type=Path, metavar="DIR", help="directory for the records; made when missing"
        )
        export.add_argument("--bot", default="", metavar="NAME", help="only matches of this bot")
        export.add_argument(
            "--ruleset", default="", choices=tuple(RULESETS), help="only matches of this ruleset"
        )
        export.add_argument("--rated", action="store_true", help="only rated matches")
        export.add_argument(
            "--since",
            type=moment,
            default=0,
            metavar="WHEN",
            help="only matches that ended then or later: 2026-11-30 or 2026-11-30T12:00, in UTC",
        )
        add_server_arguments(export)
        add_output_arguments(export)

    def run(self, args: argparse.Namespace) -> int:
        return _export(args, Console.of(args))


def moment(text: str) -> int:
    """Unix time in ms of a date or a time, in UTC unless it says otherwise."""
    try:
        found = datetime.fromisoformat(text)
        return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        words = f"{text!r} is no time; give one like 2026-11-30 or 2026-11-30T12:00"
        raise argparse.ArgumentTypeError(words) from error


def _export(args: argparse.Namespace, console: Console) -> int:
    wanted = Wanted(args.bot, args.ruleset, args.rated, args.since)
    directory: Path = args.directory
    with calling(server_of(args)) as calls:
        if wanted.bot:
            checked_bot(calls, wanted.bot)
        _prepare(directory)
        matches = listed(calls, wanted)
        new = [match for match in matches if not place(directory, match).exists()]
        missing = _fetch(calls, directory, new, console)
    exported, present = len(new) - len(missing), len(matches) - len(new)
    _report(directory, exported, present, missing, console)
    return 0


def _prepare(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordFileError(f"{directory}: {error.strerror}") from error


def _fetch(calls: Calls, directory: Path, new: list[Match], console: Console) -> list[Missing]:
    with console.progress("records", len(new)) as done:
        return fetched(calls, directory, new, at_once=AT_ONCE, done=done)


def _report(directory: Path, exported: int, present: int, missing: list[Missing], console: Console) -> None:
    for each in missing:
        console.note(f"{each.match_id}: {each.why}")
    words = f"{counted(exported, 'record')} exported to {directory}"
    words += f", {present} there before" if present else ""
    console.line(words + (f", {len(missing)} not to be had" if missing else ""))
    console.document(
        {
            "directory": str(directory),
            "exported": exported,
            "present": present,
            "missing": [asdict(each) for each in missing],
        }
    )


COMMAND = RecordsCommand()
