"""Matches for anybody who asks: running or over, without what is secret."""

from __future__ import annotations

from dataclasses import dataclass

from targi_engine import EngineError, State

from targi_server.accounts.identity import Identity
from targi_server.errors import NotAvailable, NotFound
from targi_server.ladder.archive import Archive
from targi_server.match.entries import Entry
from targi_server.match.model import Culprit, MatchHeader, Termination, Verdict
from targi_server.play import replay
from targi_server.store.matches import MatchStore

__all__ = ["Lookup", "Seen"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One match. The header carries secrets: whoever shows it goes by `play.redact`."""

    header: MatchHeader
    entries: tuple[Entry, ...]
    clocks: tuple[int, int]
    strikes: tuple[int, int]
    verdict: Verdict | None
    """None while it runs."""

    def position(self) -> State | None:
        """Where it stands, or stood at its end; None if its log does not replay."""
        try:
            state, _ = replay.start(self.header)
            replay.follow(state, self.entries)
        except EngineError:
            return None
        return state

    def private_error(self, caller: Identity | None) -> str:
        """What a bot sent of its own failure; empty unless `caller` speaks for its owner, or administers."""
        verdict = self.verdict
        if caller is None or verdict is None or verdict.termination is not Termination.BOT_ERROR:
            return ""
        owner = self.header.seats[verdict.culprit is Culprit.SEAT1].owner
        return verdict.words if caller.is_admin or caller.owner == owner else ""


class Lookup:
    """Finds matches and records."""

    def __init__(self, store: MatchStore, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    async def match(self, match_id: str) -> Seen:
        """A match that runs, or is over and still kept. Raises NotFound."""
        stored = await self._store.load(match_id)
        if stored is not None:
            live = stored.live
            return Seen(stored.header, stored.entries, live.clocks, live.strikes, live.verdict)
        filed = await self._archive.get(match_id)
        if filed is None:
            raise NotFound(f"there is no match {match_id[:40]!r}, or it is kept no longer")
        return Seen(filed.header, filed.entries, filed.clocks, filed.strikes, filed.verdict)

    async def record(self, match_id: str) -> str:
        """Record of a match that is over. Raises NotFound, NotAvailable while it runs."""
        filed = await self._archive.get(match_id)
        if filed is not None and filed.record:
            return filed.record
        seen = await self.match(match_id)
        if seen.verdict is None:
            raise NotAvailable("the match is not over: its record is there when it has ended")
        if filed is not None:
            raise NotFound("this match has no record, because its log does not replay")
        raise NotAvailable("the match has just ended: its record is there in a moment")
