"""A match that is watched here: its log as far as this process knows it, shared by all who watch."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from targi_server.errors import ServerError
from targi_server.play.lookup import Seen, moments
from targi_server.store.bus import MatchNews

__all__ = ["Broadcast"]


class Broadcast:
    """Spectators read it at their own pace; nothing is queued for any of them."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.moments = moments(seen.entries, seen.began_ms)
        self.epoch = 0
        """Rises when actions that were known turn out to be lost: then begin anew."""
        self.failure: ServerError | None = None
        """Why nothing more will come, if the match is not to be had any more."""
        self.checked_at = time.monotonic()
        self.changed = asyncio.Event()
        """Set at the next change; take it before you look, and wait for it after."""

    def take(self, news: MatchNews) -> bool:
        """Go on by news; False if something is missing before them and the log must be read."""
        seen = self.seen
        known, end = len(seen.entries), news.ply + len(news.entries)
        if seen.verdict is not None:
            return True
        overlap = max(0, known - news.ply)
        if news.ply > known or news.entries[:overlap] != seen.entries[news.ply : end]:
            return False
        if end < known:
            return True
        fresh = news.entries[known - news.ply :]
        self._set(
            replace(
                seen,
                entries=seen.entries + fresh,
                clocks=news.clocks,
                strikes=news.strikes,
                verdict=news.verdict,
            )
        )
        return True

    def agree(self, now: Seen) -> None:
        """Go to where the log is."""
        known = self.seen.entries
        if now.entries[: len(known)] != known:
            self.epoch += 1
        self._set(now)

    def fail(self, failure: ServerError) -> None:
        """Nothing more will come."""
        self.failure = failure
        self._tell()

    def _set(self, seen: Seen) -> None:
        self.checked_at = time.monotonic()
        if seen != self.seen:
            self.seen = seen
            self.moments = moments(seen.entries, seen.began_ms)
            self._tell()

    def _tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()
