"""`targi match list|explain`: which matches there are, and why one ended as it did."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import asdict

from targi_sdk.blame import blamed, sentence, time_spent
from targi_sdk.client.chronicle import Chronicle, Match, Moment
from targi_sdk.client.paging import first_rows
from targi_sdk.client.unary import calling
from targi_sdk.commands.bot_names import checked_bot
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.whole_number import positive
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.credentials import TOKEN_VARIABLE, Credentials

__all__ = ["COMMAND", "MatchCommand"]

STATES = ("any", "running", "ended")
LAST = 12
"""Actions that are shown unless all are wanted."""

LISTED = ("match", "seat 0", "seat 1", "ruleset", "rated", "ply", "state", "score", "cause")
SPENT = ("seat", "bot", "answers", "charged s", "at most s", "in server s", "at most s", "lag s")
COURSE = (
    "at s",
    "ply",
    "seat",
    "action",
    "asked s",
    "answered s",
    "charged s",
    "in server s",
    "what happened",
)


class MatchCommand:
    """`targi match`."""

    name = "match"
    help = "list matches, or explain how one ended: was it the bot or the server?"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="list|explain")
        listing = parts.add_parser("list", help="show matches, the newest first")
        listing.add_argument(
            "--state", choices=STATES, default="any", help="only matches in this state (default: any)"
        )
        listing.add_argument("--bot", default="", metavar="NAME", help="only matches of this bot")
        listing.add_argument(
            "--limit", type=positive, default=20, metavar="N", help="most matches shown (default: 20)"
        )
        explained = parts.add_parser("explain", help="say who or what ended a match, and show the evidence")
        explained.add_argument("match", metavar="ID", help="id of the match (see `targi match list`)")
        explained.add_argument(
            "--all", action="store_true", help=f"show every action, not just the last {LAST}"
        )
        for part in (listing, explained):
            add_server_arguments(part)
            add_output_arguments(part)

    def run(self, args: argparse.Namespace) -> int:
        return PARTS[args.part](args, Console.of(args))


def _list(args: argparse.Namespace, console: Console) -> int:
    running = {"any": None, "running": True, "ended": False}[args.state]
    with calling(server_of(args)) as calls:
        if args.bot:
            checked_bot(calls, args.bot)

        def page(size: int, token: str) -> tuple[Sequence[Match], str]:
            found = calls.matches(running=running, bot=args.bot, size=size, token=token)
            return found.matches, found.token

        matches = first_rows(args.limit, page)
    console.table(LISTED, [_row(match) for match in matches])
    console.document([asdict(match) for match in matches])
    return 0


def _row(match: Match) -> tuple[str | int, ...]:
    ending = match.ending
    scores = "-".join(map(str, ending.scores)) if ending and ending.scores else ""
    return (
        match.match_id,
        *match.bots,
        match.ruleset,
        "yes" if match.rated else "no",
        match.ply,
        f"ended {ending.result}" if ending else "running",
        scores,
        ending.termination if ending else "",
    )


def _explain(args: argparse.Namespace, console: Console) -> int:
    server = server_of(args)
    token = os.environ.get(TOKEN_VARIABLE, "")
    with calling(server, token) as calls:
        told = calls.chronicle(args.match)
    owners = Credentials.of(os.environ).owners(str(server))
    own = next((owners[owner] for owner in told.match.owners if owner in owners), "")
    if own and not token:
        with calling(server, own) as calls:
            told = calls.chronicle(args.match)  # the same, with what is for the owner only
    _print(told, console, everything=args.all)
    console.document(_document(told))
    return 0


def _print(told: Chronicle, console: Console, *, everything: bool) -> None:
    match = told.match
    console.line(sentence(match), style="bold")
    console.line(_about(match))
    if told.private_error:
        console.line("What the bot reported (for its owner only):")
        console.line(told.private_error)
    console.line()
    console.table(SPENT, [_spent(told, seat) for seat in (0, 1)], title="Time of each seat's answers")
    console.line(
        "Only what is charged came off a clock; time in the server and the allowance for lag did not."
    )
    console.line()
    console.table(COURSE, [_moment(each, match) for each in _shown(told, everything)], title="What happened")


def _about(match: Match) -> str:
    first, second = (f"{bot} {version}" for bot, version in zip(match.bots, match.versions, strict=True))
    kind = "rated" if match.rated else "unrated"
    variants = f" {match.variants}" if match.variants else ""
    clock = f"{match.base_ms / 1000:g}+{match.increment_ms / 1000:g}"
    return f"Match {match.match_id}, {kind}, {match.ruleset}{variants}, {clock}: {first} against {second}."


def _spent(told: Chronicle, seat: int) -> tuple[str | int | float, ...]:
    spent = time_spent(told.moments, seat)
    times = (spent.charged_ms, spent.longest_ms, spent.server_ms, spent.longest_server_ms, spent.lag_ms)
    return (str(seat), told.match.bots[seat], spent.answers, *(_seconds(ms) for ms in times))


def _shown(told: Chronicle, everything: bool) -> list[Moment]:
    """All incidents and, unless everything is wanted, the last actions."""
    actions = [each for each in told.moments if each.action]
    first = 0 if everything else max(0, len(actions) - LAST)
    left_out = set(map(id, actions[:first]))
    return [each for each in told.moments if id(each) not in left_out]


def _moment(each: Moment, match: Match) -> tuple[str | int, ...]:
    def since(unix_ms: int) -> str:
        return _seconds(unix_ms - match.started_unix_ms)

    times = (since(each.asked_unix_ms), since(each.answered_unix_ms), _seconds(each.charged_ms))
    spent = (*times, _seconds(each.out_ms + each.in_ms)) if each.action else ("", "", "", "")
    seat = str(each.seat) if each.action else ""
    return (since(each.committed_unix_ms), each.ply, seat, each.action, *spent, each.words)


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f}"


def _document(told: Chronicle) -> dict[str, object]:
    return {
        "verdict": sentence(told.match),
        "blamed": blamed(told.match.ending),
        "match": asdict(told.match),
        "time_spent": [asdict(time_spent(told.moments, seat)) for seat in (0, 1)],
        "timeline": [asdict(each) for each in told.moments],
        "private_error": told.private_error,
    }


PARTS = {"list": _list, "explain": _explain}

COMMAND = MatchCommand()
