"""`targi bot`: bots on the service."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping

from targi_sdk.client.unary import calling
from targi_sdk.commands.bot_run import add_run_arguments, run_over_service
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.tokens import Keyring
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.credentials import Credentials

__all__ = ["COMMAND", "BotCommand"]

NAME_HELP = "3 to 32 of a-z, 0-9, - and _, the first a letter"


class BotCommand:
    """`targi bot register|token|run`."""

    name = "bot"
    help = "register a bot, or play it over the service"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        register = actions.add_parser("register", help="register a bot of an owner and keep its token")
        token = actions.add_parser("token", help="make a new token for a bot; the old one is invalid then")
        for action in (register, token):
            action.add_argument("bot", metavar="NAME", help=NAME_HELP)
            action.add_argument("--owner", metavar="NAME", help="own owner, where there are several")
            add_server_arguments(action)
            add_output_arguments(action)
        add_run_arguments(
            actions.add_parser("run", help="play a bot over the service; exit code 75: replaced")
        )

    def run(self, args: argparse.Namespace) -> int:
        return ACTIONS[args.action](args)


def _register(args: argparse.Namespace) -> int:
    server = server_of(args)
    with calling(server, Keyring(os.environ, server).owner(args.owner)) as calls:
        token = calls.register_bot(args.bot)
    return _keep(args, token, f"bot {args.bot} registered at {server}")


def _rotate(args: argparse.Namespace) -> int:
    server = server_of(args)
    with calling(server, Keyring(os.environ, server).owner(args.owner)) as calls:
        token = calls.rotate_bot_token(args.bot)
    return _keep(args, token, f"bot {args.bot} has a new token at {server}")


def _keep(args: argparse.Namespace, token: str, words: str) -> int:
    server, credentials = server_of(args), Credentials.of(os.environ)
    credentials.save_bot(str(server), args.bot, token)
    console = Console.of(args)
    console.line(f"{words}; its token is kept in {credentials.path}")
    console.document({"bot": args.bot, "server": str(server), "token": token})
    return 0


ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "register": _register,
    "token": _rotate,
    "run": run_over_service,
}

COMMAND = BotCommand()
