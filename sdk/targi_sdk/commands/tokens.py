"""Which token a command uses: the environment's, else one that is kept, else one that is made now."""

from __future__ import annotations

import getpass
import re
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from targi_sdk.client.address import Address
from targi_sdk.client.unary import calling
from targi_sdk.credentials import TOKEN_VARIABLE, Credentials
from targi_sdk.errors import CredentialsError, RefusedError, UsageError

__all__ = ["BOT", "NAME_HELP", "OWNER", "Account", "Keyring", "account_name", "keep_token"]

NAME = re.compile(r"[a-z][a-z0-9_-]{2,31}")
NAME_HELP = "3 to 32 of a-z, 0-9, - and _, the first a letter"
OTHER = re.compile(r"[^a-z0-9_-]+")
TAKEN = "NAME_TAKEN"
PATIENCE_S = 1.0
"""How long the token of a name that is taken may come from another command of this user."""
LOOK_EVERY_S = 0.02


def account_name(text: str, option: str) -> str:
    """A name for a bot or an owner made of some text; `UsageError` if nothing fit is left of it."""
    name = OTHER.sub("-", text.lower()).strip("-_")[:32]
    if not NAME.fullmatch(name):
        raise UsageError(f"{text!r} gives no name ({NAME_HELP}): give {option} NAME")
    return name


class Account(NamedTuple):
    """A kind of account that `Keyring` makes."""

    what: str
    option: str
    """The option that gives another name."""
    kept: Callable[[Credentials, str], dict[str, str]]
    save: Callable[[Credentials, str, str, str], None]

    def taken(self, name: str) -> str:
        """Words about a name that somebody else has."""
        return (
            f"the {self.what} name {name!r} is taken, and its token is not kept here:"
            f" choose another with {self.option} NAME"
        )


OWNER = Account("owner", "--owner", Credentials.owners, Credentials.save_owner)
BOT = Account("bot", "--name", Credentials.bots, Credentials.save_bot)


def keep_token(account: Account, credentials: Credentials, server: str, name: str, token: str) -> None:
    """Keep the token of an account, which the server never shows again.

    Raises `CredentialsError` with the token where it cannot be kept: else the account would be lost.
    """
    try:
        account.save(credentials, server, name, token)
    except CredentialsError as error:
        words = f"{error}; the token of {account.what} {name}, shown this once: {token}"
        raise CredentialsError(words) from error


class Keyring:
    """The tokens of one user for one server."""

    def __init__(self, environment: Mapping[str, str], server: Address) -> None:
        self.credentials = Credentials.of(environment)
        self._server = server
        self._given = environment.get(TOKEN_VARIABLE, "")

    def owner(self, name: str | None) -> str:
        """The token of an owner, by name or the only one that is kept. Raises `CredentialsError`."""
        return self._given or self._owner(name, self.credentials.owners(str(self._server)))

    def kept_owner(self, name: str | None) -> tuple[str, str]:
        """Name and token of a kept owner, by name or the only one. Raises `CredentialsError`."""
        return self._kept_owner(name, self.credentials.owners(str(self._server)), "NAME")

    def bot(self, name: str | None) -> tuple[str, str]:
        """Name and token of a bot, by name or the only one that is kept. Raises `CredentialsError`.

        The name is "" for a token from the environment without one: the server knows whose it is.
        """
        if self._given:
            return name or "", self._given
        kept = self.credentials.bots(str(self._server))
        return _one_of(kept, name, "bot", f"run `targi bot register {name or 'NAME'}`", "--as NAME")

    def registered(self, bot: str, owner: str | None) -> str:
        """The token of a bot, which is registered now unless it is known; so is its owner."""
        if token := self._given or self.credentials.bots(str(self._server)).get(bot):
            return token
        owners = self.credentials.owners(str(self._server))
        known = bool(owners) if owner is None else owner in owners
        token = self._owner(owner, owners) if known else self._make_owner(owner)
        with calling(self._server, token) as calls:
            return self._made(BOT, bot, calls.register_bot)

    def _owner(self, name: str | None, kept: dict[str, str]) -> str:
        return self._kept_owner(name, kept, "--owner NAME")[1]

    def _kept_owner(self, name: str | None, kept: dict[str, str], give: str) -> tuple[str, str]:
        return _one_of(kept, name, "owner", f"run `targi owner create {name or 'NAME'}`", give)

    def _make_owner(self, owner: str | None) -> str:
        name = owner or account_name(getpass.getuser(), "--owner")
        with calling(self._server) as calls:
            return self._made(OWNER, name, calls.create_owner)

    def _made(self, account: Account, name: str, make: Callable[[str], str]) -> str:
        """The token of a new account, which is kept; or the one that a command beside this one just kept."""
        server = str(self._server)
        try:
            token = make(name)
        except RefusedError as error:
            if error.reason != TAKEN:
                raise
            if kept := _awaited(lambda: account.kept(self.credentials, server).get(name)):
                return kept
            raise RefusedError(TAKEN, account.taken(name)) from error
        keep_token(account, self.credentials, server, name, token)
        return token


def _awaited(look: Callable[[], str | None]) -> str | None:
    """What is found, now or soon: whoever made an account keeps its token a moment later."""
    until = time.monotonic() + PATIENCE_S
    while not (found := look()) and time.monotonic() < until:
        time.sleep(LOOK_EVERY_S)
    return found


def _one_of(kept: dict[str, str], name: str | None, what: str, cure: str, give: str) -> tuple[str, str]:
    if name is not None and name in kept:
        return name, kept[name]
    if name is not None or not kept:
        named = f"the {what} {name!r}" if name else f"any {what}"
        raise CredentialsError(
            f"no token of {named} is kept for this server: {cure}, or set {TOKEN_VARIABLE}"
        )
    if len(kept) > 1:
        raise CredentialsError(f"there is more than one {what} ({', '.join(sorted(kept))}): give {give}")
    return next(iter(kept.items()))
