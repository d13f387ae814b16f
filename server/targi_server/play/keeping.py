"""Tables are kept in step with the log: by news, by reading it again, and by a look at it each second."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence

from targi_server.match.entries import MOST_MS
from targi_server.match.model import StoredMatch
from targi_server.play import replay, views
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.play.tables import Tables
from targi_server.store.bus import MatchNews

__all__ = ["Keeper"]

log = logging.getLogger(__name__)

QUIET_S = 1.0
"""A table without news for this long is compared with the log."""
QUIET_HERE_S = 3.0
"""The same where both bots are connected here: then only a verdict can come from elsewhere."""
AT_ONCE = 16
"""Logs that are read in one go: everybody else waits that long."""


class Keeper:
    """Brings tables to where the log is. The log is right; a log that does not replay ends its match."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    def on_news(self, news: MatchNews) -> None:
        """Take news of any match; of those that are not played here nobody here wants to know."""
        table = self._tables.get(news.match_id)
        if table is None:
            return
        if table.lock.locked():
            table.news.append(news)
        else:
            self._take(table, news)

    def catch_up(self, table: Table) -> None:
        """Take what came while the table was locked; its holder calls this before it lets go."""
        if table.news:
            news, table.news = table.news, []
            for item in news:
                self._take(table, item)

    async def refresh(self, table: Table) -> None:
        """Read the log and go on from there."""
        async with table.lock:
            await self.read(table)
            self.catch_up(table)

    async def read(self, table: Table) -> None:
        """The same for whoever holds the table's lock."""
        self._compare(table, await self._store.load(table.match_id))

    async def check(self) -> None:
        """Compare the tables without recent news with the log; to be called each second."""
        quiet = [table for table in self._tables if _is_quiet(table)]
        for start in range(0, len(quiet), AT_ONCE):
            await self._check(quiet[start : start + AT_ONCE])

    async def _check(self, tables: Sequence[Table]) -> None:
        before = [table.checked_at for table in tables]
        stored = await self._store.load_many(table.match_id for table in tables)
        for table, match, checked_at in zip(tables, stored, before, strict=True):
            if table.checked_at == checked_at and not table.lock.locked():
                self._compare(table, match)

    def sync(self, table: Table, stored: StoredMatch) -> None:
        """Go to where the log is. Raises what the engine raises where it does not replay."""
        if not _leads_to(table, stored):
            self._fall_back(table, stored)
        elif stored.live.ply > table.ply:
            self._follow(table, stored)
        table.agree(stored.live)

    def start(self, table: Table, stored: StoredMatch, session: Session, seat: int) -> None:
        """Seat a bot at a table that is in step, and send it MatchStarted with all that happened so far."""
        state, steps = replay.start(stored.header)
        so_far = [(step, 0) for step in steps] + replay.charged(replay.follow(state, stored.entries))
        table.sessions[seat] = session
        session.matches[table.match_id] = seat
        session.push(views.match_started(stored.header, stored.live, state, so_far, seat, session.form))
        if state.current_seat == seat and not table.sent_at_ms:
            table.turn_sent(self._store.now_ms(table.match_id))
            if session.since_ms > table.turn_at_ms:
                table.out_ms = 0  # the bot was not connected when its turn began

    def _take(self, table: Table, news: MatchNews) -> None:
        end = news.ply + len(news.entries)
        if table.over or (end < table.ply and news.turn_at_ms <= table.turn_at_ms):
            return
        if end < table.ply or news.ply > table.ply or news.ply < table.ply < end or not _fits(table, news):
            self._tables.errands.start(self.refresh(table))
            return
        try:
            if end > table.ply:
                self._apply(table, news)
            table.strikes = news.strikes
            table.checked_at = time.monotonic()
            if news.verdict is not None:
                table.clocks = news.clocks
                self._tables.end(table, news.verdict)
        except Exception:
            self._tables.fail(table, "a committed action does not replay")

    def _apply(self, table: Table, news: MatchNews) -> None:
        state = table.state.clone()
        chains = replay.follow(state, news.entries)
        table.move(state, news.clocks, news.turn_at_ms)
        self._tell(table, [(chain, news.clocks) for chain in chains], over=news.verdict is not None)

    def _follow(self, table: Table, stored: StoredMatch) -> None:
        state = table.state.clone()
        chains = replay.follow(state, stored.entries[table.ply :])
        table.move(state, stored.live.clocks, stored.live.turn_at_ms)
        # Of each answer those that its own news would have brought, not those of the last one.
        ends = [stored.entries[: chain.ply + chain.taken] for chain in chains]
        clocks = [replay.clocks(table.header, so_far) for so_far in ends]
        self._tell(table, zip(chains, clocks, strict=True), over=stored.live.verdict is not None)

    def _tell(
        self, table: Table, answers: Iterable[tuple[replay.Chain, tuple[int, int]]], *, over: bool
    ) -> None:
        """Tell of answers, each with the clocks after it."""
        for chain, clocks in answers:
            table.tell_applied(
                chain.steps, ply=chain.ply, taken=chain.taken, charged_ms=chain.charged_ms, clocks=clocks
            )
        if not over:
            self._tables.send_turn(table)

    def _fall_back(self, table: Table, stored: StoredMatch) -> None:
        """The store lost its latest actions in a crash: both go on from what it has."""
        log.warning("the log is behind what was played", extra={"match": table.match_id})
        state, _ = replay.start(stored.header)
        replay.follow(state, stored.entries)
        table.move(state, stored.live.clocks, stored.live.turn_at_ms)
        for seat, session in enumerate(table.sessions):
            if session is not None:
                self.start(table, stored, session, seat)

    def _compare(self, table: Table, stored: StoredMatch | None) -> None:
        if table.over:
            return
        if stored is None or stored.header != table.header:  # filed; or lost, and maybe dealt again
            self._tables.miss(table)
            return
        try:
            self.sync(table, stored)
            if stored.live.verdict is not None:
                self._tables.end(table, stored.live.verdict)
        except Exception:
            self._tables.fail(table, "the log does not replay")


def _leads_to(table: Table, stored: StoredMatch) -> bool:
    """Whether what the table knows is still in the log: as far, and committed at the same time."""
    ply = table.ply
    if stored.live.ply < ply:
        return False
    return stored.reached_ms(ply) == table.turn_at_ms or not stored.is_timed(ply)


def _fits(table: Table, news: MatchNews) -> bool:
    """Whether news that begin or end at the table's ply are of its position, not of one after a loss."""
    if not news.entries or news.ply < table.ply:
        return news.turn_at_ms == table.turn_at_ms
    elapsed_ms = news.entries[0].elapsed_ms
    return news.turn_at_ms - elapsed_ms == table.turn_at_ms or elapsed_ms == MOST_MS


def _is_quiet(table: Table) -> bool:
    limit = QUIET_S if None in table.sessions or table.header.hold_allowed else QUIET_HERE_S
    return time.monotonic() - table.checked_at > limit and not table.lock.locked()
