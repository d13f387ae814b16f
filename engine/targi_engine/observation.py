"""What a seat may know of a state: a value that can be sent, compared, and filled up with guesses.

Both seats know the same (hands are public, decks and face-down cards are hidden from both), so the
observations of the two seats and of a spectator differ in `seat` only.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from targi_engine import snapshot
from targi_engine.board import CELLS
from targi_engine.errors import EngineError, ObservationError
from targi_engine.hidden import Pool, fill, hidden_pools, hide, only_decks
from targi_engine.pending import Pending, pending_of
from targi_engine.ruleset import RULESETS, Ruleset, ruleset
from targi_engine.scoring import Outcome
from targi_engine.state import State
from targi_engine.trace import JsonObject, centre_names, describe, top_name
from targi_engine.varints import Reader, pack
from targi_engine.views import (
    CentreCard,
    Counts,
    Discards,
    PlayerView,
    RoundView,
    card_names,
    centre_card,
    player_view,
    round_view,
)

VERSION: Final = 1  # of the encoding
_HASH_BYTES: Final = 8


class Observation:
    """An immutable view of a state; equal to another when seat and all that is known are equal."""

    __slots__ = ("_bytes", "_pools", "_state", "seat")

    def __init__(self, seat: int | None, state: State, pools: tuple[Pool, ...]) -> None:
        """`state` has backs for hidden cards and is never changed; see `observe` and `decode`."""
        self.seat = seat
        self._state = state
        self._pools = pools
        self._bytes: bytes = b""

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the game."""
        return self._state.ruleset

    @property
    def ply(self) -> int:
        """Asked decisions so far."""
        return self._state.ply

    @property
    def round(self) -> int:
        """1 to 12."""
        return self._state.round

    @property
    def first(self) -> int:
        """The seat of the first player; of the coming round during a raid."""
        return self._state.first

    @property
    def current_seat(self) -> int:
        """Whose decision it is; -1 when the game is over."""
        return self._state.current_seat

    @property
    def decision(self) -> str:
        """The kind of choice that is asked; "" when the game is over."""
        return self._state.decision

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal action ids, ascending, of the seat to move."""
        return self._state.legal_actions()

    @property
    def turn(self) -> int:
        """Own turns in which something was asked, so far."""
        return self._state.turn

    @property
    def reveals(self) -> int:
        """Cards that became visible, so far."""
        return self._state.reveals

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.is_over

    @property
    def robber(self) -> int:
        """The Robber's border card; the corner during a raid."""
        return self._state.robber

    @property
    def targia(self) -> int | None:
        """The Targia's border card; None in the base game."""
        return self._state.targia or None

    @property
    def players(self) -> tuple[PlayerView, PlayerView]:
        """Both sides of the table, by seat."""
        one, other = self._state.players
        return (player_view(self._state, one), player_view(self._state, other))

    @property
    def rounds(self) -> tuple[RoundView, RoundView]:
        """What both seats have done and may still do in this round."""
        one, other = self._state.players
        return (round_view(one), round_view(other))

    @property
    def centre(self) -> tuple[CentreCard, ...]:
        """The nine cells, row by row."""
        return tuple(centre_card(self._state, cell) for cell in range(CELLS))

    @property
    def centre_names(self) -> tuple[str | None, ...]:
        """The nine cells in the notation of traces: "?" face down, None empty."""
        return tuple(centre_names(self._state))

    @property
    def dunes(self) -> tuple[str | None, ...]:
        """The face-up dunes by slot, 1 to 3."""
        names = self._state.ruleset.catalog.names
        return tuple(names[card] if card else None for card in self._state.dune_slots)

    @property
    def top(self) -> str | None:
        """The face-up top tribe card of the expansion; None if there is none (X1.4)."""
        return top_name(self._state)

    @property
    def decks(self) -> Counts:
        """How many cards are left to draw; the face-up top card counts."""
        state = self._state
        return Counts(state.tribe.left(), state.goods.left(), state.dunes.left())

    @property
    def discards(self) -> Discards:
        """All discarded cards."""
        state = self._state
        return Discards(
            card_names(state, state.tribe.discard),
            card_names(state, state.goods.discard),
            card_names(state, state.dunes.discard),
        )

    @property
    def revealed(self) -> tuple[str, ...]:
        """Cards turned up by an effect and not yet gained, laid, taken or discarded."""
        return card_names(self._state, self._state.shown)

    @property
    def pending(self) -> Pending:
        """What the decision is about: the card in question, what is still to be paid or chosen."""
        return pending_of(self._state)

    def scores(self) -> tuple[int, int]:
        """The two scores as they would count now."""
        return self._state.scores()

    def outcome(self) -> Outcome:
        """Result, scores and breakdown as they would count now."""
        return self._state.outcome()

    def describe(self) -> JsonObject:
        """The keys of a trace line, without `action`."""
        return describe(self._state)

    def determinize(self, rng: random.Random) -> State:
        """A full state that looks the same: hidden cards and later reshuffles are drawn at random.

        All consistent ways the hidden cards can lie are equally likely. Only `rng.random()` and
        `rng.getrandbits()` are used.
        """
        state = self._state.clone()
        fill(state, self._pools, rng)
        return state

    def encode(self) -> bytes:
        """The observation as bytes: version, ruleset, seat, then numbers (see snapshot.py)."""
        if not self._bytes:
            self._bytes = _encoded(self._state, self.seat, self._pools)
        return self._bytes

    @classmethod
    def decode(cls, data: bytes, rules: Ruleset | None = None) -> Observation:
        """The observation of some bytes; `rules` is needed only for cards of one's own.

        Raises ObservationError for bytes of another version or card set, or that make no sense.
        """
        reader = Reader(bytes(data))
        version = reader.one()
        if version != VERSION:
            raise ObservationError(f"the observation is of version {version}, this engine reads {VERSION}")
        played = _read_rules(reader, rules)
        seat = reader.one()
        if seat > 2:
            raise ObservationError(f"the observation is for seat {seat - 1}; there are 0, 1 and a spectator")
        state, pools = snapshot.state_of(played, reader)
        return cls(None if seat == 0 else seat - 1, state, pools)

    def __reduce__(self) -> tuple[Callable[[bytes, Ruleset], Observation], tuple[bytes, Ruleset]]:
        return (_restored, (self.encode(), self._state.ruleset))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.encode() == other.encode()

    def __hash__(self) -> int:
        return hash(self.encode())


