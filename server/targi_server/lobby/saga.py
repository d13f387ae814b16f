"""An offer in Redis, step by step: each method is one script of lobby/lua."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from targi_server.errors import BadNonce, UnknownOffer
from targi_server.lobby.offer import Offer, OfferState
from targi_server.store.commands import Commands
from targi_server.store.keys import ALL_LOBBIES, lobby_keys, offer_key
from targi_server.store.replies import mapping, number, rows, text, texts

__all__ = ["Saga"]

PROMPT_MS: Final = 4_000
"""Time from the first reservation within which the offer must be open."""
RESUME_MS: Final = 1_000
"""Time after which somebody else goes on with an offer that is agreed or lapsed."""
READABLE_S: Final = 600
"""Time for which an offer that is done with can be read."""
KEPT_LAPSED: Final = 1_000
"""Offers that came to nothing whose secrets stay published, in each bucket."""
MOST_DUE: Final = 100


class Saga:
    """Where offers stand. What lies between two steps is `lobby.offers`."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def open(self, offer: Offer, reserved_ms: int) -> bool:
        """Opens it; False if the reservations are too old by now."""
        keys = [offer_key(offer.offer_id), lobby_keys(offer.offer_id).due]
        data, for_ms = offer.encode(), offer.answer_within_ms
        reply = await self._commands.script(
            "open", keys, [offer.offer_id, data, reserved_ms, PROMPT_MS, for_ms]
        )
        return number(reply) == 1

    async def look(self, offer_id: str) -> Offer | None:
        """It as it stands; None if it never was, or was done with some minutes ago."""
        now, fields = rows(await self._commands.script("look", [offer_key(offer_id)]))
        saga = mapping(fields)
        return Offer.decode(saga, number(now)) if saga else None

    async def answer(self, offer_id: str, seat: int, nonce: bytes, version: str, chained: bool) -> OfferState:
        """One bot is ready. Raises UnknownOffer, BadNonce for a second nonce."""
        keys = [offer_key(offer_id), lobby_keys(offer_id).due]
        reply = await self._commands.script(
            "ready", keys, [offer_id, seat, nonce.hex(), version, int(chained), RESUME_MS]
        )
        answer = text(reply)
        if answer == "other":
            raise BadNonce(f"another nonce was given for the offer {offer_id} before")
        if answer in ("none", "late", OfferState.LAPSED):
            raise UnknownOffer(f"the offer {offer_id} lapsed before this Ready")
        return OfferState(answer)

    async def lapse(self, offer_id: str, declined_by: int | None, words: str) -> bool:
        """Lapses an open offer that a seat declined, or (None) whose time is over.

        Returns whether it is lapsed now.
        """
        seat = "" if declined_by is None else declined_by
        keys = [offer_key(offer_id), lobby_keys(offer_id).due]
        reply = await self._commands.script("lapse", keys, [offer_id, seat, words, RESUME_MS])
        return text(reply) == OfferState.LAPSED

    async def close(self, offer: Offer, state: OfferState, *, publish_ms: int | None = None) -> bool:
        """Nobody needs to look after it any more; False if somebody closed it before.

        `publish_ms`: when it came to nothing, so that its secrets are published.
        """
        keys = lobby_keys(offer.offer_id)
        readable_s = 0 if state is OfferState.STARTED else READABLE_S
        published = "" if publish_ms is None or offer.terms.seeds else _publication(offer, publish_ms)
        reply = await self._commands.script(
            "close",
            [offer_key(offer.offer_id), keys.due, keys.lapsed],
            [offer.offer_id, offer.state, state, readable_s, published, publish_ms or 0, KEPT_LAPSED],
        )
        return number(reply) == 1

    async def forget(self, offer_id: str) -> None:
        """Strikes an offer that is not there from the list of those to look after."""
        await self._commands.command("ZREM", lobby_keys(offer_id).due, offer_id)

    async def due(self) -> list[str]:
        """Offers that somebody has to look after now."""
        asked = (self._commands.script("due", [keys.due], [MOST_DUE]) for keys in ALL_LOBBIES)
        return [offer_id for reply in await asyncio.gather(*asked) for offer_id in texts(reply)]


def _publication(offer: Offer, ended_ms: int) -> str:
    """What is published of an offer that came to nothing; equal however often it is made."""
    drawn = [secret.hex() for secret in (offer.secrets.opening, *offer.secrets.games)]
    nonces = [answer.nonce.hex() for answer in offer.answers]
    return json.dumps([offer.offer_id, ended_ms, drawn, nonces], separators=(",", ":"))
