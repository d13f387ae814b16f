"""The host of all streams: lets bots in, sees them off, and sends everybody away before the server stops."""

from __future__ import annotations

import asyncio
import logging
import time

from targi.v1 import play_pb2

from targi_server.accounts.identity import Identity
from targi_server.errors import Draining, Silent, Unavailable
from targi_server.lobby.lobby import Lobby
from targi_server.play.caretaker import Caretaker
from targi_server.play.elsewhere import Elsewhere
from targi_server.play.encoding import encoded
from targi_server.play.errands import Errands
from targi_server.play.greeting import Greeting, read_hello, welcome
from targi_server.play.outbox import Outbox
from targi_server.play.pulse import Pulse
from targi_server.play.seating import Seating
from targi_server.play.session import Session
from targi_server.play.sessions import Sessions
from targi_server.play.witness import why_gone
from targi_server.settings import Settings
from targi_server.store.matches import MatchStore

__all__ = ["Host"]

log = logging.getLogger(__name__)

EVENTS_A_MATCH = 8
"""Room in the outgoing queue for each match that a bot may play, for its return after a break."""
POLL_S = 0.02


class Host:
    """Owns the beginning and the end of every session."""

    def __init__(
        self,
        settings: Settings,
        store: MatchStore,
        lobby: Lobby,
        sessions: Sessions,
        seating: Seating,
        elsewhere: Elsewhere,
        caretaker: Caretaker,
        errands: Errands,
    ) -> None:
        self._settings = settings
        self._store = store
        self._presence = lobby.presence
        self._slots = lobby.slots
        self._departures = lobby.departures
        self._sessions = sessions
        self._seating = seating
        self._elsewhere = elsewhere
        self._caretaker = caretaker
        self._errands = errands
        self._draining = False

    async def admit(self, hello: play_pb2.Hello, identity: Identity) -> Session:
        """Claim the bot for this stream, and send Welcome; its matches follow.

        Raises Invalid for a Hello that is none, TakeoverLimit, Draining, PlayedElsewhere.
        """
        if self._draining:
            raise Draining("this server stops: connect to another one, or again in a moment")
        greeting = read_hello(hello, identity, self._settings)
        await self._elsewhere.check(greeting.arrival.bot)
        admission = asyncio.ensure_future(self._admit(greeting))
        try:
            return await asyncio.shield(admission)
        except asyncio.CancelledError:  # the stream broke; a claim that was made must be given up again
            self._errands.start(self._turn_away(admission))
            raise

    async def _admit(self, greeting: Greeting) -> Session:
        session = await self._claimed(greeting)
        try:
            await self._welcome(session, greeting)
        except BaseException:
            self.see_off(session)
            raise
        return session

    async def _turn_away(self, admission: asyncio.Future[Session]) -> None:
        self.see_off(await admission)

    async def _welcome(self, session: Session, greeting: Greeting) -> None:
        held = (await self._slots.held([session.bot]))[session.bot]
        running = await self._store.load_many(held.matches)
        count = sum(match is not None for match in running)
        message = welcome(greeting, self._settings, count)
        session.push(encoded("welcome", message.SerializeToString()))
        for reason, words in greeting.notices:
            notice = play_pb2.Notice(reason=reason, words=words)
            session.push(encoded("notice", notice.SerializeToString()))
        self._errands.start(self._caretaker.care(session, held))

    def see_off(self, session: Session) -> None:
        """The stream is over, however that came. What follows goes on without it."""
        self._sessions.remove(session)
        log.info("bot is gone from here", extra={"bot": session.bot})
        self._errands.start(self._see_off(session, served=self._draining))

    async def drain(self, within_s: float) -> None:
        """Let nobody in, tell everybody, end the streams after `within_s` seconds at the latest."""
        self._draining = True
        message = play_pb2.Draining(grace_ms=int(within_s * 1000))
        event = encoded("draining", message.SerializeToString())
        for session in self._sessions:
            session.push(event)
        end = time.monotonic() + within_s
        while len(self._sessions) and time.monotonic() < end:  # noqa: ASYNC110 (few, and once in a life)
            await asyncio.sleep(POLL_S)
        for session in self._sessions:
            session.close(Draining("this server stops: connect to another one, or again in a moment"))

    async def _claimed(self, greeting: Greeting) -> Session:
        settings, arrival = self._settings, greeting.arrival
        since_ms = self._store.now_ms()
        claim = await self._presence.claim(arrival)
        limit = max(settings.queue_limit, EVENTS_A_MATCH * arrival.capacity)
        session = Session(
            arrival=arrival,
            claim=claim,
            form=greeting.form,
            action_ids=greeting.action_ids,
            outbox=Outbox(limit),
            pulse=Pulse(settings.heartbeat_ms / 1000, time.monotonic()),
            since_ms=since_ms,
            digest=greeting.digest,
        )
        self._sessions.add(session)
        log.info("bot is here, version %s", arrival.version, extra={"bot": arrival.bot})
        return session

    async def _see_off(self, session: Session, *, served: bool) -> None:
        left = await self._seating.leave(session)
        for match_id in session.ends.known():
            await self._slots.told(session.bot, match_id)
        if not await self._presence.release(session.claim):
            return  # a newer session has the bot, and its matches
        served = served or await _was_sent_away(session)
        why = await why_gone(session)
        for match_id, seat in left.items():
            await self._store.depart(match_id, seat, session=session.claim.fence, served=served, why=why)
        await self._note_departure(session, served=served or self._store.forgives)

    async def _note_departure(self, session: Session, *, served: bool) -> None:
        """Of matches at which it did not sit down yet, among them such as are about to be created."""
        waiting = await self._departures.note(session.bot, by_itself=not served)
        if waiting and not served:
            await self._seating.miss(session.bot, waiting)


async def _was_sent_away(session: Session) -> bool:
    """Whether the server ended the stream of a session for reasons of its own."""
    error = await session.outbox.ended() if session.outbox.closed else None
    return isinstance(error, Unavailable) and not isinstance(error, Silent)
