"""Bots that may not play, by an administrator's word.

The account says that a bot is banned, so its token opens nothing and it gets no place. What it holds at that
time (matches, offers, a second game that is still to come) is given up as long as there is any, whichever
replica does it and whatever crashes in between.
"""

from __future__ import annotations

from contextlib import suppress

from targi_server.accounts.store import Accounts
from targi_server.errors import UnknownOffer
from targi_server.lobby.lobby import Lobby
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.store.commands import Commands
from targi_server.store.keys import bans_key
from targi_server.store.matches import MatchStore
from targi_server.store.replies import texts

__all__ = ["Bans"]

_LOST = ("0-1", "1-0")


class Bans:
    """Bans bots, and resigns for them."""

    def __init__(self, commands: Commands, matches: MatchStore, accounts: Accounts, lobby: Lobby) -> None:
        self._commands = commands
        self._matches = matches
        self._accounts = accounts
        self._lobby = lobby

    async def ban(self, bot: str, reason: str) -> None:
        """Bans a bot; its running matches are resigned when this returns. Raises NotFound."""
        await self._accounts.ban(bot, reason)
        await self._commands.command("SADD", bans_key(), bot)
        await self._give_up(bot)

    async def unban(self, bot: str) -> None:
        """Lets it play again. Raises NotFound."""
        await self._accounts.unban(bot)
        await self._commands.command("SREM", bans_key(), bot)

    async def enforce(self) -> None:
        """Gives up what banned bots hold; to be called each second."""
        for bot in texts(await self._commands.command("SMEMBERS", bans_key())):
            await self._give_up(bot)

    async def _give_up(self, bot: str) -> None:
        held = (await self._lobby.slots.held([bot]))[bot]
        for offer_id in held.offers:
            with suppress(UnknownOffer):  # the other bot was faster, or its time is over
                await self._lobby.offers.decline(offer_id, bot, "the bot was banned")
        for match_id in held.matches:
            await self._resign(bot, match_id)
        if not held.used:
            await self._commands.command("SREM", bans_key(), bot)

    async def _resign(self, bot: str, match_id: str) -> None:
        match = await self._matches.load(match_id)
        if match is None:
            return  # it is about to start, or was just filed
        seat = [player.bot for player in match.header.seats].index(bot)
        words = f"seat {seat} was banned"
        verdict = Verdict(_LOST[seat], Termination.RESIGNED, Culprit.of_seat(seat), words)
        await self._matches.end(match_id, verdict)
