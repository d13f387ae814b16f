"""Each connected bot is brought what it should have: by news of the bus, and by a look each second.

The bus may lose news, and a crash may leave something half told. Comparing what a bot holds with what its
session was sent heals both, and is also how a session begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from targi_engine import RULESETS

from targi_server.errors import Unavailable
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.slots import Held
from targi_server.metrics import Metrics
from targi_server.play.elsewhere import Elsewhere, told_of
from targi_server.play.errands import Errands
from targi_server.play.offering import Offering
from targi_server.play.seating import Seating
from targi_server.play.session import Session
from targi_server.play.sessions import Sessions, replace
from targi_server.play.tables import Tables
from targi_server.play.untold import Untold
from targi_server.store.bus import BotNews

__all__ = ["Caretaker"]

AT_ONCE = 16
"""Matches at which a session is seated in one go: everybody else waits that long."""


class Caretaker:
    """Looks after local sessions."""

    def __init__(
        self,
        sessions: Sessions,
        tables: Tables,
        seating: Seating,
        elsewhere: Elsewhere,
        offering: Offering,
        untold: Untold,
        lobby: Lobby,
        errands: Errands,
        metrics: Metrics,
    ) -> None:
        self._sessions = sessions
        self._tables = tables
        self._seating = seating
        self._elsewhere = elsewhere
        self._offering = offering
        self._untold = untold
        self._presence = lobby.presence
        self._slots = lobby.slots
        self._errands = errands
        self._metrics = metrics

    def on_bot_news(self, news: BotNews) -> None:
        """Take news of any bot; kinds that are meant for others are left to them."""
        session = self._sessions.get(news.bot)
        if session is not None and news.kind in _TIDINGS:
            self._errands.start(_TIDINGS[news.kind](self, session, news.payload))

    async def care(self, session: Session, held: Held) -> None:
        """Send a session what it lacks of what its bot holds."""
        if session.care.locked():
            return  # the one before is not done yet, and there is another in a second
        async with session.care:
            for start in range(0, len(held.matches), AT_ONCE):
                await self._seat(session, held.matches[start : start + AT_ONCE])
            for match_id in held.ends:
                if match_id not in session.matches and match_id not in session.ends:
                    await self._untold.tell(session, match_id)
            await self._offering.compare(session, held.offers)
            for match_id in session.ends.to_tell(held.ends, held.matches):
                await self._slots.told(session.bot, match_id)
            await self._elsewhere.look(session, held)
            self._close_if_done(session, held)

    async def look(self) -> None:
        """Look after all sessions; to be called each second."""
        self._count()
        await self._sessions.look(self._look_at)

    async def _look_at(self, sessions: Mapping[str, Session]) -> None:
        held = await self._slots.held(sessions)
        fences = await self._presence.fences(sessions)
        for bot, session in sessions.items():
            self._end_if_claimed(session, fences[bot])
            if held[bot] or not session.idle or self._elsewhere.finishes_only:
                self._errands.start(self.care(session, held[bot]))

    async def _seat(self, session: Session, match_ids: Sequence[str]) -> None:
        """Seat a session at matches side by side: each waits for Redis. Raises the first error."""

        async def seat(match_id: str) -> None:
            lacks = not session.knows(match_id) or self._tables.lost(session, match_id)
            if lacks or await self._is_taken_back(session, match_id):
                await self._seating.sit_down(session, match_id)

        done = await asyncio.gather(*map(seat, match_ids), return_exceptions=True)
        for error in filter(None, done):
            raise error

    async def _is_taken_back(self, session: Session, match_id: str) -> bool:
        """Whether a match runs of whose end the bot was told: the store lost that end in a crash."""
        taken_back = match_id in session.ends and await self._tables.runs(match_id)
        if taken_back:
            session.ends.forget(match_id)
        return taken_back

    def _end_if_claimed(self, session: Session, fence: int) -> None:
        if fence > session.claim.fence:
            replace(session)
        elif fence < session.claim.fence:
            session.close(Unavailable("the server lost this session's hold on its bot: connect again"))

    def _close_if_done(self, session: Session, held: Held) -> None:
        if session.leaving and not (held.matches or held.offers or session.matches):
            session.close()

    def _count(self) -> None:
        metrics = self._metrics
        metrics.sessions_online.set(len(self._sessions))
        metrics.matches_elsewhere.labels("running").set(told_of(self._sessions))
        metrics.queue_waiting.set(sum(session.outbox.waiting for session in self._sessions))
        counts = self._tables.by_ruleset()
        for name in RULESETS:
            metrics.matches_running.labels(name).set(counts[name])

    async def _hear_match(self, session: Session, payload: Mapping[str, Any]) -> None:
        match_id = str(payload["match"])
        if not session.knows(match_id):
            await self._seating.sit_down(session, match_id)

    async def _hear_offer(self, session: Session, payload: Mapping[str, Any]) -> None:
        await self._offering.show(session, str(payload["offer"]))

    async def _hear_lapsed(self, session: Session, payload: Mapping[str, Any]) -> None:
        await self._offering.close(session, str(payload["offer"]))

    async def _hear_replaced(self, session: Session, payload: Mapping[str, Any]) -> None:
        if session.claim.fence <= int(payload["fence"]):
            replace(session)


# A payload is JSON: its values have no better type than Any.
_TIDINGS: Mapping[str, Callable[[Caretaker, Session, Mapping[str, Any]], Coroutine[Any, Any, None]]] = {
    "match": Caretaker._hear_match,
    "offer": Caretaker._hear_offer,
    "lapsed": Caretaker._hear_lapsed,
    "replaced": Caretaker._hear_replaced,
}
