"""Who a token speaks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["HOUSE", "Identity", "TokenKind"]

HOUSE = "house"
"""Owner of the bots that the server brings along; only administrators make it."""


class TokenKind(StrEnum):
    """Whose token it is; the word stands in the token itself."""

    OWNER = "owner"
    BOT = "bot"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Identity:
    """The account behind a token."""

    kind: TokenKind
    owner: str
    """Name of the owner; for a bot's token of the bot's owner, for an administrator's token its own."""
    bot: str = ""
    """Name of the bot, for a bot's token only."""
    digest: str = field(default="", repr=False, compare=False)
    """What is kept of the token: a stream ends once its account has another one."""

    @property
    def is_admin(self) -> bool:
        """Whether it is an administrator's."""
        return self.kind is TokenKind.ADMIN
