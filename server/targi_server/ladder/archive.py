"""Matches that are over, as long as they are kept."""

from __future__ import annotations

from typing import Final

from targi_server.errors import Invalid
from targi_server.ladder.finished import Finished
from targi_server.store.commands import Commands
from targi_server.store.keys import archive_key
from targi_server.store.matches import MatchStore
from targi_server.store.replies import mapping

__all__ = ["Archive"]

MILLI: Final = 1000


class Archive:
    """Files matches, and finds them again by id, by bot, or by time."""

    def __init__(self, commands: Commands, matches: MatchStore, *, ttl_s: int) -> None:
        self._commands = commands
        self._matches = matches
        self._ttl_s = ttl_s

    async def keep(self, match: Finished) -> None:
        """Puts it in place of the match and takes it out of the outbox. Idempotent."""
        header, ended_ms = match.header, match.verdict.at_ms
        for key in {archive_key(""), *(archive_key(seat.bot) for seat in header.seats)}:
            await self._commands.commands(
                [
                    ("ZADD", key, ended_ms, header.match_id),
                    ("ZREMRANGEBYSCORE", key, "-inf", ended_ms - self._ttl_s * MILLI),
                ]
            )
        await self._matches.filed(header.match_id, match.encode(), self._ttl_s)

    async def get(self, match_id: str) -> Finished | None:
        """A match that was filed; None if it was not, or is kept no longer."""
        data = await self._matches.finished(match_id)
        return Finished.decode(data) if data else None

    async def newest(self, size: int, *, bot: str = "", token: str = "") -> tuple[list[str], str]:
        """Ids of filed matches (of a bot, if one is named), the last end first, and where to go on.

        `token` is that of the page before, empty for the first. Raises Invalid for one that is none.
        """
        before = _before(token)
        found = mapping(
            await self._commands.command(
                "ZRANGE", archive_key(bot), before, "-inf", "BYSCORE", "REV", "LIMIT", 0, size, "WITHSCORES"
            )
        )
        full = len(found) == size
        return list(found), min(found.values(), key=int) if full else ""


def _before(token: str) -> str:
    if token and not token.isdecimal():
        raise Invalid(f"page_token {token[:40]!r}: give the one that came with the page before, or none")
    return f"({token}" if token else "+inf"
