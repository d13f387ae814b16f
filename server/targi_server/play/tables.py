"""The tables of this process, and what their bots are told when a match ends or refuses something."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence

from targi_server.errors import ServerError
from targi_server.match.model import StoredMatch, Verdict
from targi_server.metrics import Metrics
from targi_server.play import replay, views
from targi_server.play.endings import match_ended, match_lost, server_error
from targi_server.play.errands import Errands
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.store.matches import MatchStore

__all__ = ["Tables"]

log = logging.getLogger(__name__)

_ID_SHOWN = 64


class Tables:
    """All matches in which a bot that is connected here plays."""

    def __init__(self, store: MatchStore, errands: Errands, metrics: Metrics) -> None:
        self.store = store
        self.errands = errands
        self.metrics = metrics
        self._open: dict[str, Table] = {}

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._open.values()))

    def get(self, match_id: str) -> Table | None:
        """The table of a running match, if a bot of it is connected here."""
        return self._open.get(match_id)

    def has(self, table: Table) -> bool:
        """Whether the table still is that of its match."""
        return self._open.get(table.match_id) is table

    def by_ruleset(self) -> Counter[str]:
        """How many matches are played here."""
        return Counter(table.header.ruleset for table in self._open.values())

    def lost(self, session: Session, match_id: str) -> bool:
        """Whether a bot was told of a match at whose table it does not sit: it would hear no more of it."""
        table = self._open.get(match_id)
        return match_id in session.matches and (table is None or session not in table.sessions)

    async def runs(self, match_id: str) -> bool:
        """Whether a match is in the log and not over."""
        stored = await self.store.load(match_id)
        return stored is not None and stored.live.verdict is None

    def wait_for(self, session: Session) -> bool:
        """Whether a match waits for a move of this bot."""
        seated = ((self._open.get(match_id), seat) for match_id, seat in session.matches.items())
        return any(table is not None and table.state.current_seat == seat for table, seat in seated)

    def open(self, stored: StoredMatch) -> Table:
        """The table of a match; a new one stands at its start until it is compared with the log."""
        match_id, live = stored.header.match_id, stored.live
        if match_id not in self._open:
            state, _ = replay.start(stored.header)
            known = live.clocks, stored.began_ms, live.strikes, live.let_go
            self._open[match_id] = Table(stored.header, state, *known)
        return self._open[match_id]

    def clear_if_empty(self, table: Table) -> None:
        """Forget a table at which nobody sits: the match is in the log."""
        if table.empty and self.has(table):
            del self._open[table.match_id]

    def send_turn(self, table: Table) -> None:
        """Send the open turn to whoever is to move, if it is here and did not get it."""
        table.send_turn(self.store.now_ms(table.match_id))

    def refuse(self, session: Session, error: ServerError, *, match_id: str, ply: int = 0) -> None:
        """Send Rejected, with the open turn if the bot is to move in that match."""
        self.metrics.rejections_total.labels(error.reason).inc()
        table = self._open.get(match_id)
        if table is None or session not in table.sessions:
            session.push(views.rejected(error, match_id=match_id[:_ID_SHOWN], ply=ply))
            return
        seat = table.seat_of(session)
        turn = table.turn_for(seat, session.form)
        strikes = table.strikes[seat]
        session.push(views.rejected(error, match_id=match_id, ply=ply, strikes=strikes, turn=turn))

    def end(self, table: Table, verdict: Verdict) -> None:
        """Tell both bots of the verdict and clear the table."""
        if table.over:
            return
        event = _end_of(table, verdict)
        for session in self.close(table):
            session.push(event)
            session.ends.sent(table.match_id)

    def miss(self, table: Table) -> None:
        """The match is not in the log any more: clear the table. For use where the log was read."""
        self.errands.start(self._miss(table, self.close(table)))

    async def _miss(self, table: Table, seated: Sequence[Session]) -> None:
        """Of one that was filed the bots hear from what is kept for them; of one that was lost, here."""
        if await self.store.finished(table.match_id) is None:
            log.warning("a match that began was lost by the store", extra={"match": table.match_id})
            for session in seated:
                session.push(match_lost(table.header))

    def close(self, table: Table) -> list[Session]:
        """Clear a table for good: the sessions that sat there."""
        table.over = True
        seated = [session for session in table.sessions if session is not None]
        for session in seated:
            session.matches.pop(table.match_id, None)
        table.sessions = [None, None]
        self.clear_if_empty(table)
        return seated

    def fail(self, table: Table, words: str) -> None:
        """The server failed in this match: SERVER_ERROR, once the log has it. For use in `except`."""
        log.exception("%s", words, extra={"match": table.match_id})
        self.errands.start(self._fail(table, words))

    async def _fail(self, table: Table, words: str) -> None:
        ended = await self.store.end(table.match_id, server_error(words))
        if ended.verdict is not None:
            self.end(table, ended.verdict)


def _end_of(table: Table, verdict: Verdict) -> bytes:
    try:
        return match_ended(table.header, table.state, table.clocks, verdict)
    except Exception:  # a position that cannot be counted must not keep the bots from hearing of the end
        log.exception("a final position cannot be counted", extra={"match": table.match_id})
        return match_ended(table.header, None, table.clocks, verdict)
