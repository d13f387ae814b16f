"""Ends that a bot was not there to hear."""

from __future__ import annotations

from collections.abc import Sequence

from targi_engine import EngineError

from targi_server.ladder.archive import Archive
from targi_server.lobby.slots import Slots
from targi_server.match.entries import Entry
from targi_server.match.model import MatchHeader, Verdict
from targi_server.match.versions import is_replayable
from targi_server.play import replay
from targi_server.play.endings import match_ended
from targi_server.play.session import Session
from targi_server.store.matches import MatchStore

__all__ = ["Untold"]


class Untold:
    """Tells bots of matches that ended while they were away."""

    def __init__(self, store: MatchStore, archive: Archive, slots: Slots) -> None:
        self._store = store
        self._archive = archive
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
            return _ended(stored.header, stored.entries, stored.live.clocks, stored.live.verdict)
        filed = await self._archive.get(match_id)
        if filed is not None:
            return _ended(filed.header, filed.entries, filed.clocks, filed.verdict)
        return None


def _ended(header: MatchHeader, entries: Sequence[Entry], clocks: tuple[int, int], verdict: Verdict) -> bytes:
    if not is_replayable(header):
        return match_ended(header, None, clocks, verdict)
    try:
        state, _ = replay.start(header)
        replay.follow(state, entries)
    except EngineError:  # it ended for that very reason
        return match_ended(header, None, clocks, verdict)
    return match_ended(header, state, clocks, verdict)
