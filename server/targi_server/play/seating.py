"""Bots sit down at the tables of their matches and leave them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from targi_server.echo import echoed
from targi_server.errors import MatchOver, UnknownMatch, VersionMismatch
from targi_server.match.model import MatchHeader, StoredMatch
from targi_server.match.versions import is_replayable, objection
from targi_server.play.cardsets import CardSets
from targi_server.play.elsewhere import Elsewhere
from targi_server.play.keeping import Keeper
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.play.tables import Tables

__all__ = ["Seating"]

_MATCH_ID = re.compile(r"[0-9a-f]{16}")


class Seating:
    """Who sits where. A fresh match and one that goes on after a reconnect are the same here."""

    def __init__(self, tables: Tables, keeper: Keeper, elsewhere: Elsewhere, card_sets: CardSets) -> None:
        self._tables = tables
        self._keeper = keeper
        self._elsewhere = elsewhere
        self._store = tables.store
        self._card_sets = card_sets

    async def of(self, session: Session, match_id: str) -> Table:
        """The table at which a bot plays that match. Raises UnknownMatch, MatchOver, VersionMismatch."""
        table = self._tables.get(match_id)
        if table is not None and session in table.sessions:
            return table
        if not _MATCH_ID.fullmatch(match_id):
            raise UnknownMatch(f"{echoed(match_id)} is no id of a match: send the one of MatchStarted")
        if await self.sit_down(session, match_id):
            table = self._tables.get(match_id)
            if table is not None:
                return table
        if match_id in session.elsewhere:
            words = objection(session.elsewhere[match_id])
            raise VersionMismatch(f"this match cannot be played here: {words}; connect to another server")
        if match_id in session.ends or await self._store.finished(match_id) is not None:
            raise MatchOver("the match is over: see its MatchEnded")
        raise UnknownMatch(f"this bot does not play in match {match_id}")

    async def sit_down(self, session: Session, match_id: str) -> bool:
        """Seat a bot at a match of its own and send MatchStarted.

        False if it is none of its matches, or one that this server cannot play.
        """
        if session.door.is_shut:
            return False
        with session.door:
            stored = await self._store.load(match_id)
            if stored is None or (seat := seat_of(stored.header, session.bot)) is None:
                return False
            if not is_replayable(stored.header):
                self._elsewhere.note(session, stored.header)
                return False
            header = stored.header
            self._card_sets.learn(header.cards_hash, header.ruleset, header.variants)
            return await self._sit_down(session, stored, seat)

    async def leave(self, session: Session) -> dict[str, int]:
        """Take a bot from all its tables, which go on without it: the matches that it left, and its seats."""
        await session.door.shut()
        left, session.matches = session.matches, {}
        for match_id, seat in left.items():
            table = self._tables.get(match_id)
            if table is not None and table.sessions[seat] is session:
                table.sessions[seat] = None
                self._tables.clear_if_empty(table)
        return left

    async def miss(self, bot: str, match_ids: Iterable[str]) -> None:
        """A bot left by itself: at those of its matches at which it never sat down, its absence begins."""
        for header in await self._store.headers(match_ids):
            seat = seat_of(header, bot)
            if seat is not None:
                await self._store.depart_unseated(header.match_id, seat)

    async def _sit_down(self, session: Session, stored: StoredMatch, seat: int) -> bool:
        while True:
            table = self._tables.open(stored)
            async with table.lock:
                if not self._tables.has(table):
                    continue  # it was cleared meanwhile; the next one starts from the log
                await self._store.arrive(table.match_id, seat, session=session.claim.fence)
                now = await self._store.load(table.match_id)
                if table.over or not self._tables.has(table):
                    continue  # it ended, or the opponent left it empty; the next one tells from the log
                if now is not None and table.sessions[seat] is not session:
                    self._start(table, now, session, seat)
                self._keeper.catch_up(table)
                self._tables.clear_if_empty(table)
                return now is not None

    def _start(self, table: Table, stored: StoredMatch, session: Session, seat: int) -> None:
        try:
            self._keeper.sync(table, stored)
            self._keeper.start(table, stored, session, seat)
        except Exception:
            table.sessions[seat] = session  # to be told of the end
            self._tables.fail(table, "the match does not replay from its log")
            return
        if stored.live.verdict is not None:
            self._tables.end(table, stored.live.verdict)


def seat_of(header: MatchHeader, bot: str) -> int | None:
    """The seat of a bot in a match, None if it does not play there."""
    return next((seat for seat, who in enumerate(header.seats) if who.bot == bot), None)
