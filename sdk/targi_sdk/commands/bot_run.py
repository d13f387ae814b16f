"""`targi bot run SPEC`: play a bot over the service until it has left."""

from __future__ import annotations

import argparse
import asyncio
import os
from dataclasses import asdict

from targi_sdk.client.address import Address
from targi_sdk.client.news import News, Reporter
from targi_sdk.client.run import Summary, run_bot
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.tokens import Keyring, account_name
from targi_sdk.commands.whole_number import positive
from targi_sdk.console import Console, add_output_arguments, counted
from targi_sdk.errors import CredentialsError, ReplacedError
from targi_sdk.seeds import series_seed
from targi_sdk.specs import BotSpec

__all__ = ["REPLACED", "add_run_arguments", "run_over_service"]

REPLACED = 75
"""Exit code when a newer session of the same bot took over: a supervisor must not start this one again."""

INTERRUPTED = 130
DEFAULT_CAPACITY = 2


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `targi bot run`."""
    parser.add_argument(
        "spec",
        metavar="BOT",
        help="an installed bot, module:Class, or my_bot.py; parameters follow as ?name=value&...",
    )
    parser.add_argument("--name", help="name of the bot at the server (default: made of BOT)")
    parser.add_argument("--register", action="store_true", help="make owner and bot first where unknown")
    parser.add_argument(
        "--owner",
        metavar="NAME",
        help="owner for --register (default: the one whose token is kept here, else the login name)",
    )
    parser.add_argument(
        "--capacity",
        type=positive,
        metavar="N",
        default=DEFAULT_CAPACITY,
        help=f"matches at the same time (default: {DEFAULT_CAPACITY})",
    )
    parser.add_argument(
        "--ladder",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether the ladder may pair it (default: yes)",
    )
    parser.add_argument(
        "--challenges",
        choices=("all", "own", "none"),
        default="all",
        help="whose challenges it takes: own is those of the owner's bots (default: all)",
    )
    parser.add_argument(
        "--ruleset",
        action="append",
        help="base, expansion or mixed; may be repeated (default: those that its class names)",
    )
    parser.add_argument("--version", help="version of the bot (default: that of its class)")
    parser.add_argument("--seed", help="bot seed, as in `targi play` (default: a new one)")
    parser.add_argument(
        "--games",
        type=positive,
        metavar="N",
        help="leave after N matches, when what runs then is over (default: play until Ctrl-C)",
    )
    parser.add_argument(
        "--workers",
        type=positive,
        metavar="N",
        help="processes that think (default: one a match, at most one a processor)",
    )
    parser.add_argument(
        "--in-process",
        dest="workers",
        action="store_const",
        const=0,
        help="think in the process that holds the connection: for bots that answer at once",
    )
    add_server_arguments(parser)
    add_output_arguments(parser)


def run_over_service(args: argparse.Namespace) -> int:
    """Play; exit code 0 after leaving, 75 when replaced, 130 when stopped at once."""
    console, server = Console.of(args), server_of(args)
    spec = BotSpec.parse(args.spec)
    spec.load()
    token = _token(args, server, spec)
    try:
        summary = asyncio.run(_play(args, spec, server, token, _reporter(console)))
    except ReplacedError as error:
        console.note(f"targi: another process plays this bot now, so this one stops: {error}")
        return REPLACED
    except asyncio.CancelledError:
        return INTERRUPTED
    _show(summary, console)
    return 0


async def _play(
    args: argparse.Namespace, spec: BotSpec, server: Address, token: str, report: Reporter
) -> Summary:
    return await run_bot(
        spec,
        token=token,
        server=server,
        capacity=args.capacity,
        ladder=args.ladder,
        challenges=args.challenges,
        rulesets=tuple(args.ruleset) if args.ruleset else None,
        version=args.version,
        seed=None if args.seed is None else series_seed(args.seed),
        games=args.games,
        workers=args.workers,
        report=report,
        signals=True,
    )


def _token(args: argparse.Namespace, server: Address, spec: BotSpec) -> str:
    name = args.name or account_name(spec.name, "--name")
    keyring = Keyring(os.environ, server)
    if args.register:
        return keyring.registered(name, args.owner)
    try:
        return keyring.bot(name)[1]
    except CredentialsError as error:
        raise CredentialsError(f"{error}; --register does all of that") from error


def _reporter(console: Console) -> Reporter:
    def report(news: News) -> None:
        console.note(news.words)
        for line in news.details.splitlines():
            console.note(f"    {line}")

    return report


def _show(summary: Summary, console: Console) -> None:
    counts = summary.counts
    console.line(
        f"{counted(len(summary.ended), 'match', 'matches')}: {counts['won']} won, {counts['drew']} drawn, "
        f"{counts['lost']} lost, {counts['void']} void"
    )
    console.document({"counts": dict(counts), "ended": [asdict(end) for end in summary.ended]})
