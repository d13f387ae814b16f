"""Keeps with a match what its bots sent in vain: part of the evidence when somebody asks who was to blame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from targi.v1 import play_pb2

from targi_server import errors
from targi_server.play.links import shown_link
from targi_server.play.session import Session
from targi_server.play.table import Table
from targi_server.play.tables import Tables

__all__ = ["Witness", "why_gone"]

MOST_TOLD: Final = 20
"""Refusals of a match that are kept by one process: a bot that floods costs no more than that."""

_TOLD: Final = frozenset({"STALE", "NOT_YOUR_TURN", "INVALID"})
"""Reasons that are kept. A strike is kept with its count, and what comes after the end changes nothing."""

_BY_ITSELF: Final = "its connection broke or was closed from its side"
"""One wording for both: of a process that dies the server hears the one or the other, by chance."""

_GONE: Final[Mapping[type[errors.ServerError], str]] = {
    errors.BadToken: "its token was revoked or replaced",
    errors.BotPaused: "an administrator banned it",
    errors.Draining: "its server process stopped",
    errors.SlowReader: "it did not read what it was sent",
    errors.Silent: "nothing was heard of it for two heartbeats",
    errors.Replaced: "a newer session of it took over",
}


class Witness:
    """Writes in the background; what it cannot write is only logged."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def refused(self, session: Session, act: play_pb2.Act, error: errors.ServerError) -> None:
        """An Act was refused."""
        table = self._tables.get(act.match_id)
        if table is None or session not in table.sessions or not _worth_telling(table, error):
            return
        table.refusals += 1
        shown = f"{shown_link(act, 0, ids_valid=session.action_ids)} for ply {act.ply}"
        work = self._tables.store.tell(act.match_id, table.seat_of(session), error.reason, shown)
        self._tables.errands.start(work)


def _worth_telling(table: Table, error: errors.ServerError) -> bool:
    return table.refusals < MOST_TOLD and error.reason in _TOLD


async def why_gone(session: Session) -> str:
    """Why the stream of a session ended, in words for anybody."""
    error = await session.outbox.ended() if session.outbox.closed else None
    return _BY_ITSELF if error is None else _GONE.get(type(error), f"its stream was ended ({error.reason})")
