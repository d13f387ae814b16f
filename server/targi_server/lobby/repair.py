"""The matches that bots hold, set right by the match headers, which are the truth.

There is nothing to do, but after a replica that slept through a match and took its places once more, or after
a crash in which some of the store was lost (the slots of a bot, an offer) and the rest was not.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from targi_server.lobby.offer import Offer, OfferState
from targi_server.lobby.presence import Presence
from targi_server.lobby.slots import Held, Slots
from targi_server.match.model import MatchHeader
from targi_server.store.opening import Store

__all__ = ["Repair"]

log = logging.getLogger(__name__)


class Repair:
    """Looks at the connected bots: places of matches that are over go, running matches without one get it."""

    def __init__(self, store: Store, presence: Presence, slots: Slots) -> None:
        self._store = store
        self._presence = presence
        self._slots = slots

    async def run(self, load: Callable[[str], Awaitable[Offer | None]]) -> int:
        """Set all right, and return how many places were; `load` finds an offer."""
        held = await self._slots.held(session.bot for session in await self._presence.online())
        return await self._free(held, load) + await self._restore(held, load)

    async def _free(self, held: Mapping[str, Held], load: Callable[[str], Awaitable[Offer | None]]) -> int:
        freed = 0
        for bot, places in held.items():
            for offer_id, match_id in zip(places.places, places.matches, strict=True):
                offer = await load(offer_id)
                if (offer is None or offer.state is OfferState.OVER) and not await self._runs(match_id):
                    await self._slots.seat(bot, offer_id, over=match_id)
                    freed += 1
        return freed

    async def _restore(self, held: Mapping[str, Held], load: Callable[[str], Awaitable[Offer | None]]) -> int:
        """Only where the offer has no place at all: another game of its pair may be on it by now."""
        restored = 0
        for header in await self._store.matches.headers(await self._store.matches.running()):
            offer_id = header.pair_id or header.match_id
            for bot in _bots(header):
                if bot in held and offer_id not in (*held[bot].places, *held[bot].offers):
                    restored += await self._put_back(bot, offer_id, header, await load(offer_id))
        return restored

    async def _put_back(self, bot: str, offer_id: str, header: MatchHeader, offer: Offer | None) -> bool:
        if (offer is not None and offer.state is OfferState.OVER) or not await self._runs(header.match_id):
            return False
        log.warning("a running match was missing in what its bot holds", extra=_of(bot, header))
        await self._slots.seat(bot, offer_id, starts=header.match_id)
        await self._store.bus.publish_bot(bot, "match", {"match": header.match_id})
        return True

    async def _runs(self, match_id: str) -> bool:
        match = await self._store.matches.load(match_id)
        return match is not None and match.live.verdict is None


def _bots(header: MatchHeader) -> set[str]:
    return {seat.bot for seat in header.seats}


def _of(bot: str, header: MatchHeader) -> dict[str, str]:
    return {"bot": bot, "match": header.match_id}
