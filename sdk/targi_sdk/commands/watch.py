"""`targi watch`: a match as it is played, one line an answer."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from targi_sdk.blame import sentence
from targi_sdk.client.chronicle import Ending, Match, Played, Sight
from targi_sdk.client.unary import calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.console import Console

__all__ = ["COMMAND", "WatchCommand"]


class WatchCommand:
    """`targi watch ID`."""

    name = "watch"
    help = "follow a match as it is played, or see one again that is over"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("match", metavar="ID", help="id of the match (see `targi match list`)")
        parser.add_argument(
            "--from",
            dest="from_ply",
            type=int,
            default=0,
            metavar="PLY",
            help="first ply that is shown (default: 0)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")
        add_server_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        console = Console()
        match: Match | None = None
        with calling(server_of(args)) as calls:
            for sight in calls.watch(args.match, max(0, args.from_ply)):
                match = sight if isinstance(sight, Match) else match
                assert match is not None  # it comes first
                console.line(_json(sight) if args.json else _LINES[type(sight)](sight, match))
        return 0


def _json(sight: Sight) -> str:
    kind = {Match: "match", Played: "played", Ending: "ended"}[type(sight)]
    return json.dumps({"event": kind, **asdict(sight)}, ensure_ascii=False)


def _begin(match: Match, _: Match) -> str:
    first, second = (f"{bot} {version}" for bot, version in zip(match.bots, match.versions, strict=True))
    state = "over" if match.ending else "running"
    return (
        f"{match.match_id} ({match.ruleset}, {state}): seat 0 {first}, seat 1 {second}; from ply {match.ply}"
    )


def _play(played: Played, match: Match) -> str:
    left = " ".join(f"{ms / 1000:7.2f}" for ms in played.clocks)
    actions = " ".join(played.actions)
    who = match.bots[played.seat]
    return f"{played.ply:4}  {left}  {played.charged_ms / 1000:6.3f} s  seat {played.seat} {who}  {actions}"


def _end(ending: Ending, match: Match) -> str:
    return sentence(replace(match, ending=ending))


# Each function takes the one kind of sight that it is listed for; the table cannot say so, hence Any.
_LINES: Mapping[type, Callable[[Any, Match], str]] = {Match: _begin, Played: _play, Ending: _end}

COMMAND = WatchCommand()
