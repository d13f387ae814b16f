"""`targi owner`: the account to which bots belong."""

from __future__ import annotations

import argparse
import os

from targi_sdk.client.unary import calling
from targi_sdk.commands.server_option import add_server_arguments, server_of
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.credentials import TOKEN_VARIABLE, Credentials

__all__ = ["COMMAND", "OwnerCommand"]


class OwnerCommand:
    """`targi owner create NAME`."""

    name = "owner"
    help = "make an owner, the account to which bots belong"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        create = actions.add_parser(
            "create",
            help="make an owner and keep its token",
            description="Make an owner and keep its token. Where registration is closed an administrator "
            f"does it, whose token is in {TOKEN_VARIABLE}.",
        )
        create.add_argument("owner", metavar="NAME", help="3 to 32 of a-z, 0-9, - and _, the first a letter")
        add_server_arguments(create)
        add_output_arguments(create)

    def run(self, args: argparse.Namespace) -> int:
        server, credentials = server_of(args), Credentials.of(os.environ)
        # An administrator's token makes owners where registration is closed.
        with calling(server, os.environ.get(TOKEN_VARIABLE, "")) as calls:
            token = calls.create_owner(args.owner)
        credentials.save_owner(str(server), args.owner, token)
        console = Console.of(args)
        console.line(f"owner {args.owner} made at {server}; its token is kept in {credentials.path}")
        console.document({"owner": args.owner, "server": str(server), "token": token})
        return 0


COMMAND = OwnerCommand()
