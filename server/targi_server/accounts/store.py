"""Accounts in Redis: owners, administrators, bots, and the tokens that open them.

An account holds the SHA-256 of its token; a second key leads from that hash to the account. The hash in the
account decides: a leftover of the other kind, after a crash between the two writes, opens nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from targi_server.accounts import tokens
from targi_server.accounts.identity import HOUSE, Identity, TokenKind
from targi_server.accounts.names import checked_name
from targi_server.accounts.registrations import Registrations
from targi_server.echo import echoed
from targi_server.errors import (
    BadToken,
    BotPaused,
    Forbidden,
    Invalid,
    Limit,
    NameTaken,
    NotFound,
    RegistrationClosed,
    ServerError,
)
from targi_server.store.commands import Commands
from targi_server.store.keys import account_key, owned_key, token_key
from targi_server.store.replies import mapping, number, optional, text, texts

__all__ = ["Accounts", "BotAccount"]

T = TypeVar("T")

FIRST_ADMIN = "admin"
_UNKNOWN_TOKEN = "the token is unknown or was revoked: get a new one from the owner of the account"
_NO_REASON = "no reason was given"


@dataclass(frozen=True, slots=True)
class BotAccount:
    """A bot as its owner registered it."""

    bot: str
    owner: str
    active: bool
    """Whether it has a valid token."""
    retired: bool
    created_ms: int
    banned: str = ""
    """Why an administrator banned it, empty if none did."""

    @property
    def may_start(self) -> bool:
        """Whether new matches may start."""
        return not (self.retired or self.banned)


class Accounts:
    """Makes accounts and says whose token it is. Names and tokens are checked here."""

    def __init__(
        self,
        commands: Commands,
        *,
        open_registration: bool = False,
        registrations_per_hour: int = 20,
        bots_per_owner: int = 50,
    ) -> None:
        self._commands = commands
        self._open = open_registration
        self._most_bots = bots_per_owner
        self._registrations = Registrations(commands, registrations_per_hour)

    async def authenticate(self, token: str) -> Identity:
        """Who the token speaks for. A revoked token is refused from the next call on.

        Raises BadToken if it speaks for nobody, BotPaused for the token of a banned bot.
        """
        kind, digest = tokens.kind_of(token), tokens.digest(token)
        name = optional(await self._commands.command("GET", token_key(kind, digest)))
        if name is None:
            raise BadToken(_UNKNOWN_TOKEN)
        account = mapping(await self._commands.command("HGETALL", account_key(kind, name)))
        if not tokens.same(account.get("token", ""), digest):
            raise BadToken(_UNKNOWN_TOKEN)
        if account.get("banned"):
            raise _banned(name, account["banned"])
        return Identity(kind, account["owner"], name if kind is TokenKind.BOT else "", digest)

    async def objections(self, digests: Mapping[str, str]) -> Mapping[str, ServerError]:
        """Of bots that came in with tokens of these digests, those that may not stay, and why."""
        accounts = await self._bot_accounts(digests)
        found = ((bot, _objection(bot, accounts[bot], digest)) for bot, digest in digests.items())
        return {bot: error for bot, error in found if error is not None}

    async def create_owner(self, owner: str, by: Identity | None, address: str) -> str:
        """Makes an owner and returns its token.

        `by` is who asks, None without a token; `address` is where from. Administrators may always; others
        only where registration is open. Raises RegistrationClosed, Forbidden, Limit, Invalid, NameTaken.
        """
        checked_name(owner, "owner")
        if by is None or not by.is_admin:
            await self._admit(owner, address)
        return await self._create(TokenKind.OWNER, owner, owner)

    async def create_admin(self, admin: str) -> str:
        """Makes an administrator's token; a name that has one gets a new one. Raises Invalid."""
        checked_name(admin, "administrator")
        try:
            return await self._create(TokenKind.ADMIN, admin, admin)
        except NameTaken:
            return await self._rotate(TokenKind.ADMIN, admin)

    async def first_admin(self) -> str | None:
        """Makes the administrator "admin" and returns its token; None where it was made before."""
        try:
            return await self._create(TokenKind.ADMIN, FIRST_ADMIN, FIRST_ADMIN)
        except NameTaken:
            return None

    async def revoke_admin(self, admin: str, by: str) -> None:
        """Takes the token of an administrator away. Raises NotFound, Invalid for one's own.

        So at least whoever does it can still administer.
        """
        if admin == by:
            raise Invalid("this token is your own: make a new one for yourself, the old one is invalid then")
        if not await self._swap(TokenKind.ADMIN, admin, ""):
            raise NotFound(f"there is no administrator {echoed(admin)} with a token")

    async def rotate_owner_token(self, owner: str) -> str:
        """Replaces the token of an owner."""
        return await self._rotate(TokenKind.OWNER, owner)

    async def register_bot(self, owner: str, bot: str) -> str:
        """Registers a bot and returns its token. Raises Invalid, NameTaken, Limit."""
        checked_name(bot, "bot")
        if number(await self._commands.command("SCARD", owned_key(owner))) >= self._most_bots:
            raise Limit(f"an owner may register {self._most_bots} bots: go on with one that you have")
        # In the list first: a listed one that does not exist is passed over, an unlisted one would be lost.
        await self._commands.command("SADD", owned_key(owner), bot)
        try:
            return await self._create(TokenKind.BOT, bot, owner)
        except NameTaken:
            if (await self.bot(bot)).owner != owner:
                await self._commands.command("SREM", owned_key(owner), bot)
            raise

    async def rotate_bot_token(self, owner: str, bot: str) -> str:
        """Replaces the token of a bot. Raises NotFound, BotPaused for a retired one."""
        if (await self._own(owner, bot)).retired:
            raise BotPaused(f"bot {bot!r} is retired: register another one")
        return await self._rotate(TokenKind.BOT, bot)

    async def revoke_bot_token(self, owner: str, bot: str) -> None:
        """Takes the token of a bot away. Raises NotFound."""
        await self._own(owner, bot)
        await self._swap(TokenKind.BOT, bot, "")

    async def retire_bot(self, owner: str, bot: str) -> None:
        """Retires a bot: nothing new starts. Raises NotFound."""
        await self._own(owner, bot)
        await self._commands.command("HSET", account_key(TokenKind.BOT, bot), "retired", 1)

    async def ban(self, bot: str, reason: str) -> None:
        """Bans a bot: its token opens nothing, and nothing new starts. Raises NotFound."""
        account = account_key(TokenKind.BOT, (await self.bot(bot)).bot)
        await self._commands.command("HSET", account, "banned", reason or _NO_REASON)

    async def unban(self, bot: str) -> None:
        """Lifts the ban of a bot. Raises NotFound for one that is not banned."""
        if not (await self.bot(bot)).banned:
            raise NotFound(f"the bot {bot!r} is not banned")
        await self._commands.command("HDEL", account_key(TokenKind.BOT, bot), "banned")

    async def bots(self, owner: str) -> list[BotAccount]:
        """Bots of an owner, by name."""
        names = sorted(texts(await self._commands.command("SMEMBERS", owned_key(owner))))
        return [bot for bot in (await self.look_up(names)).values() if bot.owner == owner]

    async def bot(self, bot: str) -> BotAccount:
        """One bot. Raises NotFound."""
        found = await self.look_up([bot])
        if bot not in found:
            raise NotFound(f"there is no bot {echoed(bot)}")
        return found[bot]

    async def look_up(self, bots: Iterable[str]) -> Mapping[str, BotAccount]:
        """Those of the bots that exist, in the order of the names given."""
        accounts = await self._bot_accounts(bots)
        return {bot: _bot_account(bot, account) for bot, account in accounts.items() if account}

    async def _bot_accounts(self, bots: Iterable[str]) -> dict[str, dict[str, str]]:
        names = list(bots)
        replies = await self._commands.commands([("HGETALL", account_key(TokenKind.BOT, n)) for n in names])
        return dict(zip(names, map(mapping, replies), strict=True))

    async def _admit(self, owner: str, address: str) -> None:
        if owner == HOUSE:
            raise Forbidden(f"the owner {HOUSE!r} is made by administrators only: take another name")
        if not self._open:
            raise RegistrationClosed("registration is closed here: ask an administrator for an owner account")
        await self._registrations.admit(address, owner)

    async def _own(self, owner: str, bot: str) -> BotAccount:
        account = await self.bot(bot)
        if account.owner != owner:
            raise NotFound(f"owner {owner!r} has no bot {echoed(bot)}")
        return account

    async def _create(self, kind: TokenKind, name: str, owner: str) -> str:
        return await _whole(self._created(kind, name, owner))

    async def _created(self, kind: TokenKind, name: str, owner: str) -> str:
        token = tokens.make(kind)
        digest = tokens.digest(token)
        await self._commands.command("SET", token_key(kind, digest), name)
        if number(await self._commands.script("account", [account_key(kind, name)], [digest, owner])):
            return token
        await self._commands.command("DEL", token_key(kind, digest))
        raise NameTaken(f"the {kind} name {name!r} is taken: choose another one")

    async def _rotate(self, kind: TokenKind, name: str) -> str:
        return await _whole(self._rotated(kind, name))

    async def _rotated(self, kind: TokenKind, name: str) -> str:
        token = tokens.make(kind)
        await self._commands.command("SET", token_key(kind, tokens.digest(token)), name)
        await self._swapped(kind, name, tokens.digest(token))
        return token

    async def _swap(self, kind: TokenKind, name: str, digest: str) -> bool:
        return await _whole(self._swapped(kind, name, digest))

    async def _swapped(self, kind: TokenKind, name: str, digest: str) -> bool:
        """Whether there was a token before, which is invalid now."""
        old = text(await self._commands.script("swap", [account_key(kind, name)], [digest]))
        if old:
            await self._commands.command("DEL", token_key(kind, old))
        return bool(old)


async def _whole(work: Coroutine[object, object, T]) -> T:
    """Does all of it, also if the caller goes away meanwhile: else callers could fill Redis with halves."""
    return await asyncio.shield(asyncio.create_task(work))


def _bot_account(bot: str, account: Mapping[str, str]) -> BotAccount:
    return BotAccount(
        bot,
        account["owner"],
        active=bool(account["token"]),
        retired=account.get("retired") == "1",
        created_ms=int(account["created"]),
        banned=account.get("banned", ""),
    )


def _objection(bot: str, account: Mapping[str, str], digest: str) -> ServerError | None:
    if account.get("banned"):
        return _banned(bot, account["banned"])
    if not tokens.same(account.get("token", ""), digest):
        return BadToken("the token of this stream was revoked or replaced: connect with the new one")
    return None


def _banned(bot: str, reason: str) -> BotPaused:
    return BotPaused(f"an administrator banned the bot {bot!r}: {reason}")
