"""What a bot says, event by event: one table of who deals with what."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from targi.v1 import play_pb2

from targi_server.errors import Malformed, ProtocolBreach, ServerError
from targi_server.lobby.presence import Presence
from targi_server.metrics import Metrics
from targi_server.play import views
from targi_server.play.conduct import Conduct
from targi_server.play.encoding import encoded
from targi_server.play.offering import Offering
from targi_server.play.session import Session
from targi_server.play.tables import Tables
from targi_server.play.together import Arrived, Together

__all__ = ["Events", "Work"]

log = logging.getLogger(__name__)

Work = Coroutine[Any, Any, None]

_ID_SHOWN = 64


class Events:
    """Deals with the events of a stream after its Hello."""

    def __init__(
        self,
        tables: Tables,
        acts: Together,
        conduct: Conduct,
        offering: Offering,
        presence: Presence,
        metrics: Metrics,
    ) -> None:
        self._tables = tables
        self._store = tables.store
        self._acts = acts
        self._conduct = conduct
        self._offering = offering
        self._presence = presence
        self._metrics = metrics

    def arrived(self, event: play_pb2.BotEvent) -> Arrived | None:
        """The Act of an event with the time of its arrival; None for an event of another kind."""
        if event.WhichOneof("event") != "act":
            return None
        return Arrived(event.act, self._store.now_ms(event.act.match_id))

    def answer(self, session: Session, acts: Sequence[Arrived]) -> Work:
        """Deal with Acts that came together, by the work that is returned."""
        return self._acts.take(session, acts)

    def take(self, session: Session, event: play_pb2.BotEvent) -> Work | None:
        """Deal with an event that is no Act: at once, or by the work that is returned.

        Raises Malformed, ProtocolBreach.
        """
        kind = event.WhichOneof("event")
        if kind is None:
            raise Malformed("an event of a kind that this server does not know")
        message = getattr(event, kind)
        if kind in _WORKS:
            return self._answered(session, message, _WORKS[kind](self, session, message))
        _AT_ONCE[kind](self, session, message)
        return None

    def refuse(self, session: Session, error: ServerError, message: object = None) -> None:
        """Send Rejected for a frame, or for the event that `message` is."""
        offer_id = getattr(message, "offer_id", "")
        if offer_id:
            self._metrics.rejections_total.labels(error.reason).inc()
            session.push(views.rejected(error, offer_id=offer_id[:_ID_SHOWN]))
            return
        match_id, ply = getattr(message, "match_id", ""), getattr(message, "ply", 0)
        self._tables.refuse(session, error, match_id=match_id, ply=ply)

    async def _answered(self, session: Session, message: Any, work: Work) -> None:
        try:
            await work
        except ServerError as error:
            self.refuse(session, error, message)
        except Exception:
            log.exception("an event could not be dealt with", extra={"bot": session.bot})
            self.refuse(session, ServerError("the server failed at this event; its log says more"), message)

    async def _leave(self, session: Session, leave: play_pb2.Leave) -> None:
        session.leaving = True
        await self._presence.leave(session.claim)

    def _ping(self, session: Session, ping: play_pb2.Ping) -> None:
        session.push(encoded("pong", play_pb2.Pong(token=ping.token).SerializeToString()))

    def _pong(self, session: Session, pong: play_pb2.Pong) -> None:
        session.ends.ponged(pong.token)

    def _hello(self, session: Session, hello: play_pb2.Hello) -> None:
        raise ProtocolBreach("Hello comes once, as the first event of a stream: open another stream")


# Each function takes the one kind of message that it is listed for; the tables themselves cannot say so.
_WORKS: Mapping[str, Callable[[Events, Session, Any], Work]] = {
    "ready": lambda events, session, message: events._offering.ready(session, message),
    "decline": lambda events, session, message: events._offering.decline(session, message),
    "resign": lambda events, session, message: events._conduct.resign(session, message),
    "bot_error": lambda events, session, message: events._conduct.bot_error(session, message),
    "hold": lambda events, session, message: events._conduct.hold(session, message),
    "release": lambda events, session, message: events._conduct.release(session, message),
    "leave": Events._leave,
}
_AT_ONCE: Mapping[str, Callable[[Events, Session, Any], None]] = {
    "hello": Events._hello,
    "ping": Events._ping,
    "pong": Events._pong,
}
