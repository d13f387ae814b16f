"""The bots that are connected to this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

from targi.v1 import play_pb2

from targi_server.errors import Replaced, Silent
from targi_server.play.encoding import encoded
from targi_server.play.session import Session
from targi_server.repetition import SECOND_S, spread

__all__ = ["Sessions"]

AWAY_BEATS = 2
QUIET_BEATS = 1
LOOK = 0.8
"""Over so much of the time until the next one a look at all sessions is spread."""
A_LOOK = 50
"""Sessions that are looked at in one go."""


class Sessions:
    """Local sessions, one a bot."""

    def __init__(self) -> None:
        self._by_bot: dict[str, Session] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_bot.values()))

    def __len__(self) -> int:
        return len(self._by_bot)

    def get(self, bot: str) -> Session | None:
        """The session of a bot, if it is connected here."""
        return self._by_bot.get(bot)

    async def look(
        self, work: Callable[[Mapping[str, Session]], Awaitable[None]], *, every_s: float = SECOND_S
    ) -> None:
        """Do the work for all of them, by bot: a row at a time, so that a crowd holds nobody up.

        To be called every `every_s` seconds. One that ended meanwhile may be among them.
        """

        async def look_at(row: Sequence[Session]) -> None:
            await work({session.bot: session for session in row})

        await spread(look_at, list(self), most=A_LOOK, within_s=LOOK * every_s)

    def add(self, session: Session) -> None:
        """A bot said Hello; an older session of it ends."""
        older = self._by_bot.get(session.bot)
        self._by_bot[session.bot] = session
        if older is not None:
            replace(older)

    def remove(self, session: Session) -> None:
        """Its stream is over."""
        if self._by_bot.get(session.bot) is session:
            del self._by_bot[session.bot]


def replace(session: Session) -> None:
    """End a session because a newer one holds its bot."""
    session.close(Replaced(f"a newer session of {session.bot!r} took over: only one runs at a time"))


def ping_if_due(session: Session, now: float) -> None:
    """Ask for a sign of life once a heartbeat."""
    token = session.pulse.ask(now)
    if token:
        session.ends.pinged(token)
        session.push(encoded("ping", play_pb2.Ping(token=token).SerializeToString()))


def is_quiet(session: Session, now: float) -> bool:
    """Whether nothing was heard for a heartbeat."""
    return session.pulse.silent_for(now, QUIET_BEATS)


def end_if_away(session: Session, now: float) -> None:
    """End a session of which nothing was heard for two heartbeats."""
    if session.pulse.silent_for(now, AWAY_BEATS):
        session.close(Silent("nothing was heard for two heartbeats: answer every Ping, and connect again"))
