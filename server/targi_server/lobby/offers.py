"""From an offer to running matches, or to nothing.

    places reserved -> open -> both ready: agreed -> places taken, match created: started -> games over: over
                            -> declined, or its time is over: lapsed -> places given back, secrets published

Each step is one script; what lies between two of them may be done by anybody, twice, or after a crash, and
the matchmaker looks after every offer that is not done with.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import Final

from targi_engine import new_game

from targi_server.echo import echoed
from targi_server.errors import BadNonce, Limit, NotAvailable, UnknownOffer
from targi_server.fairness import SECRET_BYTES, ServerSecrets
from targi_server.lobby.departures import Departures
from targi_server.lobby.offer import Offer, OfferState
from targi_server.lobby.presence import Claim, Presence
from targi_server.lobby.repair import Repair
from targi_server.lobby.saga import Saga
from targi_server.lobby.slots import Slots
from targi_server.lobby.terms import Terms
from targi_server.match.model import Kind, MatchHeader, Verdict
from targi_server.match.versions import edition_of, is_replayable
from targi_server.metrics import Metrics
from targi_server.store.opening import Store

__all__ = ["Offer", "OfferState", "Offers", "Terms"]

log = logging.getLogger(__name__)

SLACK_MS: Final = 5_000
"""How much longer a place is reserved than the offer is open."""
ID_BYTES: Final = 8
NO_CONTEST: Final = "*"


class Offers:
    """Makes offers, takes the answers, and goes on with whatever a crash left half done.

    Bus kinds for the two bots: "offer" and "lapsed" {"offer": id}, "match" {"match": id}.
    """

    def __init__(
        self, store: Store, presence: Presence, slots: Slots, metrics: Metrics, *, offer_ms: int
    ) -> None:
        self._store = store
        self._presence = presence
        self._slots = slots
        self._metrics = metrics
        self._offer_ms = offer_ms
        self._saga = Saga(store.commands)
        self._departures = Departures(store.commands)
        self._repair = Repair(store, presence, slots)
        self._steps: Mapping[OfferState, Callable[[Offer], Awaitable[None]]] = {
            OfferState.AGREED: self._start,
            OfferState.LAPSED: self._settle,
        }

    async def make(
        self, terms: Terms, bots: tuple[str, str], owners: tuple[str, str], token: int = 0
    ) -> Offer:
        """Offers a match or a pair to two bots; the first has seat 0 of game 1.

        `token` is the matchmaker's, 0 for a challenge. Raises NotAvailable, Limit.
        """
        drawn = ServerSecrets.draw(terms.games)
        offer_id = secrets.token_hex(ID_BYTES)
        match_ids = (
            (offer_id,) if terms.games == 1 else (secrets.token_hex(ID_BYTES), secrets.token_hex(ID_BYTES))
        )
        offer = Offer(offer_id, match_ids, terms, bots, owners, drawn, answer_within_ms=self._offer_ms)
        if not await self._saga.open(offer, await self._reserve(offer, token)):
            await self._free(offer)
            raise NotAvailable("the server was too slow to make the offer: try again")
        self._metrics.offers_total.labels("made").inc()
        await self._tell(bots, "offer", offer=offer_id)
        return offer

    async def load(self, offer_id: str) -> Offer | None:
        """An offer; None if it never was, or was done with some minutes ago."""
        return await self._saga.look(offer_id)

    async def ready(
        self, offer_id: str, claim: Claim, nonce: bytes, *, spending: asyncio.Lock | None = None
    ) -> OfferState:
        """Takes the offer for a session's bot; the second Ready starts the match.

        A chain gives its nonces in one order only: `spending` is the session's lock for that, which is taken
        in the order of the calls. Repeating a call with the same nonce is harmless. Raises UnknownOffer,
        BadNonce, Replaced.
        """
        offer, seat = await self._of(offer_id, claim.bot)
        if len(nonce) != SECRET_BYTES:
            raise BadNonce(f"the nonce has {len(nonce)} bytes, {SECRET_BYTES} are needed")
        chained = False
        if offer.state is OfferState.OPEN and not offer.answers[seat].nonce:
            async with spending or nullcontext():
                bound_ms = await self._presence.spend(claim, nonce, offer_id)
            chained = bound_ms is not None and bound_ms <= offer.created_ms
        state = await self._saga.answer(offer_id, seat, nonce, claim.version, chained)
        if state is OfferState.AGREED:
            await self._resume(offer_id)
        return state

    async def decline(self, offer_id: str, bot: str, reason: str) -> None:
        """Refuses the offer; `reason` is for the log. Raises UnknownOffer for one that both took already."""
        _, seat = await self._of(offer_id, bot)
        if not await self._saga.lapse(offer_id, seat, "one of the two bots declined it"):
            raise UnknownOffer(f"the offer {offer_id} can no longer be declined")
        log.info("offer declined: %s", reason[:200], extra={"offer": offer_id, "bot": bot})
        await self._resume(offer_id)

    async def sweep(self) -> None:
        """Lapses the offers whose time is over and goes on with those that were left half done."""
        await asyncio.gather(*map(self._sweep, await self._saga.due()))

    async def game_over(self, header: MatchHeader, verdict: Verdict) -> None:
        """Goes on after a match of an offer: with game 2, or with nothing. Idempotent."""
        offer = await self._started(header.pair_id or header.match_id)
        if offer is None:
            return
        unplayed = bool(header.next_match_id)
        if unplayed and verdict.result != NO_CONTEST:
            await self._begin(offer, offer.header(2, verdict.at_ms), over=header.match_id)
            return
        await self._seat(offer, over=header.match_id)
        await self._saga.close(offer, OfferState.OVER, publish_ms=verdict.at_ms if unplayed else None)

    async def repair(self) -> int:
        """Sets right what connected bots hold, by the match headers; returns how many places were wrong."""
        return await self._repair.run(self.load)

    async def _started(self, offer_id: str) -> Offer | None:
        """The offer of a match that is over, if this was not gone on with before."""
        offer = await self.load(offer_id)
        if offer is not None and offer.state is OfferState.AGREED:  # over before it was noted as started
            await self._start(offer)
            offer = await self.load(offer_id)
        return offer if offer is not None and offer.state is OfferState.STARTED else None

    async def _of(self, offer_id: str, bot: str) -> tuple[Offer, int]:
        offer = await self.load(offer_id)
        seat = offer.seat_of(bot) if offer else None
        if offer is None or seat is None:
            raise UnknownOffer(
                f"there is no offer {echoed(offer_id)} for the bot {bot!r}, or it is long over"
            )
        return offer, seat

    async def _reserve(self, offer: Offer, token: int) -> int:
        for_ms = self._offer_ms + SLACK_MS
        first, second = offer.bots
        edition = edition_of(offer.terms)
        at_ms = await self._slots.reserve(first, offer.offer_id, for_ms=for_ms, token=token, edition=edition)
        try:
            await self._slots.reserve(
                second,
                offer.offer_id,
                for_ms=for_ms,
                token=token,
                edition=edition,
                challenger=offer.foreign_challenger,
            )
        except (NotAvailable, Limit):
            await self._slots.free(first, offer.offer_id, fault=False)
            raise
        return at_ms

    async def _sweep(self, offer_id: str) -> None:
        await self._saga.lapse(offer_id, None, "not both bots were ready in time")
        await self._resume(offer_id)

    async def _resume(self, offer_id: str) -> None:
        offer = await self.load(offer_id)
        if offer is None:
            await self._saga.forget(offer_id)
        elif offer.state in self._steps:
            await self._steps[offer.state](offer)

    async def _start(self, offer: Offer) -> None:
        if not is_replayable(offer.terms):
            return  # only a server that has these rules can deal; its matchmaker will
        await self._begin(offer, offer.header(1, offer.agreed_ms))
        if await self._saga.close(offer, OfferState.STARTED):
            self._metrics.offers_total.labels("started").inc()

    async def _begin(self, offer: Offer, header: MatchHeader, over: str = "") -> None:
        """Puts a match on both places, creates it and tells the bots; its clock runs from its creation."""
        await self._seat(offer, over=over, starts=header.match_id)
        state = new_game(header.ruleset, header.seed, header.opening, variants=header.variants)
        if await self._store.matches.create(header, seat=state.current_seat):
            self._metrics.matches_started_total.labels(header.ruleset, header.kind).inc()
        await self._note_absent(offer, header)
        await self._tell(offer.bots, "match", match=header.match_id)

    async def _note_absent(self, offer: Offer, header: MatchHeader) -> None:
        """A bot that left by itself before it could sit down is away on its own account."""
        for seat, who in enumerate(header.seats):
            if await self._departures.is_gone(who.bot, offer.offer_id):
                await self._store.matches.depart_unseated(header.match_id, seat)

    async def _settle(self, offer: Offer) -> None:
        await self._free(offer)
        if await self._saga.close(offer, OfferState.LAPSED, publish_ms=offer.ended_ms):
            self._metrics.offers_total.labels("lapsed").inc()
        await self._tell(offer.bots, "lapsed", offer=offer.offer_id)

    async def _free(self, offer: Offer) -> None:
        rated = offer.terms.kind is Kind.RATED
        for bot, fault in zip(offer.bots, offer.at_fault, strict=True):
            await self._slots.free(bot, offer.offer_id, fault=fault and rated)

    async def _seat(self, offer: Offer, *, over: str = "", starts: str = "") -> None:
        for bot in offer.bots:
            await self._slots.seat(bot, offer.offer_id, over=over, starts=starts)

    async def _tell(self, bots: tuple[str, str], kind: str, **payload: str) -> None:
        for bot in bots:
            await self._store.bus.publish_bot(bot, kind, payload)
