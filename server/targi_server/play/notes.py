"""What bots say about their own moves: kept beside a running match for its record."""

from __future__ import annotations

from targi_server.store.commands import Commands
from targi_server.store.keys import notes_key

__all__ = ["NOTE_LENGTH", "Notes"]

NOTE_LENGTH = 200
"""Characters of a note that are kept."""

_KEPT_S = 7 * 86_400


class Notes:
    """Notes by match and ply. They are comments: a lost one is no harm, and none is shown before the end."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def keep(self, match_id: str, ply: int, note: str) -> None:
        """Keep the note of the action at `ply`."""
        key = notes_key(match_id)
        await self._commands.commands([("HSET", key, str(ply), note[:NOTE_LENGTH]), ("EXPIRE", key, _KEPT_S)])

    async def of(self, match_id: str) -> dict[int, str]:
        """All notes of a match, by ply."""
        reply = await self._commands.command("HGETALL", notes_key(match_id))
        texts = (
            [part.decode() for part in reply if isinstance(part, bytes)] if isinstance(reply, list) else []
        )
        return dict(zip(map(int, texts[::2]), texts[1::2], strict=True))
