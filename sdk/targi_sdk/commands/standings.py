"""`targi standings`: the published table of the ladder."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from targi_sdk.client.ladder import Standing
from targi_sdk.client.unary import calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.console import Console, add_output_arguments

__all__ = ["COLUMNS", "COMMAND", "StandingsCommand", "standing_row"]

COLUMNS = ("rank", "bot", "version", "owner", "rating", "low", "high", "pairs", "score", "")


class StandingsCommand:
    """`targi standings`."""

    name = "standings"
    help = "show the ladder's table"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        parser.add_argument(
            "--season", type=int, default=0, metavar="N", help="number of the season (default: the open one)"
        )
        add_server_arguments(parser)
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        with calling(server_of(args)) as calls:
            table = calls.standings(args.ruleset, args.season)
        console = Console.of(args)
        console.document(asdict(table))
        console.table(COLUMNS, [standing_row(each) for each in table.standings])
        console.line(f"{table.pairs} rated pairs, {table.matches} matches; low to high: 95 % interval")
        return 0


def standing_row(each: Standing) -> tuple[str | int | float, ...]:
    """A row under COLUMNS."""
    marks = ("anchor", each.anchor), ("provisional", each.provisional), ("online", each.online)
    return (
        each.rank,
        each.bot,
        each.version,
        each.owner,
        each.rating,
        each.low,
        each.high,
        each.pairs,
        each.score,
        ", ".join(word for word, holds in marks if holds),
    )


COMMAND = StandingsCommand()
