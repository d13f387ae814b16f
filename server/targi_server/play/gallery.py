"""Where spectators stand: the matches that are watched here, each followed once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from targi_server.errors import NotFound, VersionMismatch
from targi_server.match.versions import objection
from targi_server.play.broadcast import Broadcast
from targi_server.play.delay import Delay
from targi_server.play.errands import Errands
from targi_server.play.lookup import Lookup
from targi_server.play.spectator import Spectator
from targi_server.store.bus import MatchNews

__all__ = ["Gallery"]

QUIET_S = 2.0
"""A match without news for this long is compared with the log."""


class Gallery:
    """Costs a match that nobody watches one look into a table, an action."""

    def __init__(self, lookup: Lookup, delay: Delay, errands: Errands, now_ms: Callable[[str], int]) -> None:
        self._lookup = lookup
        self._delay = delay
        self._errands = errands
        self._now_ms = now_ms
        self._watched: dict[str, Broadcast] = {}
        self._spectators: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._watched)

    def follows(self, match_id: str) -> bool:
        """Whether somebody here watches that match."""
        return match_id in self._watched

    def on_news(self, news: MatchNews) -> None:
        """Take news of any match."""
        broadcast = self._watched.get(news.match_id)
        if broadcast is not None and not broadcast.take(news):
            self._errands.start(self._refresh(news.match_id, broadcast))

    async def check(self) -> None:
        """Compare matches without recent news with the log; to be called each second."""
        now = time.monotonic()
        for match_id, broadcast in list(self._watched.items()):
            if now - broadcast.checked_at > QUIET_S:
                await self._refresh(match_id, broadcast)

    @asynccontextmanager
    async def watching(self, match_id: str, from_ply: int) -> AsyncIterator[Spectator]:
        """One who watches for the time of the block; the last one closes the match.

        Raises NotFound, and VersionMismatch for a running match of other rules than this server has.
        """
        self._spectators[match_id] += 1
        try:
            yield Spectator(await self._broadcast(match_id), self._delay, self._now_ms, from_ply)
        finally:
            self._spectators[match_id] -= 1
            if not self._spectators[match_id]:
                del self._spectators[match_id]
                self._watched.pop(match_id, None)

    async def _broadcast(self, match_id: str) -> Broadcast:
        if match_id not in self._watched:
            seen = await self._lookup.whole(match_id)
            if seen.verdict is None and (words := objection(seen.header)):
                raise VersionMismatch(f"the match cannot be shown here: {words}; ask another server")
            broadcast = self._watched.setdefault(match_id, Broadcast(seen))
            if seen.verdict is None:  # what came between the reading and now was not heard
                self._errands.start(self._refresh(match_id, broadcast))
        return self._watched[match_id]

    async def _refresh(self, match_id: str, broadcast: Broadcast) -> None:
        try:
            before = None
            while before != broadcast.checked_at:  # news that came meanwhile may be ahead of what was read
                before = broadcast.checked_at
                seen = await self._lookup.whole(match_id)
            broadcast.agree(seen)
        except NotFound as error:
            broadcast.fail(error)
