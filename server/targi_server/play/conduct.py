"""What a bot does in a match besides acting: it gives up, reports its own failure, stops its clock."""

from __future__ import annotations

from targi.v1 import play_pb2

from targi_server.errors import HoldNotAllowed, MatchOver
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.play.seating import Seating
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.play.tables import Tables

__all__ = ["Conduct"]

ERROR_BYTES = 4096
"""Bytes of a BotError's text that are kept."""

_LOST = ("0-1", "1-0")


class Conduct:
    """Each method takes one kind of event. All raise UnknownMatch and MatchOver."""

    def __init__(self, tables: Tables, seating: Seating) -> None:
        self._tables = tables
        self._store = tables.store
        self._seating = seating

    async def resign(self, session: Session, event: play_pb2.Resign) -> None:
        """The bot gives the match up."""
        table = await self._seating.of(session, event.match_id)
        seat = table.seat_of(session)
        await self._lose(table, seat, Termination.RESIGNED, f"seat {seat} resigned")

    async def bot_error(self, session: Session, event: play_pb2.BotError) -> None:
        """The bot's own code failed: it loses; its text is for its owner only."""
        table = await self._seating.of(session, event.match_id)
        text = event.text.encode()[:ERROR_BYTES].decode(errors="ignore")
        await self._lose(table, table.seat_of(session), Termination.BOT_ERROR, text)

    async def hold(self, session: Session, event: play_pb2.Hold) -> None:
        """Its clock stands still. Raises HoldNotAllowed outside of debug challenges."""
        table = await self._debug_table(session, event.match_id)
        if not await self._store.hold(table.match_id, table.seat_of(session)):
            raise MatchOver("the match is over: see its MatchEnded")

    async def release(self, session: Session, event: play_pb2.Release) -> None:
        """Its clock runs again. Raises HoldNotAllowed outside of debug challenges."""
        table = await self._debug_table(session, event.match_id)
        if not await self._store.release(table.match_id, table.seat_of(session)):
            raise MatchOver("the match is over: see its MatchEnded")

    async def _debug_table(self, session: Session, match_id: str) -> Table:
        table = await self._seating.of(session, match_id)
        if not table.header.hold_allowed:
            raise HoldNotAllowed("clocks stop in debug challenges only: challenge with `debug`")
        return table

    async def _lose(self, table: Table, seat: int, why: Termination, words: str) -> None:
        verdict = Verdict(_LOST[seat], why, Culprit.of_seat(seat), words)
        ended = await self._store.end(table.match_id, verdict)
        if ended.verdict is not None:
            self._tables.end(table, ended.verdict)
        if not ended.given:
            raise MatchOver("the match was over already: see its MatchEnded")
