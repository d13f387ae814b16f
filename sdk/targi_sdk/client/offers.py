"""Offers of matches: which are taken, and the nonces that go with them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import Enum, auto

from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons
from targi_engine import EngineError

from targi_sdk.client.news import Kind, News, Reporter
from targi_sdk.client.nonces import ChainError, NonceChain
from targi_sdk.client.outbox import Outbox
from targi_sdk.client.telling import reason_name
from targi_sdk.errors import SdkError
from targi_sdk.wire import ruleset_from_proto

__all__ = ["Offers"]

NONCE_BYTES = 32


class _Remedy(Enum):
    """What may help when the service refuses a nonce."""

    NEXT = auto()
    """Send the next one: the first was lost with a stream, whose successor's Hello named it as the head."""
    AGAIN = auto()
    """Send it again: the service may have taken two Readys in the wrong order."""
    ANNOUNCE = auto()
    """Announce the chain anew, with a Hello: the service counts differently."""


@dataclass(slots=True)
class _Taken:
    """An offer that was answered with Ready, and what is still to be tried if the nonce is refused."""

    nonce: bytes
    remedies: list[_Remedy] = field(default_factory=lambda: [_Remedy.AGAIN, _Remedy.ANNOUNCE])


class Offers:
    """Answers offers. A taken one that comes again on a new stream gets the same nonce first."""

    def __init__(self, outbox: Outbox, report: Reporter, chain: NonceChain | None = None) -> None:
        self._outbox = outbox
        self._report = report
        self._chain = chain or _new_chain()
        self._taken: dict[str, _Taken] = {}
        self.awaited: dict[str, str] = {}
        """Matches that are still to start, each with its offer."""

    def begin(self) -> bytes:
        """A new stream: what its Hello says is the head of the nonce chain, 32 bytes."""
        for offer_id, taken in self._taken.items():
            if _Remedy.NEXT not in taken.remedies:
                taken.remedies.insert(0, _Remedy.NEXT)
            self._await_none(offer_id)
        if not self._chain.left:
            self._chain = _new_chain()
        return self._chain.head

    def offer(self, message: pb.Offer, *, leaving: bool) -> None:
        """Take an offer, or decline what this process cannot play. Raises `ChainError`."""
        taken = self._taken.get(message.offer_id)
        if taken is None:
            if objection := "the bot is leaving" if leaving else _objection(message):
                self._decline(message.offer_id, objection)
                return
            taken = self._taken[message.offer_id] = _Taken(self._chain.next())
            games = "a pair" if len(message.match_ids) > 1 else "a game"
            words = f"offer {message.offer_id} taken: {games} of {message.rules.ruleset}"
            self._report(News(Kind.OFFER, words))
        self.awaited |= dict.fromkeys(message.match_ids, message.offer_id)
        self._ready(message.offer_id, taken)

    def lapsed(self, message: pb.OfferLapsed) -> None:
        """An offer came to nothing."""
        self._drop(message.offer_id)
        blame = " because of this bot" if message.own_fault else ""
        self._report(News(Kind.NOTICE, f"offer {message.offer_id} lapsed{blame}: {message.words}"))

    def rejected(self, message: pb.Rejected) -> None:
        """A Ready or Decline was refused. Raises `ChainError` if the service has lost count of the nonces."""
        taken = self._taken.get(message.offer_id)
        if message.reason == reasons.REASON_BAD_NONCE and taken is not None and taken.remedies:
            self._mend(message.offer_id, taken)
            return
        self._drop(message.offer_id)
        words = f"offer {message.offer_id} refused ({reason_name(message.reason)}): {message.words}"
        self._report(News(Kind.NOTICE, words))

    def started(self, match_id: str) -> None:
        """A match started: its offer is settled, though the second match of a pair starts later."""
        self._taken.pop(self.awaited.pop(match_id, ""), None)

    def _mend(self, offer_id: str, taken: _Taken) -> None:
        """Try the next remedy against a refused nonce."""
        remedy = taken.remedies.pop(0)
        if remedy is _Remedy.ANNOUNCE:
            raise ChainError("the service expects another nonce: the chain is announced anew")
        if remedy is _Remedy.NEXT:
            taken.nonce = self._chain.next()
        self._ready(offer_id, taken)

    def _ready(self, offer_id: str, taken: _Taken) -> None:
        self._outbox.add(pb.BotEvent(ready=pb.Ready(offer_id=offer_id, nonce=taken.nonce)))

    def _decline(self, offer_id: str, objection: str) -> None:
        self._outbox.add(pb.BotEvent(decline=pb.Decline(offer_id=offer_id, reason=objection[:200])))
        self._report(News(Kind.NOTICE, f"offer {offer_id} declined: {objection}"))

    def _drop(self, offer_id: str) -> None:
        self._taken.pop(offer_id, None)
        self._await_none(offer_id)

    def _await_none(self, offer_id: str) -> None:
        self.awaited = {match_id: of for match_id, of in self.awaited.items() if of != offer_id}


def _new_chain() -> NonceChain:
    return NonceChain(secrets.token_bytes(NONCE_BYTES))


def _objection(message: pb.Offer) -> str:
    """Why this process cannot play what is offered, "" if it can."""
    try:
        ruleset_from_proto(message.rules)
    except (SdkError, EngineError) as error:
        return str(error)
    return ""
