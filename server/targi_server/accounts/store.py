"""Accounts in Redis: owners, administrators, bots, and the tokens that open them."""

from __future__ import annotations

from dataclasses import dataclass

from targi_server.accounts.identity import Identity

__all__ = ["Accounts", "BotAccount"]


@dataclass(frozen=True, slots=True)
class BotAccount:
    """A bot as its owner registered it."""

    bot: str
    owner: str
    active: bool
    """Whether it has a valid token."""
    retired: bool
    created_ms: int


class Accounts:
    """Makes accounts and says whose token it is."""

    async def authenticate(self, token: str) -> Identity:
        """Who the token speaks for; BadToken if nobody. A revoked token is refused from the next call on."""
        raise NotImplementedError

    async def create_owner(self, owner: str, by: Identity | None, address: str) -> str:
        """Makes an owner and returns its token. Raises RegistrationClosed, Limit, Invalid, NameTaken."""
        raise NotImplementedError

    async def create_admin(self, admin: str) -> str:
        """Makes an administrator's token (a new one, if the name has one)."""
        raise NotImplementedError

    async def rotate_owner_token(self, owner: str) -> str:
        """Replaces the token of an owner."""
        raise NotImplementedError

    async def register_bot(self, owner: str, bot: str) -> str:
        """Registers a bot and returns its token. Raises Invalid, NameTaken."""
        raise NotImplementedError

    async def rotate_bot_token(self, owner: str, bot: str) -> str:
        """Replaces the token of a bot. Raises NotFound, BotPaused for a retired one."""
        raise NotImplementedError

    async def revoke_bot_token(self, owner: str, bot: str) -> None:
        """Takes the token of a bot away. Raises NotFound."""
        raise NotImplementedError

    async def retire_bot(self, owner: str, bot: str) -> None:
        """Retires a bot: nothing new starts. Raises NotFound."""
        raise NotImplementedError

    async def bots(self, owner: str) -> list[BotAccount]:
        """Bots of an owner, by name."""
        raise NotImplementedError

    async def bot(self, bot: str) -> BotAccount:
        """One bot. Raises NotFound."""
        raise NotImplementedError
