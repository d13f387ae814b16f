"""Signs of life: each connected bot is asked for one a heartbeat, and one that gives none is away."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from targi_server.lobby.presence import Presence
from targi_server.play.errands import Errands
from targi_server.play.pulse import Standstill
from targi_server.play.session import Session
from targi_server.play.sessions import Sessions, end_if_away, is_quiet, ping_if_due
from targi_server.play.tables import Tables
from targi_server.repetition import SECOND_S

__all__ = ["Heartbeat"]

LOOKS_A_HEARTBEAT = 4


class Heartbeat:
    """Looks after the pulses of local sessions, every `every_s` seconds."""

    def __init__(
        self,
        sessions: Sessions,
        tables: Tables,
        presence: Presence,
        errands: Errands,
        *,
        heartbeat_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sessions = sessions
        self._tables = tables
        self._presence = presence
        self._errands = errands
        self.every_s = min(SECOND_S, heartbeat_s / LOOKS_A_HEARTBEAT)
        self._clock = clock
        self._standstill = Standstill(self.every_s, clock())

    async def beat(self) -> None:
        """Ask for signs of life, and end sessions that give none; to be called every `every_s` seconds."""
        self._excuse(self._clock())
        await self._sessions.look(self._look_at, every_s=self.every_s)

    async def _look_at(self, sessions: Mapping[str, Session]) -> None:
        now = self._clock()
        self._excuse(now)
        for session in sessions.values():
            ping_if_due(session, now)
            if session.quiet != is_quiet(session, now):
                session.quiet = not session.quiet
                self._errands.start(self._presence.quiet(session.claim, session.quiet))
            if not self._tables.wait_for(session):  # on its own turn the clock judges
                end_if_away(session, now)

    def _excuse(self, now: float) -> None:
        """What this process itself stood still since the last look is no silence of anybody."""
        stood_still_s = self._standstill.since_last_look(now)
        if stood_still_s:
            for session in self._sessions:
                session.pulse.excuse(stood_still_s)
