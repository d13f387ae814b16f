"""`targi challenge`: unrated matches against a bot of one's choice."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict

from targi_sdk.arena.clock import TimeControl
from targi_sdk.client.ladder import Challenge
from targi_sdk.client.unary import Calls, calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.tokens import Keyring
from targi_sdk.console import Console, add_output_arguments

__all__ = ["COMMAND", "ChallengeCommand"]

COLUMNS = ("challenge", "from", "to", "ruleset", "variants", "games", "expires in s")


class ChallengeCommand:
    """`targi challenge send|list|accept|decline|withdraw`."""

    name = "challenge"
    help = "challenge a bot to an unrated match, or answer a challenge"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        send = actions.add_parser("send", help="challenge a bot; both must be connected to play")
        send.add_argument("opponent", metavar="BOT", nargs="?", default="", help="left out: anybody")
        send.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        send.add_argument("--variants", default="", help="name=value, comma-separated")
        send.add_argument("--mirrored", action="store_true", help="two games, seats swapped")
        send.add_argument("--debug", action="store_true", help="both sides may stop their clocks")
        send.add_argument("--time", type=TimeControl.parse, help="such as 60+1 (default: the server's)")
        shown = actions.add_parser("list", help="show the open challenges")
        answers = [actions.add_parser(word, help=f"{word} a challenge") for word in ANSWERS]
        for answer in answers:
            answer.add_argument("challenge", metavar="ID")
        for action in (send, *answers):
            action.add_argument("--as", dest="bot", metavar="NAME", help="own bot, where there are several")
        for action in (send, shown, *answers):
            add_server_arguments(action)
            add_output_arguments(action)

    def run(self, args: argparse.Namespace) -> int:
        server, console = server_of(args), Console.of(args)
        if args.action == "list":
            with calling(server) as calls:
                _show(calls.challenges(), console)
            return 0
        bot, token = Keyring(os.environ, server).bot(args.bot)
        with calling(server, token) as calls:
            if args.action == "send":
                _send(calls, bot, args, console)
            else:
                ANSWERS[args.action](calls, args.challenge)
                console.line(f"challenge {args.challenge}: {args.action} done")
        return 0


ANSWERS = {"accept": Calls.accept, "decline": Calls.decline, "withdraw": Calls.withdraw}
"""Word on the command line to the call."""


def _send(calls: Calls, bot: str, args: argparse.Namespace, console: Console) -> None:
    control: TimeControl | None = args.time
    challenge_id = calls.challenge(
        bot,
        args.opponent,
        ruleset=args.ruleset,
        variants=args.variants,
        mirrored=args.mirrored,
        debug=args.debug,
        time_ms=None if control is None else (control.base_ms, control.increment_ms),
    )
    console.line(f"challenge {challenge_id} sent; it is open until it is accepted")
    console.document({"challenge_id": challenge_id})


def _show(challenges: list[Challenge], console: Console) -> None:
    rows = [
        (
            each.challenge_id,
            each.challenger,
            each.opponent or "anybody",
            each.ruleset,
            each.variants,
            1 + each.mirrored,
            each.expires_in_ms // 1000,
        )
        for each in challenges
    ]
    console.table(COLUMNS, rows)
    console.document([asdict(each) for each in challenges])


COMMAND = ChallengeCommand()
