"""The playing part of a server, put together."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from targi_server.errors import ServerError
from targi_server.ladder.archive import Archive
from targi_server.lobby.lobby import Lobby
from targi_server.metrics import Metrics
from targi_server.play.answering import Acts
from targi_server.play.cardsets import CardSets
from targi_server.play.caretaker import Caretaker
from targi_server.play.conduct import Conduct
from targi_server.play.errands import Errands
from targi_server.play.events import Events
from targi_server.play.host import Host
from targi_server.play.keeping import Keeper
from targi_server.play.lookup import Lookup
from targi_server.play.notes import Notes
from targi_server.play.offering import Offering
from targi_server.play.seating import Seating
from targi_server.play.sessions import Sessions
from targi_server.play.stream import Frames, Stream
from targi_server.play.tables import Tables
from targi_server.play.untold import Untold
from targi_server.settings import Settings
from targi_server.store.opening import Store

__all__ = ["Room", "playing"]

log = logging.getLogger(__name__)

SECOND_S = 1.0
LOOKS_A_HEARTBEAT = 4
FINISH_S = 5.0


class Room:
    """Where bots play: sessions, tables, and what keeps both going."""

    def __init__(
        self, settings: Settings, store: Store, lobby: Lobby, archive: Archive, metrics: Metrics
    ) -> None:
        self.settings = settings
        self.metrics = metrics
        self.sessions = Sessions()
        self.errands = Errands()
        self.card_sets = CardSets()
        self.lookup = Lookup(store.matches, archive)
        self.tables = Tables(store.matches, self.errands, metrics)
        self.keeper = Keeper(self.tables)
        seating = Seating(self.tables, self.keeper, self.card_sets)
        offering = Offering(lobby.offers, self.card_sets)
        untold = Untold(store.matches, archive, lobby.slots)
        self.caretaker = Caretaker(
            self.sessions, self.tables, seating, offering, untold, lobby, self.errands, metrics
        )
        acts = Acts(self.tables, self.keeper, seating, Notes(store.commands), metrics)
        conduct = Conduct(self.tables, seating)
        self.events = Events(self.tables, acts, conduct, offering, lobby.presence, metrics)
        self.host = Host(settings, store.matches, lobby, self.sessions, seating, self.caretaker, self.errands)

    def stream(self, frames: Frames) -> Stream:
        """A conversation over `frames`."""
        limit = self.settings.max_frame_bytes
        return Stream(frames, self.host, self.events, self.errands, self.metrics, limit)

    async def beat(self) -> None:
        """Look for signs of life."""
        self.caretaker.beat()


@asynccontextmanager
async def playing(
    settings: Settings, store: Store, lobby: Lobby, archive: Archive, metrics: Metrics
) -> AsyncIterator[Room]:
    """Run the playing part; at the end what was begun is finished."""
    room = Room(settings, store, lobby, archive, metrics)
    unsubscribe = [
        store.bus.subscribe(room.keeper.on_news),
        store.bus.subscribe_bot(room.caretaker.on_bot_news),
    ]
    beat_s = min(SECOND_S, settings.heartbeat_ms / 1000 / LOOKS_A_HEARTBEAT)
    each_second = (store.matches.tick, lobby.presence.beat, room.caretaker.look, room.keeper.check)
    tasks = [asyncio.create_task(each(SECOND_S, work)) for work in each_second]
    tasks.append(asyncio.create_task(each(beat_s, room.beat)))
    try:
        yield room
    finally:
        await room.errands.finish(FINISH_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for end in unsubscribe:
            end()


async def each(interval_s: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do `work` at fixed times; one that takes too long skips some, one that fails is logged."""
    due = time.monotonic()
    while True:
        try:
            await work()
        except ServerError as error:
            log.warning("%s", error)
        except Exception:
            log.exception("%s failed; it is tried again", getattr(work, "__qualname__", work))
        due = max(due + interval_s, time.monotonic())
        await asyncio.sleep(due - time.monotonic())
