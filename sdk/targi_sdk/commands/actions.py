"""`targi actions`: the action vocabulary, ids and notation."""

from __future__ import annotations

import argparse

from targi_engine import ACTIONS, VOCABULARY

from targi_sdk.console import Console, add_output_arguments

__all__ = ["COMMAND", "ActionsCommand"]


class ActionsCommand:
    """`targi actions`."""

    name = "actions"
    help = "list all actions with their ids"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        console = Console.of(args)
        console.table(("id", "action"), list(enumerate(ACTIONS)))
        console.document({"vocabulary": VOCABULARY, "actions": list(ACTIONS)})
        return 0


COMMAND = ActionsCommand()
