"""What happens after a match is over: its record, its result, its pair's second game, its place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from targi_engine import EngineError

from targi_server.errors import ServerError
from targi_server.ladder.archive import Archive
from targi_server.ladder.finished import Finished, finished, unreplayable
from targi_server.ladder.results import RatedResults
from targi_server.lobby.offers import Offers
from targi_server.match.incidents import Incident
from targi_server.match.model import Kind, StoredMatch
from targi_server.match.versions import objection
from targi_server.metrics import Metrics
from targi_server.play.notes import Notes
from targi_server.store.matches import MatchStore

__all__ = ["Filing"]

log = logging.getLogger(__name__)


class Filing:
    """Consumes the outbox. Every step may be repeated; the match leaves the outbox with the last one."""

    def __init__(
        self,
        matches: MatchStore,
        notes: Notes,
        archive: Archive,
        results: RatedResults,
        offers: Offers,
        metrics: Metrics,
    ) -> None:
        self._matches = matches
        self._notes = notes
        self._archive = archive
        self._results = results
        self._offers = offers
        self._metrics = metrics
        self._left: set[str] = set()
        """Matches of the outbox that only a server of other rules can file."""

    async def file_all(self) -> int:
        """Files every match of the outbox; returns how many. One that cannot be filed stops no other."""
        waiting = await self._matches.outbox()
        self._left &= set(waiting)
        filed = await asyncio.gather(*(self._attempt(each) for each in waiting if each not in self._left))
        self._metrics.matches_elsewhere.labels("ended").set(len(self._left))
        return sum(filed)

    def rest(self) -> None:
        """Another replica files from now on, and counts what it leaves."""
        self._left.clear()
        self._metrics.matches_elsewhere.labels("ended").set(0)

    async def file(self, match_id: str) -> bool:
        """Files one match that is over; False if it was filed before, or is not for this server to file."""
        match = await self._matches.load(match_id)
        if match is None or match.live.verdict is None:
            return False
        if words := objection(match.header):
            log.warning("match is left to a server that can file it: %s", words, extra={"match": match_id})
            self._left.add(match_id)
            return False
        story = await self._matches.story(match_id, match.header.created_ms, match.live.verdict.at_ms)
        kept = _kept(match, await self._notes.of(match_id), story)
        header, verdict = kept.header, kept.verdict
        if header.kind is Kind.RATED:
            await self._results.count(header, verdict)
        await self._offers.game_over(header, verdict)
        await self._archive.keep(kept)
        self._metrics.matches_ended_total.labels(verdict.termination).inc()
        log.info("match over: %s %s", verdict.result, verdict.termination, extra={"match": header.match_id})
        return True

    async def _attempt(self, match_id: str) -> bool:
        try:
            return await self.file(match_id)
        except ServerError as error:
            log.warning("match not filed yet: %s", error, extra={"match": match_id})
        except Exception:  # the border of one match: the others go on, and this one is tried again
            log.exception("match cannot be filed", extra={"match": match_id})
        return False


def _kept(match: StoredMatch, notes: Mapping[int, str], story: tuple[Incident, ...]) -> Finished:
    try:
        return finished(match, notes, story)
    except EngineError as error:
        log.error("log does not replay: %s", error, extra={"match": match.header.match_id})
        return unreplayable(match, "the log of this match does not replay", story)
