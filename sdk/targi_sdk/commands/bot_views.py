"""`targi bot online|show|results`: what anybody may know of the bots of a server."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime

from targi_sdk.client.bots import OnlineBot, PairResult, Profile
from targi_sdk.client.paging import first_rows
from targi_sdk.client.unary import calling
from targi_sdk.commands.bot_names import checked_bot
from targi_sdk.commands.server_option import server_of
from targi_sdk.commands.standings import COLUMNS, standing_row
from targi_sdk.console import Console, counted

__all__ = ["results", "show", "show_online"]

ONLINE = ("bot", "version", "owner", "matches", "capacity", "ladder", "rulesets")
RESULTS = ("ended", "first bot", "version", "second bot", "version", "score", "matches")
QUARTERS = ("0", "1/4", "1/2", "3/4", "1")


def show_online(args: argparse.Namespace) -> int:
    """Show who is connected."""
    with calling(server_of(args)) as calls:
        bots = calls.online()
    console = Console.of(args)
    console.table(ONLINE, [_online_row(bot) for bot in bots])
    console.document([asdict(bot) for bot in bots])
    return 0


def show(args: argparse.Namespace) -> int:
    """Show one bot, and how it did against another one."""
    with calling(server_of(args)) as calls:
        bot = checked_bot(calls, args.bot)
        heads = calls.head_to_head(args.bot, checked_bot(calls, args.against).bot) if args.against else None
    console = Console.of(args)
    console.line(_about(bot))
    if bot.versions:
        console.table(COLUMNS, [standing_row(each) for each in bot.versions])
    else:
        console.line("No rated pair of it counts yet.")
    if heads is not None:
        console.table(QUARTERS, [heads], title=f"Rated pairs against {args.against}, by score")
    console.document({**asdict(bot), "against": args.against or None, "pairs_by_quarters": heads})
    return 0


def results(args: argparse.Namespace) -> int:
    """Show rated pairs, of one bot or of all."""
    with calling(server_of(args)) as calls:
        if args.bot:
            checked_bot(calls, args.bot)
        pairs = first_rows(args.limit, lambda size, token: calls.results(args.bot, size, token))
    console = Console.of(args)
    console.table(RESULTS, [_result_row(pair) for pair in pairs])
    console.line(f"{counted(len(pairs), 'rated pair')}, the newest first; the score is the first bot's")
    console.document([asdict(pair) for pair in pairs])
    return 0


def _online_row(bot: OnlineBot) -> tuple[str | int, ...]:
    ladder = "yes" if bot.ladder else "no"
    rulesets = ", ".join(bot.rulesets)
    return (bot.bot, bot.version, bot.owner, bot.matches, bot.capacity, ladder, rulesets)


def _about(bot: Profile) -> str:
    retired = ", retired" if bot.retired else ""
    paused = f", paused ({bot.paused})" if bot.paused else ""
    return f"Bot {bot.bot} of {bot.owner}{retired}{paused}."


def _result_row(pair: PairResult) -> tuple[str, ...]:
    ended = datetime.fromtimestamp(pair.ended_unix_ms / 1000, UTC).isoformat(timespec="seconds")
    (first, second), (one, other) = pair.bots, pair.versions
    score = "void" if pair.void else QUARTERS[pair.quarters]
    return (ended, first, one, second, other, score, " ".join(pair.match_ids))
