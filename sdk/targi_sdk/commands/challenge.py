"""`targi challenge`: unrated matches against a bot of one's choice."""

from __future__ import annotations

import argparse
import os

from targi_sdk.arena.clock import TimeControl
from targi_sdk.client.ladder import Challenge
from targi_sdk.client.unary import calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.tokens import Keyring
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.seeds import game_seed

__all__ = ["COMMAND", "ChallengeCommand"]


class ChallengeCommand:
    """`targi challenge send BOT`."""

    name = "challenge"
    help = "challenge a bot to an unrated match"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        send = actions.add_parser("send", help="challenge a bot; both must be connected")
        send.add_argument("opponent", metavar="BOT", help="the bot that is challenged")
        send.add_argument("--as", dest="bot", metavar="NAME", help="own bot, where there are several")
        send.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        send.add_argument("--variants", default="", help="name=value, comma-separated")
        send.add_argument("--mirrored", action="store_true", help="two games from one opening, seats swapped")
        send.add_argument("--debug", action="store_true", help="let both bots stop their own clocks")
        send.add_argument(
            "--time",
            type=TimeControl.parse,
            help="seconds at the start + seconds a turn, such as 60+1 (default: the server's)",
        )
        send.add_argument(
            "--seed",
            dest="seeds",
            action="append",
            default=[],
            metavar="HEX",
            help="seed of a game, 64 hexadecimal digits; give two with --mirrored (default: the server's)",
        )
        send.add_argument(
            "--opening",
            metavar="HEX",
            help="seed of the opening alone, 64 hexadecimal digits (default: the server's)",
        )
        add_server_arguments(send)
        add_output_arguments(send)

    def run(self, args: argparse.Namespace) -> int:
        server, console = server_of(args), Console.of(args)
        control: TimeControl | None = args.time
        seeds = [game_seed(text) for text in args.seeds]
        opening = b"" if args.opening is None else game_seed(args.opening)
        bot, token = Keyring(os.environ, server).bot(args.bot)
        with calling(server, token) as calls:
            sent = calls.challenge(
                bot,
                args.opponent,
                ruleset=args.ruleset,
                variants=args.variants,
                mirrored=args.mirrored,
                debug=args.debug,
                time_ms=None if control is None else (control.base_ms, control.increment_ms),
                seeds=seeds,
                opening=opening,
            )
        console.line(f"challenge {sent.challenge_id} sent to {args.opponent}; {_outlook(sent)}")
        console.document(sent._asdict())
        return 0


def _outlook(sent: Challenge) -> str:
    if len(sent.match_ids) == 1:
        return f"match {sent.match_ids[0]} starts as soon as both bots are ready"
    first, *others = sent.match_ids
    return f"match {first} starts as soon as both bots are ready, then {', '.join(others)}"


COMMAND = ChallengeCommand()
