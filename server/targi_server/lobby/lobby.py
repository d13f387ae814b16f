"""The parts of the lobby, put together."""

from __future__ import annotations

from dataclasses import dataclass

from targi_server.lobby.departures import Departures
from targi_server.lobby.limits import ChallengeLimits
from targi_server.lobby.offers import Offers
from targi_server.lobby.presence import Online, Presence
from targi_server.lobby.slots import Slots
from targi_server.metrics import Metrics
from targi_server.settings import Settings
from targi_server.store.opening import Store

__all__ = ["Guest", "Lobby"]


@dataclass(frozen=True, slots=True)
class Guest:
    """A connected bot, and how many matches it plays."""

    session: Online
    matches: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who is there, what they hold, and what they are offered."""

    presence: Presence
    slots: Slots
    offers: Offers
    departures: Departures

    @classmethod
    def of(cls, store: Store, metrics: Metrics, settings: Settings) -> Lobby:
        """The lobby of this replica."""
        presence = Presence(store.commands, store.bus, replica=settings.replica)
        slots = Slots(
            store.commands,
            max_capacity=settings.max_capacity,
            ends_s=settings.finished_ttl_s,
            limits=ChallengeLimits.of(settings),
        )
        offers = Offers(store, presence, slots, metrics, offer_ms=settings.offer_ms)
        return cls(presence, slots, offers, Departures(store.commands))

    async def guests(self) -> list[Guest]:
        """All connected bots, by name."""
        sessions = await self.presence.online()
        held = await self.slots.held(session.bot for session in sessions)
        return [Guest(session, len(held[session.bot].matches)) for session in sessions]
