"""Finished matches go to the archive directory, whatever crashes when.

A match waits in an index from the step that files it until its file is on the disk. Whoever leads the
matchmaking takes the oldest ones, writes their files beside the event loop, and strikes them off. A file that
is written twice, by two that lead, is the same twice: nothing has to be remembered but the index.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from targi_server.ladder.files import RecordFiles
from targi_server.ladder.finished import Finished
from targi_server.metrics import Metrics
from targi_server.store.exports import Backlog, Exports, Waiting

__all__ = ["Export"]

log = logging.getLogger(__name__)

BATCH: Final = 16
"""Matches that are read and written in one go, so that nothing else waits long for the event loop."""
REST_S: Final = 0.02
"""Time that everything else has between two batches."""
EACH: Final = 4
"""Of these from one bucket, at most: the id of a match is random, so this hardly bounds anything."""
RETRY_S: Final = 30.0
"""Time until a directory that could not be written is tried again."""


class Export:
    """Writes the files of finished matches while this replica leads. `now_s` is the wall's clock."""

    def __init__(
        self,
        exports: Exports,
        files: RecordFiles,
        metrics: Metrics,
        *,
        ttl_s: int,
        now_s: Callable[[], float] = time.time,
        retry_s: float = RETRY_S,
    ) -> None:
        self._exports = exports
        self._files = files
        self._metrics = metrics
        self._ttl_s = ttl_s
        self._now_s = now_s
        self._retry_s = retry_s
        self._retry_at = 0.0
        self._swept = False
        self._unreadable: set[str] = set()

    async def run(self, leads: Callable[[], bool]) -> None:
        """Exports all that waits, for as long as this replica leads; to be called each second."""
        if not leads():
            self._swept = False
            self._show(Backlog(0, ()))
            return
        if not self._swept:
            await asyncio.to_thread(self._files.sweep)
            self._swept = True
        while leads() and await self._batch():  # noqa: ASYNC110 - a rest, it waits for nothing
            await asyncio.sleep(REST_S)

    async def _batch(self) -> bool:
        """Exports some matches; whether more may wait."""
        backlog = await self._exports.backlog(EACH + len(self._unreadable))
        self._show(backlog)
        due = [waiting for waiting in backlog.oldest if waiting.match_id not in self._unreadable][:BATCH]
        if not due or time.monotonic() < self._retry_at:
            return False
        found = await self._read(due)
        written = await asyncio.to_thread(self._files.write, self._decoded(found))
        noted = await asyncio.gather(*map(self._note, written.match_ids))
        self._metrics.records_exported_total.inc(sum(noted))
        if written.error is not None:
            self._put_off(written.error, backlog.count - len(written.match_ids))
        return written.error is None

    async def _read(self, due: Iterable[Waiting]) -> Mapping[str, bytes]:
        """What is kept of those matches, as it is kept. One that is gone cannot be helped any more."""
        match_ids = [waiting.match_id for waiting in due]
        found: dict[str, bytes] = {}
        for match_id, kept in zip(match_ids, await self._exports.kept(match_ids), strict=True):
            if kept is not None:
                found[match_id] = kept
                continue
            await self._note(match_id)
            self._metrics.export_failures_total.labels("lost").inc()
            log.error("its time in Redis ended before it was exported", extra={"match": match_id})
        return found

    async def _note(self, match_id: str) -> bool:
        """Nothing is left to be done for a match; False if that was noted before."""
        return await self._exports.exported(match_id, self._ttl_s)

    def _decoded(self, found: Mapping[str, bytes]) -> Iterable[Finished]:
        """The matches as values; made one by one where they are written."""
        for match_id, kept in found.items():
            try:
                yield Finished.decode(kept)
            except Exception:  # the border of one match: the others go on
                self._unreadable.add(match_id)
                self._metrics.export_failures_total.labels("unreadable").inc()
                log.exception("what is kept of a match does not read", extra={"match": match_id})

    def _put_off(self, error: OSError, waiting: int) -> None:
        self._retry_at = time.monotonic() + self._retry_s
        self._metrics.export_failures_total.labels("unwritable").inc()
        log.warning(
            "records cannot be exported to %s: %s; %d wait, tried again in %.0f s",
            self._files.directory,
            error.strerror or error,
            waiting,
            self._retry_s,
        )

    def _show(self, backlog: Backlog) -> None:
        oldest_s = backlog.oldest[0].ended_ms / 1000 if backlog.oldest else self._now_s()
        self._metrics.export_pending.set(backlog.count)
        self._metrics.export_lag_seconds.set(max(0.0, self._now_s() - oldest_s))
