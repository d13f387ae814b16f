"""An offer as a value: what is offered to whom, where it stands, and the matches that follow from it."""

from __future__ import annotations

import json
from base64 import b85decode, b85encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from targi_server import fairness
from targi_server.fairness import ServerSecrets
from targi_server.lobby.terms import Terms
from targi_server.match.model import Kind, MatchHeader, SeatHeader, Secrets

__all__ = ["Answer", "Offer", "OfferState"]


class OfferState(StrEnum):
    """Where an offer stands."""

    OPEN = "open"
    AGREED = "agreed"
    """Both are ready; the first match is about to start."""
    STARTED = "started"
    OVER = "over"
    """Its matches are over."""
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one bot said to an offer."""

    nonce: bytes = field(default=b"", repr=False)
    """32 bytes once it is ready."""
    version: str = ""
    """Of the session that was ready."""
    chained: bool = False
    """Whether the nonce was bound before the offer was made."""
    fault: bool = False
    """Of a lapsed offer: whether this bot did not take it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer. Its secrets stay inside until they may be published."""

    offer_id: str
    """Also the id of the pair; of a single game also that of its match."""
    match_ids: tuple[str, ...]
    terms: Terms
    bots: tuple[str, str]
    """Seats 0 and 1 of game 1."""
    owners: tuple[str, str]
    secrets: ServerSecrets = field(repr=False)
    state: OfferState = OfferState.OPEN
    answers: tuple[Answer, Answer] = (Answer(), Answer())
    answer_within_ms: int = 0
    """Time left to answer, 0 when it is over."""
    created_ms: int = 0
    agreed_ms: int = 0
    ended_ms: int = 0
    """Of a lapsed offer: when."""
    words: str = ""
    """Of a lapsed offer: why."""

    @property
    def at_fault(self) -> tuple[bool, bool]:
        """Of a lapsed offer: who did not take it."""
        return self.answers[0].fault, self.answers[1].fault

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """SHA-256 of S0, S1 and perhaps S2; empty where seeds are given."""
        return () if self.terms.seeds else self.secrets.commitments

    @property
    def opening_secret(self) -> bytes:
        """S0, once the offer lapsed; empty before, and where seeds are given."""
        return self.secrets.opening if self._published else b""

    @property
    def game_secrets(self) -> tuple[bytes, ...]:
        """S1 and perhaps S2, once the offer lapsed; empty before, and where seeds are given."""
        return self.secrets.games if self._published else ()

    @property
    def _published(self) -> bool:
        return self.state is OfferState.LAPSED and not self.terms.seeds

    @property
    def foreign_challenger(self) -> str:
        """The owner that challenges a bot of another, empty for any other offer: the first bot challenges."""
        first, second = self.owners
        return "" if self.terms.kind is Kind.RATED or first == second else first

    def seat_of(self, bot: str) -> int | None:
        """Seat of a bot in game 1; None if it has none."""
        return self.bots.index(bot) if bot in self.bots else None

    def header(self, game: int, created_ms: int) -> MatchHeader:
        """Header of game 1 or 2 of an agreed offer. It carries no secret of a later game."""
        terms = self.terms
        return MatchHeader(
            match_id=self.match_ids[game - 1],
            pair_id="" if terms.games == 1 else self.offer_id,
            game=game,
            next_match_id=self.match_ids[1] if game < terms.games else "",
            kind=terms.kind,
            ruleset=terms.ruleset,
            variants=terms.variants,
            cards_hash=terms.cards_hash,
            rules=terms.rules,
            vocabulary=terms.vocabulary,
            seed=self._seed(game),
            opening=self._opening(),
            seats=self._seats(game),
            base_ms=terms.base_ms,
            increment_ms=terms.increment_ms,
            budget_ms=terms.budget_ms,
            secrets=None if terms.seeds else self._secrets(game),
            given_seeds=bool(terms.seeds or terms.opening),
            hold_allowed=terms.hold_allowed,
            created_ms=created_ms,
        )

    def encode(self) -> str:
        """What of it never changes, as JSON."""
        secrets = [b85encode(secret).decode() for secret in (self.secrets.opening, *self.secrets.games)]
        parts = [self.offer_id, self.match_ids, self.terms.encode(), self.bots, self.owners, secrets]
        return json.dumps(parts, separators=(",", ":"))

    @classmethod
    def decode(cls, saga: Mapping[str, str], now_ms: int) -> Offer:
        """Reverse of `encode`, with what changes (fields in the headers of lobby/lua) as of `now_ms`."""
        offer_id, match_ids, terms, bots, owners, secrets = json.loads(saga["data"])
        opening, *games = map(b85decode, secrets)
        state = OfferState(saga["state"])
        left = int(saga["expires"]) - now_ms if state is OfferState.OPEN else 0
        return cls(
            offer_id=offer_id,
            match_ids=tuple(match_ids),
            terms=Terms.decode(terms),
            bots=(bots[0], bots[1]),
            owners=(owners[0], owners[1]),
            secrets=ServerSecrets(opening, tuple(games)),
            state=state,
            answers=(_answer(saga, 0), _answer(saga, 1)),
            answer_within_ms=max(left, 0),
            created_ms=int(saga["created"]),
            agreed_ms=int(saga.get("agreed", 0)),
            ended_ms=int(saga.get("ended", 0)),
            words=saga.get("words", ""),
        )

    def _nonces(self) -> tuple[bytes, bytes]:
        return self.answers[0].nonce, self.answers[1].nonce

    def _seed(self, game: int) -> bytes:
        if self.terms.seeds:
            return self.terms.seeds[game - 1]
        return fairness.game_seed(game, self.secrets.games[game - 1], *self._nonces())

    def _opening(self) -> bytes | None:
        if self.terms.opening or self.terms.seeds:
            return self.terms.opening
        return fairness.opening_seed(self.secrets.opening, *self._nonces())

    def _seats(self, game: int) -> tuple[SeatHeader, SeatHeader]:
        first, second = (
            SeatHeader(bot, answer.version, owner)
            for bot, answer, owner in zip(self.bots, self.answers, self.owners, strict=True)
        )
        return (first, second) if game == 1 else (second, first)

    def _secrets(self, game: int) -> Secrets:
        known = self.secrets.after(game)
        chained = self.answers[0].chained, self.answers[1].chained
        return Secrets(known.opening, known.games, *self._nonces(), chained)


def _answer(saga: Mapping[str, str], seat: int) -> Answer:
    return Answer(
        nonce=bytes.fromhex(saga.get(f"nonce{seat}", "")),
        version=saga.get(f"version{seat}", ""),
        chained=saga.get(f"chained{seat}") == "1",
        fault=saga.get(f"fault{seat}") == "1",
    )
