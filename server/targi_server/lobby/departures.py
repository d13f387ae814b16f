"""Bots that leave between their Ready and their seat: by themselves, or because the server sent them away.

A match is created for two bots that were ready, and each is away until its replica seats it. That is the
server's time, unless the bot has gone by itself meanwhile. So whoever sees a bot off notes on its places how
it left; whoever creates a match looks at that afterwards, and whoever saw the bot off looks for matches that
were created before: one of the two comes second, and knows.
"""

from __future__ import annotations

from targi_server.store.commands import Commands
from targi_server.store.keys import bot_keys, lobby_keys
from targi_server.store.replies import number, texts

__all__ = ["Departures"]


class Departures:
    """How bots left, kept with the places that they hold."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def note(self, bot: str, *, by_itself: bool) -> list[str]:
        """Notes how a bot left whose session was released; returns the matches on its places."""
        return texts(await self._commands.script("left", [bot_keys(bot).slots], [int(by_itself)]))

    async def is_gone(self, bot: str, offer_id: str) -> bool:
        """Whether a bot left by itself since it had a place for an offer, and is not connected anywhere."""
        keys = [bot_keys(bot).slots, lobby_keys(bot).online]
        return number(await self._commands.script("gone", keys, [bot, offer_id])) == 1
