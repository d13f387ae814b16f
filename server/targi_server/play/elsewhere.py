"""Bots that belong to a server of another edition of the rules, by what they play or because it is newer."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from targi.v1 import play_pb2, reason_pb2

from targi_server.errors import PlayedElsewhere
from targi_server.ladder.election import is_led, is_newest
from targi_server.lobby.slots import Held, Slots
from targi_server.match.model import MatchHeader
from targi_server.match.versions import edition_of, is_replayable, objection
from targi_server.play.encoding import encoded
from targi_server.play.session import Session
from targi_server.store.commands import Commands
from targi_server.store.matches import MatchStore

__all__ = ["Elsewhere", "told_of"]

log = logging.getLogger(__name__)


class Elsewhere:
    """Sends bots on to a server that can play what they play, or that deals, while there is one."""

    def __init__(self, commands: Commands, store: MatchStore, slots: Slots) -> None:
        self._commands = commands
        self._store = store
        self._slots = slots
        self._finishes_only = False
        """Whether a newer edition deals, and this one plays what runs to its end."""

    @property
    def finishes_only(self) -> bool:
        """Whether a bot that has nothing to play here belongs elsewhere."""
        return self._finishes_only

    async def refresh(self) -> None:
        """Look whether a newer edition deals; to be called each second."""
        finishes_only = not await is_newest(self._commands)
        if finishes_only != self._finishes_only:
            words = "a newer edition of the rules deals: what runs here is played to its end"
            log.warning(words if finishes_only else "no newer edition of the rules deals any more")
        self._finishes_only = finishes_only

    async def check(self, bot: str) -> None:
        """Raise PlayedElsewhere for a bot that has nothing to play here, but elsewhere."""
        held = (await self._slots.held([bot]))[bot]
        headers = await self._store.headers(held.matches) if held.matches else []
        if not any(map(is_replayable, headers)):
            await self._send_on(bot, headers, free=not headers)

    def note(self, session: Session, header: MatchHeader) -> None:
        """Tell a bot, once, that a match of its own cannot be played here."""
        if header.match_id in session.elsewhere:
            return
        session.elsewhere[header.match_id] = header
        words = _words(header)
        log.warning("%s", words, extra={"match": header.match_id, "bot": session.bot})
        notice = play_pb2.Notice(
            reason=reason_pb2.REASON_VERSION_MISMATCH,
            words=f"{words}; it goes on at a server that can, and stands still as long as there is none",
        )
        session.push(encoded("notice", notice.SerializeToString()))

    async def look(self, session: Session, held: Held) -> None:
        """End the stream of a bot that has nothing left to play here, but elsewhere."""
        for match_id in session.elsewhere.keys() - set(held.matches):
            del session.elsewhere[match_id]
        if session.matches or held.offers or set(held.matches) - session.elsewhere.keys():
            return
        try:
            await self._send_on(session.bot, session.elsewhere.values(), free=not held.matches)
        except PlayedElsewhere as error:
            session.close(error)

    async def _send_on(self, bot: str, foreign: Iterable[MatchHeader], *, free: bool) -> None:
        if free and self._finishes_only:
            raise PlayedElsewhere("a newer edition of the rules deals on other servers: connect again")
        editions: Mapping[str, str] = {edition_of(header): _words(header) for header in foreign}
        for edition, words in editions.items():
            if await is_led(self._commands, edition):
                log.info("sent on: %s", words, extra={"bot": bot})
                raise PlayedElsewhere(f"{words}: connect again to reach one that can")


def _words(header: MatchHeader) -> str:
    return f"match {header.match_id} cannot be played here: {objection(header)}"


def told_of(sessions: Iterable[Session]) -> int:
    """How many matches of these bots cannot be played here."""
    return sum(len(session.elsewhere) for session in sessions)