def observe(state: State, seat: int | None) -> Observation:
    """What a seat (None: a spectator) may know of a state."""
    pools = hidden_pools(state)
    table = state.clone()
    table.forget_forced()
    hide(table, pools)
    return Observation(seat, table, pools)


def encoded(state: State, seat: int | None) -> bytes:
    """`observe(state, seat).encode()`, without the copy that an observation keeps."""
    if only_decks(state):
        return _head(state.ruleset) + _seat(seat) + snapshot.encode_table(state)
    return _encoded(state, seat, hidden_pools(state))


def _encoded(state: State, seat: int | None, pools: tuple[Pool, ...]) -> bytes:
    return _head(state.ruleset) + _seat(seat) + snapshot.encode(state, pools)


def _seat(seat: int | None) -> bytes:
    return pack([0 if seat is None else seat + 1])


@lru_cache(maxsize=64)
def _head(rules: Ruleset) -> bytes:
    variants = rules.variants.encode()
    numbers = [VERSION, RULESETS.index(rules.name), len(variants)]
    return pack(numbers) + variants + bytes.fromhex(rules.cards_hash)[:_HASH_BYTES]


def _restored(data: bytes, rules: Ruleset) -> Observation:
    return Observation.decode(data, rules)


def _read_rules(reader: Reader, given: Ruleset | None) -> Ruleset:
    number, length = reader.many(2)
    variants = reader.raw(length)
    cards_hash = reader.raw(_HASH_BYTES).hex()
    if number >= len(RULESETS):
        raise ObservationError(f"the observation is of ruleset number {number}; there are {len(RULESETS)}")
    try:
        rules = given or ruleset(RULESETS[number], variants.decode())
    except (EngineError, UnicodeDecodeError) as error:
        raise ObservationError(f"the observation names variants that do not exist: {error}") from error
    if not rules.cards_hash.startswith(cards_hash):
        raise ObservationError(
            f"the observation is of card set {cards_hash}.., {rules.name} here has "
            f"{rules.cards_hash[: 2 * _HASH_BYTES]}..: give the ruleset it was made with"
        )
    return rules
