"""Offers: from two reserved places to a running match, or to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from targi_server.lobby.presence import Claim

__all__ = ["Offer", "OfferState", "Offers", "Terms"]


class OfferState(StrEnum):
    """Where an offer stands."""

    OPEN = "open"
    AGREED = "agreed"
    STARTED = "started"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered."""

    kind: str
    """A word of match.model.Kind: "rated", "single" or "mirrored"."""
    ruleset: str
    variants: str
    cards_hash: str
    rules: int
    base_ms: int
    increment_ms: int
    budget_ms: int
    hold_allowed: bool = False
    seeds: tuple[bytes, ...] = ()
    """Given by the challenger, one a game; empty: the server's scheme."""
    opening: bytes | None = None
    """Given by the challenger."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer, as far as anybody may know it."""

    offer_id: str
    match_ids: tuple[str, ...]
    terms: Terms
    bots: tuple[str, str]
    """Seats 0 and 1 of game 1."""
    owners: tuple[str, str]
    commitments: tuple[bytes, ...]
    state: OfferState
    answer_within_ms: int
    """Time left to answer, 0 when it is over."""
    at_fault: tuple[bool, bool]
    """Of a lapsed offer: who did not take it."""
    words: str
    """Of a lapsed offer: why."""
    opening_secret: bytes
    """S0, once the offer lapsed; empty before."""
    game_secrets: tuple[bytes, ...]
    """S1 and S2, once the offer lapsed; empty before."""


class Offers:
    """The saga of an offer. Every step may be repeated by anybody, after a crash at any point.

    Bus kinds for the two bots: "offer" and "lapsed" {"offer": id}, "match" {"match": id}.
    """

    async def load(self, offer_id: str) -> Offer | None:
        """An offer; None if it never was, or was closed some minutes ago."""
        raise NotImplementedError

    async def ready(self, offer_id: str, claim: Claim, nonce: bytes) -> OfferState:
        """Takes the offer for a session's bot; the second Ready starts the match.

        Repeating it with the same nonce is harmless. Raises UnknownOffer, BadNonce.
        """
        raise NotImplementedError

    async def decline(self, offer_id: str, bot: str, reason: str) -> None:
        """Refuses the offer. Raises UnknownOffer."""
        raise NotImplementedError
