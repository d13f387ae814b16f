"""Which token a command uses: the environment's, else one that is kept."""

from __future__ import annotations

import getpass
import re
from collections.abc import Mapping

from targi_sdk.client.address import Address
from targi_sdk.client.unary import calling
from targi_sdk.credentials import TOKEN_VARIABLE, Credentials
from targi_sdk.errors import CredentialsError, UsageError

__all__ = ["account_name", "bot_token", "owner_token", "registered_token"]

NAME = re.compile(r"[a-z][a-z0-9_-]{2,31}")
OTHER = re.compile(r"[^a-z0-9_-]+")

Environment = Mapping[str, str]


def account_name(text: str, option: str) -> str:
    """A name for a bot or an owner made of some text; `UsageError` if nothing fit is left of it."""
    name = OTHER.sub("-", text.lower()).strip("-_")[:32]
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{text!r} gives no name (3 to 32 of a-z, 0-9, - and _, the first a letter): give {option} NAME"
        )
    return name


def owner_token(environment: Environment, server: Address, name: str | None) -> str:
    """The token of an owner, by name or the only one that is kept. Raises `CredentialsError`."""
    if token := environment.get(TOKEN_VARIABLE):
        return token
    kept = Credentials.of(environment).owners(str(server))
    return _one_of(kept, name, f"owner at {server}", "`targi owner create NAME` makes one", "--owner")[1]


def bot_token(environment: Environment, server: Address, name: str | None) -> tuple[str, str]:
    """Name and token of a bot, by name or the only one that is kept. Raises `CredentialsError`.

    The name is "" for a token from the environment without a name: the server knows whose it is.
    """
    if token := environment.get(TOKEN_VARIABLE):
        return name or "", token
    kept = Credentials.of(environment).bots(str(server))
    return _one_of(kept, name, f"bot at {server}", "`targi bot register NAME` makes one", "--as")


def registered_token(environment: Environment, server: Address, bot: str, owner: str | None) -> str:
    """The token of a bot that is registered now unless it is known already, and its owner likewise."""
    credentials = Credentials.of(environment)
    if token := environment.get(TOKEN_VARIABLE) or credentials.bots(str(server)).get(bot):
        return token
    owners = credentials.owners(str(server))
    if not owners or (owner is not None and owner not in owners):
        name = owner or account_name(getpass.getuser(), "--owner")
        with calling(server) as calls:
            owners = {name: calls.create_owner(name)}
        credentials.save_owner(str(server), name, owners[name])
    _, token = _one_of(owners, owner, f"owner at {server}", "", "--owner")
    with calling(server, token) as calls:
        made = calls.register_bot(bot)
    credentials.save_bot(str(server), bot, made)
    return made


def _one_of(kept: dict[str, str], name: str | None, what: str, cure: str, option: str) -> tuple[str, str]:
    if name is not None and name in kept:
        return name, kept[name]
    if name is not None or not kept:
        named = f" {name!r}" if name else ""
        raise CredentialsError(f"no token of {what}{named} is kept: {cure}, or set {TOKEN_VARIABLE}")
    if len(kept) > 1:
        raise CredentialsError(
            f"there is more than one {what} ({', '.join(sorted(kept))}): give {option} NAME"
        )
    return next(iter(kept.items()))
