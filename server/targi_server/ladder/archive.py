"""Matches that are over, as long as they are kept in Redis."""

from __future__ import annotations

from typing import Final

from targi_server.echo import echoed
from targi_server.errors import Invalid
from targi_server.ladder.finished import Finished
from targi_server.store.commands import Commands
from targi_server.store.keys import archive_key
from targi_server.store.matches import MatchStore
from targi_server.store.replies import mapping

__all__ = ["Archive"]

MILLI: Final = 1000
GRACE_S: Final = 7 * 86_400
"""How much longer a match is kept whose record could not be exported."""


class Archive:
    """Files matches, and finds them again by id, by bot, or by time.

    Each is kept for `ttl_s` seconds; with `exporting` until it is exported, too, at most GRACE_S longer.
    """

    def __init__(
        self, commands: Commands, matches: MatchStore, *, ttl_s: int, exporting: bool = False
    ) -> None:
        self._commands = commands
        self._matches = matches
        self._ttl_s = ttl_s
        self._exporting = exporting

    async def keep(self, match: Finished) -> None:
        """Puts it in place of the match and takes it out of the outbox. Idempotent."""
        header, ended_ms = match.header, match.verdict.at_ms
        for key in {archive_key(""), *(archive_key(seat.bot) for seat in header.seats)}:
            await self._commands.commands(
                [
                    ("ZADD", key, ended_ms, header.match_id),
                    ("ZREMRANGEBYSCORE", key, "-inf", ended_ms - self._ttl_s * MILLI),
                    ("EXPIRE", key, self._ttl_s),  # a bot that plays no more leaves no list
                ]
            )
        done = match.encode()
        if self._exporting:
            kept_s = self._ttl_s + GRACE_S
            await self._matches.filed(header.match_id, done, kept_s, export_ms=ended_ms)
        else:
            await self._matches.filed(header.match_id, done, self._ttl_s)

    async def get(self, match_id: str) -> Finished | None:
        """A match that was filed; None if it was not, or is kept no longer."""
        data = await self._matches.finished(match_id)
        return Finished.decode(data) if data else None

    async def newest(self, size: int, *, bot: str = "", token: str = "") -> tuple[list[str], str]:
        """Ids of filed matches (of a bot, if one is named), the last end first, and where to go on.

        `token` is that of the page before, empty for the first. Raises Invalid for one that is none.
        """
        at_ms, seen = _place(token)
        found = mapping(
            await self._commands.command(
                *("ZRANGE", archive_key(bot), at_ms, "-inf", "BYSCORE", "REV"),
                *("LIMIT", seen, size, "WITHSCORES"),
            )
        )
        ends = list(found.values())
        if len(ends) < size:
            return list(found), ""
        return list(found), f"{ends[-1]}.{ends.count(ends[-1]) + seen * (ends[-1] == at_ms)}"


def _place(token: str) -> tuple[str, int]:
    """Where a page begins: an end in ms, and how many matches with that end were on pages before."""
    at_ms, _, seen = token.partition(".")
    if token and not (at_ms.isdecimal() and seen.isdecimal()):
        raise Invalid(f"page_token {echoed(token)}: give the one that came with the page before, or none")
    return (at_ms, int(seen)) if token else ("+inf", 0)
