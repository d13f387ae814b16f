"""Ends that a bot was not there to hear."""

from __future__ import annotations

from targi_server.lobby.slots import Slots
from targi_server.match.model import StoredMatch
from targi_server.play import replay
from targi_server.play.endings import match_ended
from targi_server.play.session import Session
from targi_server.store.matches import MatchStore

__all__ = ["Untold"]


class Untold:
    """Tells bots of matches that ended while they were away."""

    def __init__(self, store: MatchStore, slots: Slots) -> None:
        self._store = store
        self._slots = slots

    async def tell(self, session: Session, match_id: str) -> None:
        """Send the MatchEnded of a match, filed or not; one that nobody knows any more is crossed out."""
        event = await self._event(match_id)
        if event is None:
            await self._slots.told(session.bot, match_id)
        elif match_id not in session.ends:
            session.push(event)
            session.ends.sent(match_id)

    async def _event(self, match_id: str) -> bytes | None:
        stored = await self._store.load(match_id)
        if stored is not None and stored.live.verdict is not None:
            return _ended(stored)
        return None


def _ended(stored: StoredMatch) -> bytes:
    assert stored.live.verdict is not None
    state, _ = replay.start(stored.header)
    replay.follow(state, stored.entries)
    return match_ended(stored.header, state, stored.live.clocks, stored.live.verdict)
