"""Matches for anybody who asks: running or over, without what is secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from targi_engine import EngineError, State

from targi_server.accounts.identity import Identity
from targi_server.echo import echoed
from targi_server.errors import NotAvailable, NotFound
from targi_server.ladder.archive import Archive
from targi_server.ladder.finished import Finished
from targi_server.match.entries import Entry
from targi_server.match.incidents import Incident
from targi_server.match.model import Culprit, MatchHeader, StoredMatch, Termination, Verdict
from targi_server.match.versions import is_replayable
from targi_server.play import replay
from targi_server.play.delay import Delay
from targi_server.store.matches import MatchStore

__all__ = ["Lookup", "Seen", "moments"]

_FOREVER_MS: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Seen:
    """One match. The header carries secrets: whoever shows it goes by `play.redact`."""

    header: MatchHeader
    entries: tuple[Entry, ...]
    clocks: tuple[int, int]
    strikes: tuple[int, int]
    verdict: Verdict | None
    """None while it runs."""
    began_ms: int
    """When the first turn began."""
    scores: tuple[int, int] | None = None
    """Of a match that is filed, unless its log does not replay."""
    is_filed: bool = False
    story: tuple[Incident, ...] = ()
    """What happened besides, if that was asked for."""

    @classmethod
    def running(cls, stored: StoredMatch) -> Seen:
        """A match that runs, or is not filed yet."""
        live = stored.live
        return cls(
            stored.header, stored.entries, live.clocks, live.strikes, live.verdict, began_ms=stored.began_ms
        )

    @classmethod
    def filed(cls, kept: Finished) -> Seen:
        """A match that is over and filed."""
        return cls(
            kept.header,
            kept.entries,
            kept.clocks,
            kept.strikes,
            kept.verdict,
            kept.began_ms,
            kept.scores,
            is_filed=True,
            story=kept.story,
        )

    def position(self) -> State | None:
        """Where it stands, or stood at its end; None if its log does not replay, or not by the rules here."""
        if not is_replayable(self.header):
            return None
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
    """Finds matches and records. Of a running match spectators see as much as `delay` lets them."""

    def __init__(self, store: MatchStore, archive: Archive, delay: Delay) -> None:
        self._store = store
        self._archive = archive
        self._delay = delay

    async def match(self, match_id: str, *, story: bool = False) -> Seen:
        """A match that runs, or is over and still kept; `story`: with its incidents. Raises NotFound."""
        seen = await self.whole(match_id)
        if story and not seen.is_filed:
            until_ms = seen.verdict.at_ms if seen.verdict else _FOREVER_MS
            told = await self._store.story(match_id, seen.began_ms, until_ms)
            seen = replace(seen, story=told)
        return self.delayed(seen)

    async def whole(self, match_id: str) -> Seen:
        """The same without incidents, and without any delay: not to be shown as it is. Raises NotFound."""
        stored = await self._store.load(match_id)
        return Seen.running(stored) if stored else Seen.filed(await self._filed(match_id))

    def delayed(self, seen: Seen) -> Seen:
        """As much of a running match as spectators may see now."""
        if seen.verdict is not None or not (self._delay.plies or self._delay.ms):
            return seen
        now_ms = self._store.now_ms(seen.header.match_id)
        shown = self._delay.shown(moments(seen.entries, seen.began_ms), now_ms)
        if shown == len(seen.entries):
            return seen
        entries = seen.entries[:shown]
        told = tuple(incident for incident in seen.story if incident.ply <= shown)
        return replace(seen, entries=entries, clocks=replay.clocks(seen.header, entries), story=told)

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

    async def _filed(self, match_id: str) -> Finished:
        filed = await self._archive.get(match_id)
        if filed is None:
            raise NotFound(f"there is no match {echoed(match_id)}, or it is kept no longer")
        return filed


def moments(entries: Sequence[Entry], began_ms: int) -> list[int]:
    """When each entry was committed, by Redis' clock."""
    return [began_ms + passed for passed in accumulate(entry.elapsed_ms for entry in entries)]
