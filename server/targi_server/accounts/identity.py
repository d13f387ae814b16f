"""Who a token speaks for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Identity", "TokenKind"]


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
    """Name of the owner; of the bot's owner for a bot's token; empty for an administrator."""
    bot: str = ""
    """Name of the bot, for a bot's token only."""
    admin: str = ""
    """Name of the administrator, for an administrator's token only."""

    @property
    def name(self) -> str:
        """What a log line calls this account."""
        return self.bot or self.owner or self.admin
