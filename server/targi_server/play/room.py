"""The playing part of a server, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from targi_server.accounts.store import Accounts
from targi_server.ladder.archive import Archive
from targi_server.lobby.lobby import Lobby
from targi_server.metrics import Metrics
from targi_server.play.answering import Acts
from targi_server.play.cardsets import CardSets
from targi_server.play.caretaker import Caretaker
from targi_server.play.conduct import Conduct
from targi_server.play.delay import Delay
from targi_server.play.doorkeeper import Doorkeeper
from targi_server.play.elsewhere import Elsewhere
from targi_server.play.errands import Errands
from targi_server.play.events import Events
from targi_server.play.gallery import Gallery
from targi_server.play.heartbeat import Heartbeat
from targi_server.play.host import Host
from targi_server.play.keeping import Keeper
from targi_server.play.listing import Listing
from targi_server.play.lookup import Lookup
from targi_server.play.notes import Notes
from targi_server.play.offering import Offering
from targi_server.play.seating import Seating
from targi_server.play.sessions import Sessions
from targi_server.play.stream import Frames, Stream
from targi_server.play.tables import Tables
from targi_server.play.together import Together
from targi_server.play.untold import Untold
from targi_server.repetition import SECOND_S, repeated
from targi_server.settings import Settings
from targi_server.store.opening import Store

__all__ = ["Room", "playing"]

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
        delay = Delay(settings.watch_delay_plies, settings.watch_delay_ms)
        self.lookup = Lookup(store.matches, archive, delay)
        self.listing = Listing(store.matches, archive, self.lookup)
        self.gallery = Gallery(self.lookup, delay, self.errands, store.matches.now_ms)
        self.tables = Tables(store.matches, self.errands, metrics)
        self.keeper = Keeper(self.tables)
        elsewhere = Elsewhere(store.commands, store.matches, lobby.slots)
        seating = Seating(self.tables, self.keeper, elsewhere, self.card_sets)
        offering = Offering(lobby.offers, self.card_sets)
        untold = Untold(store.matches, archive, lobby.slots)
        self.elsewhere = elsewhere
        self.caretaker = Caretaker(
            self.sessions, self.tables, seating, elsewhere, offering, untold, lobby, self.errands, metrics
        )
        self.heartbeat = Heartbeat(
            self.sessions,
            self.tables,
            lobby.presence,
            self.errands,
            heartbeat_s=settings.heartbeat_ms / 1000,
        )
        acts = Acts(self.tables, self.keeper, seating, Notes(store.commands), metrics)
        conduct = Conduct(self.tables, seating)
        self.events = Events(
            self.tables, Together(self.tables, acts), conduct, offering, lobby.presence, metrics
        )
        self.host = Host(
            settings, store.matches, lobby, self.sessions, seating, elsewhere, self.caretaker, self.errands
        )

    def stream(self, frames: Frames) -> Stream:
        """A conversation over `frames`."""
        limit = self.settings.max_frame_bytes
        return Stream(frames, self.host, self.events, self.errands, self.metrics, limit)


@asynccontextmanager
async def playing(
    settings: Settings, store: Store, lobby: Lobby, archive: Archive, accounts: Accounts, metrics: Metrics
) -> AsyncIterator[Room]:
    """Run the playing part; at the end what was begun is finished."""
    room = Room(settings, store, lobby, archive, metrics)
    unsubscribe = [
        store.bus.subscribe(room.keeper.on_news, own=_told_already),
        store.bus.subscribe(room.gallery.on_news, own=room.gallery.follows),
        store.bus.subscribe_bot(room.caretaker.on_bot_news),
    ]
    each_second = (
        Doorkeeper(room.sessions, accounts).look,
        store.matches.tick,
        lobby.presence.beat,
        room.elsewhere.refresh,
        room.caretaker.look,
        room.keeper.check,
        room.gallery.check,
    )
    try:
        async with (
            repeated(SECOND_S, *each_second),
            repeated(room.heartbeat.every_s, room.heartbeat.beat),
        ):
            try:
                yield room
            finally:
                await room.errands.finish(FINISH_S)
    finally:
        for end in unsubscribe:
            end()


def _told_already(_match_id: str) -> bool:
    """Tables hear of what was done here from the answer to it."""
    return False
