"""Streams end when what let them in is taken away."""

from __future__ import annotations

from collections.abc import Mapping

from targi_server.accounts.store import Accounts
from targi_server.play.session import Session
from targi_server.play.sessions import Sessions

__all__ = ["Doorkeeper"]


class Doorkeeper:
    """Looks whether the connected bots would still be let in, wherever their tokens were changed."""

    def __init__(self, sessions: Sessions, accounts: Accounts) -> None:
        self._sessions = sessions
        self._accounts = accounts

    async def look(self) -> None:
        """End streams of banned bots, and of tokens that are no longer valid; to be called each second."""
        await self._sessions.look(self._look_at)

    async def _look_at(self, present: Mapping[str, Session]) -> None:
        digests = {bot: session.digest for bot, session in present.items()}
        for bot, error in (await self._accounts.objections(digests)).items():
            present[bot].close(error)
