"""`targi admin`: what administrators do with a running arena."""

import argparse
import asyncio
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from targi.v1 import admin_service_pb2 as pb
from targi_sdk.printable import printable

from targi_server.commands.address import add_address, address_of
from targi_server.commands.client import administer
from targi_server.commands.serve import failed
from targi_server.start_errors import BadSetting, NotDone, StartError

__all__ = ["COMMAND", "Admin"]

TOKEN = "TARGI_TOKEN"
NO_TOKEN = (
    f"no administrator's token: set {TOKEN}, or give --token-file (`targi serve --init` prints the first)"
)
EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be done: how it is asked for, sent, and told."""

    method: str
    """Of AdminService."""
    help: str
    field: str
    """Of the request: what it is done to."""
    about: str
    """What is to be given for that field."""
    optional: bool
    """Whether the field may stay empty."""
    reasoned: bool
    """Whether there is a reason to give."""
    # Requests and responses have another type for every method, hence Any.
    done: Callable[[str, Any], str]
    """What to say afterwards, of the field's value and the response."""


ACTS: Mapping[str, Act] = {
    "pause": Act(
        "PausePairing",
        "make no new rated pairs; what runs goes on",
        "ruleset",
        "ruleset to pause (default: all)",
        True,
        True,
        lambda ruleset, _: f"pairing of {ruleset or EVERYTHING} is paused",
    ),
    "resume": Act(
        "ResumePairing",
        "make rated pairs again",
        "ruleset",
        "ruleset to resume (default: all)",
        True,
        False,
        lambda ruleset, _: f"pairing of {ruleset or EVERYTHING} goes on",
    ),
    "abort": Act(
        "AbortMatch",
        "end a match without a contest; its pair is void",
        "match_id",
        "id of the match",
        False,
        True,
        lambda match_id, _: f"match {match_id} is aborted",
    ),
    "ban": Act(
        "BanBot",
        "ban a bot: it resigns its matches and cannot connect",
        "bot",
        "name of the bot",
        False,
        True,
        lambda bot, _: f"bot {bot} is banned",
    ),
    "unban": Act(
        "UnbanBot",
        "lift the ban of a bot",
        "bot",
        "name of the bot",
        False,
        False,
        lambda bot, _: f"bot {bot} may play again",
    ),
    "drain": Act(
        "Drain",
        "send the bots of a worker to others; it takes none until it is started again",
        "replica",
        "name of the worker, as in the log of its server (default: the one that answers)",
        True,
        False,
        lambda replica, response: drained(response.replica or replica),
    ),
}
TOKEN_ACTS: Mapping[str, Act] = {
    "create": Act(
        "CreateAdminToken",
        "make an administrator's token; an older one of that name is invalid then",
        "admin",
        "name of the administrator",
        False,
        False,
        lambda admin, response: f"token of {admin}, shown this once: {response.token}",
    ),
    "revoke": Act(
        "RevokeAdminToken",
        "take an administrator's token away",
        "admin",
        "name of the administrator",
        False,
        False,
        lambda admin, _: f"the token of {admin} is invalid now",
    ),
}


def drained(replica: str) -> str:
    """That a worker drains, and what ends that. A server of an earlier version may leave the name out."""
    name = f"worker {replica}" if replica else "the worker that answered"
    pid = f"`replica={replica} pid=..`" if replica else "`replica=.. pid=..`"
    return (
        f"{name} drains: its bots go elsewhere, and it takes no streams until it is started again."
        f" SIGTERM to it does that: its supervisor starts a new worker at once. The log has its pid ({pid})."
    )


class Admin:
    """The command; exit code 0 when it is done, 1 with the reason when it is not."""

    name = "admin"
    help = "pause, abort, ban, drain: what administrators do with a running arena"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """One sub-command for each act; those on tokens have a word more."""
        actions = parser.add_subparsers(required=True, metavar="ACTION")
        add_acts(actions, ACTS)
        token = actions.add_parser("token", help="make an administrator's token, or take it away")
        add_acts(token.add_subparsers(required=True, metavar="ACTION"), TOKEN_ACTS)

    def run(self, args: argparse.Namespace) -> int:
        """Does it and says so."""
        act: Act = args.act
        fields = {act.field: getattr(args, act.field), **({"reason": args.reason} if act.reasoned else {})}
        try:
            address, token = address_of(args, os.environ), token_of(args.token_file, os.environ)
            request = getattr(pb, f"{act.method}Request")(**fields)
            response = asyncio.run(administer(address, token, act.method, request))
        except StartError as error:
            return failed(error)
        answer = {name.name: value for name, value in response.ListFields()}
        document = json.dumps({"done": act.method, **fields, **answer})
        print(printable(document if args.json else act.done(fields[act.field], response)))
        return 0


def add_acts(actions: "argparse._SubParsersAction[argparse.ArgumentParser]", acts: Mapping[str, Act]) -> None:
    """Declares the arguments of each act."""
    for name, act in acts.items():
        parser = actions.add_parser(name, help=act.help)
        parser.set_defaults(act=act)
        parser.add_argument(
            act.field,
            metavar=act.field.partition("_")[0].upper(),
            help=act.about,
            nargs="?" if act.optional else None,
            default="",
        )
        if act.reasoned:
            parser.add_argument(
                "--reason",
                default="",
                metavar="TEXT",
                help="why: kept in the log of acts, and shown to the bots concerned",
            )
        parser.add_argument(
            "--token-file", type=Path, metavar="FILE", help=f"file with the token (default: ${TOKEN})"
        )
        add_address(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def token_of(file: Path | None, environment: Mapping[str, str]) -> str:
    """The administrator's token. Raises NotDone, BadSetting."""
    try:
        token = environment.get(TOKEN, "") if file is None else file.read_text()
    except (OSError, UnicodeError) as error:
        words = f"it cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}"
        raise BadSetting("--token-file", str(file), words) from error
    if not token.strip():
        raise NotDone(NO_TOKEN)
    return token.strip()


COMMAND = Admin()
