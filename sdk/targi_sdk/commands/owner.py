"""`targi owner`: the account to which bots belong."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping

from targi_sdk.client.unary import calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.commands.tokens import NAME_HELP, OWNER, Keyring, keep_token
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.credentials import TOKEN_VARIABLE, Credentials

__all__ = ["COMMAND", "OwnerCommand"]


class OwnerCommand:
    """`targi owner create|token`."""

    name = "owner"
    help = "make an owner, the account to which bots belong, or a new token for one"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        create = actions.add_parser(
            "create",
            help="make an owner and keep its token",
            description="Make an owner and keep its token. Where registration is closed an administrator "
            f"does it, whose token is in {TOKEN_VARIABLE}.",
        )
        create.add_argument("owner", metavar="NAME", help=f"name of the owner: {NAME_HELP}")
        token = actions.add_parser(
            "token",
            help="make a new token for an owner and keep it; the old one is invalid then",
            description="Make a new token for an owner and keep it; the old one is invalid then, those of "
            f"its bots stay. If the old one is in {TOKEN_VARIABLE}, the new one is printed and not kept.",
        )
        token.add_argument("owner", nargs="?", metavar="NAME", help="own owner, where there are several")
        for action in (create, token):
            add_server_arguments(action)
            add_output_arguments(action)

    def run(self, args: argparse.Namespace) -> int:
        return ACTIONS[args.action](args)


def _create(args: argparse.Namespace) -> int:
    server = server_of(args)
    # An administrator's token makes owners where registration is closed.
    with calling(server, os.environ.get(TOKEN_VARIABLE, "")) as calls:
        token = calls.create_owner(args.owner)
    return _keep(args, args.owner, token, f"owner {args.owner} made at {server}")


def _rotate(args: argparse.Namespace) -> int:
    server = server_of(args)
    keyring = Keyring(os.environ, server)
    given, name = os.environ.get(TOKEN_VARIABLE, ""), args.owner
    if not given:
        name, old = keyring.kept_owner(args.owner)
    with calling(server, given or old) as calls:
        token = calls.rotate_owner_token()
    if not given:
        return _keep(args, name, token, f"owner {name} has a new token at {server}")
    console = Console.of(args)
    console.line(f"new token at {server}, shown this once, instead of that in {TOKEN_VARIABLE}: {token}")
    console.document({"owner": name, "server": str(server), "token": token})
    return 0


def _keep(args: argparse.Namespace, name: str, token: str, words: str) -> int:
    server, credentials = str(server_of(args)), Credentials.of(os.environ)
    keep_token(OWNER, credentials, server, name, token)
    console = Console.of(args)
    console.line(f"{words}; its token is kept in {credentials.path}")
    console.document({"owner": name, "server": server, "token": token})
    return 0


ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {"create": _create, "token": _rotate}

COMMAND = OwnerCommand()
