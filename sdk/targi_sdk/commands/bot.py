"""`targi bot`: bots on the service."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import NamedTuple

from targi_sdk.commands import bot_accounts, bot_views
from targi_sdk.commands.bot_run import add_run_arguments, run_over_service
from targi_sdk.commands.server_option import add_server_arguments
from targi_sdk.commands.tokens import NAME_HELP
from targi_sdk.commands.whole_number import positive
from targi_sdk.console import add_output_arguments

__all__ = ["COMMAND", "BotCommand"]


class BotCommand:
    """`targi bot ACTION`: see ACTIONS."""

    name = "bot"
    help = "register a bot, play it over the service, see what there is"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(required=True, metavar="ACTION")
        for name, action in ACTIONS.items():
            part = actions.add_parser(name, help=action.help)
            part.set_defaults(run_action=action.run)
            action.add_arguments(part)

    def run(self, args: argparse.Namespace) -> int:
        code: int = args.run_action(args)
        return code


class Action(NamedTuple):
    """One thing that is done with bots."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def _add_owned(parser: argparse.ArgumentParser) -> None:
    """For what is done to one bot of an owner."""
    parser.add_argument("bot", metavar="NAME", help=f"name of the bot: {NAME_HELP}")
    _add_owner(parser)


def _add_owner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--owner", metavar="NAME", help="own owner, where there are several")
    _add_common(parser)


def _add_shown(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="NAME", help="name of the bot")
    parser.add_argument(
        "--against", default="", metavar="NAME", help="also count the rated pairs with this bot"
    )
    _add_common(parser)


def _add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", nargs="?", default="", metavar="NAME", help="only pairs of this bot")
    parser.add_argument(
        "--limit", type=positive, default=20, metavar="N", help="most pairs shown (default: 20)"
    )
    _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    add_output_arguments(parser)


ACTIONS: Mapping[str, Action] = {
    "register": Action("register a bot of an owner and keep its token", _add_owned, bot_accounts.register),
    "run": Action(
        "play a bot over the service until it leaves; exit code 75: replaced by a newer process",
        add_run_arguments,
        run_over_service,
    ),
    "list": Action(
        "show the bots of an owner: whether each may play, and is connected",
        _add_owner,
        bot_accounts.list_bots,
    ),
    "token": Action(
        "make a new token for a bot and keep it; the old one is invalid then", _add_owned, bot_accounts.rotate
    ),
    "revoke": Action(
        "take the token of a bot away; its streams end, and its clocks run on",
        _add_owned,
        bot_accounts.revoke,
    ),
    "retire": Action(
        "retire a bot for good: what it plays goes on, nothing new starts", _add_owned, bot_accounts.retire
    ),
    "why": Action(
        "say why the ladder does not pair a bot of one's own at the moment", _add_owned, bot_accounts.why
    ),
    "online": Action("show the bots that are connected", _add_common, bot_views.show_online),
    "show": Action("show a bot of anybody's, with the ratings of its versions", _add_shown, bot_views.show),
    "results": Action(
        "show rated pairs, of one bot or of all, the newest first", _add_results, bot_views.results
    ),
}

COMMAND = BotCommand()
