"""Offers on a stream: what a bot is offered, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from targi.v1 import game_pb2, play_pb2
from targi_sdk.wire import time_control_to_proto

from targi_server.errors import ServerError
from targi_server.lobby.offer import Offer, OfferState
from targi_server.lobby.offers import Offers
from targi_server.match.model import Kind
from targi_server.play.cardsets import CardSets
from targi_server.play.encoding import encoded
from targi_server.play.session import Session

__all__ = ["Offering"]

_KINDS: Mapping[Kind, play_pb2.OfferKind.ValueType] = {
    Kind.RATED: play_pb2.OFFER_KIND_RATED_PAIR,
    Kind.SINGLE: play_pb2.OFFER_KIND_SINGLE,
    Kind.MIRRORED: play_pb2.OFFER_KIND_MIRRORED,
}


class Offering:
    """Shows offers to connected bots, each once a session, and takes their answers."""

    def __init__(self, offers: Offers, card_sets: CardSets) -> None:
        self._offers = offers
        self._card_sets = card_sets

    async def compare(self, session: Session, held: Iterable[str]) -> None:
        """Show offers that are new, and say of those that are gone what became of them."""
        now = set(held)
        for offer_id in now - session.offers:
            await self.show(session, offer_id)
        for offer_id in session.offers - now:
            await self.close(session, offer_id)
        for offer_id in session.offers & session.taken.keys():
            await self._take_again(session, offer_id)

    async def _take_again(self, session: Session, offer_id: str) -> None:
        """If the store lost the Ready of a bot in a crash, it is noted once more."""
        offer = await self._offers.load(offer_id)
        seat = None if offer is None else offer.seat_of(session.bot)
        if offer is None or seat is None or offer.state is not OfferState.OPEN or offer.answers[seat].nonce:
            return
        with suppress(ServerError):  # whatever became of it meanwhile: the next look shows it
            nonce = session.taken[offer_id]
            await self._offers.ready(offer_id, session.claim, nonce, spending=session.spending)

    async def show(self, session: Session, offer_id: str) -> None:
        """Send an Offer that is open."""
        if offer_id in session.offers:
            return
        offer = await self._offers.load(offer_id)
        if offer is not None and offer.state is OfferState.OPEN and offer_id not in session.offers:
            terms = offer.terms
            self._card_sets.learn(terms.cards_hash, terms.ruleset, terms.variants)
            session.offers.add(offer_id)
            session.push(_offer(offer))

    async def close(self, session: Session, offer_id: str) -> None:
        """Send OfferLapsed for an offer that came to nothing; one that was taken needs no words."""
        offer = await self._offers.load(offer_id)
        if offer is not None and offer.state is OfferState.OPEN:
            return
        if offer_id not in session.offers:
            return
        session.offers.discard(offer_id)
        session.taken.pop(offer_id, None)
        if offer is not None and offer.state is OfferState.LAPSED:
            session.push(_lapsed(offer, session.bot))

    async def ready(self, session: Session, ready: play_pb2.Ready) -> None:
        """The bot takes an offer. Raises UnknownOffer, BadNonce."""
        await self._offers.ready(ready.offer_id, session.claim, ready.nonce, spending=session.spending)
        if ready.offer_id in session.offers:
            session.taken[ready.offer_id] = ready.nonce

    async def decline(self, session: Session, decline: play_pb2.Decline) -> None:
        """The bot refuses an offer. Raises UnknownOffer."""
        await self._offers.decline(decline.offer_id, session.bot, decline.reason)


def _offer(offer: Offer) -> bytes:
    terms = offer.terms
    message = play_pb2.Offer(
        offer_id=offer.offer_id,
        kind=_KINDS[terms.kind],
        match_ids=offer.match_ids,
        rules=game_pb2.Rules(
            ruleset=terms.ruleset,
            variants=terms.variants,
            card_set_hash=terms.cards_hash,
            rules_version=terms.rules,
        ),
        time_control=time_control_to_proto(terms.base_ms, terms.increment_ms),
        commitments=offer.commitments,
        given_seeds=terms.seeds,
        given_opening=terms.opening or b"",
        answer_within_ms=offer.answer_within_ms,
        hold_allowed=terms.hold_allowed,
    )
    return encoded("offer", message.SerializeToString())


def _lapsed(offer: Offer, bot: str) -> bytes:
    seat = offer.seat_of(bot)
    message = play_pb2.OfferLapsed(
        offer_id=offer.offer_id,
        own_fault=seat is not None and offer.at_fault[seat],
        words=offer.words,
        secrets=game_pb2.Secrets(opening_secret=offer.opening_secret, game_secrets=offer.game_secrets),
    )
    return encoded("offer_lapsed", message.SerializeToString())
