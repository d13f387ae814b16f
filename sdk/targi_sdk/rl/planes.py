"""The planes of which a position's tensor is made: their names, shapes, meanings, and how they are filled.

"Own" is the seat for which the tensor is made, "other" its opponent. Counts are divided by what is usual, so
that most values lie between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from targi_engine import Observation
from targi_engine.board import PLACES, SIZE
from targi_engine.frames import DECISIONS
from targi_engine.player import ROW_CELLS, ROWS

from targi_sdk.rl.vocabulary import Vocabulary

__all__ = ["PLANES", "Look", "PlaneKind"]

Floats: TypeAlias = NDArray[np.float32]

NAMES = tuple(dict.fromkeys(DECISIONS))
ROUNDS, CELLS, SLOTS, HAND, BACKS = 12, 9, 3, 2, 2
CHOSEN = ROWS * ROW_CELLS
STOCK_SCALES = {"dates": 10, "salt": 10, "pepper": 10, "gold": 3, "water": 10, "vp": 20, "stored_gold": 3}
DECK_SCALES = (45, 24, 20)
SCORE_SCALE = 40


class Look:
    """A position as one seat sees it; what several planes need is read off once."""

    __slots__ = ("pending", "players", "rounds", "scores", "seat", "view", "words")

    def __init__(self, view: Observation, words: Vocabulary, seat: int) -> None:
        self.view = view
        self.words = words
        self.seat = seat
        self.players = view.players
        self.rounds = view.rounds
        self.scores = view.scores()
        self.pending = view.pending


class PlaneKind(NamedTuple):
    """A plane of every ruleset, or only of those with the expansion."""

    name: str
    shape: Callable[[Vocabulary], tuple[int, ...]]
    meaning: str
    fill: Callable[[Floats, Look], None]
    """Writes into zeros of that shape."""
    expanded: bool = False


def _decision(out: Floats, look: Look) -> None:
    if not look.view.is_over:
        out[NAMES.index(look.view.decision)] = 1


def _to_move(out: Floats, look: Look) -> None:
    out[0] = look.view.current_seat == look.seat
    out[1] = look.view.first == look.seat


def _round(out: Floats, look: Look) -> None:
    out[look.view.round - 1] = 1


def _robber(out: Floats, look: Look) -> None:
    out[look.view.robber - 1] = 1


def _targia(out: Floats, look: Look) -> None:
    if look.view.targia is not None:
        out[look.view.targia - 1] = 1


def _decks(out: Floats, look: Look) -> None:
    out[:] = [left / scale for left, scale in zip(look.view.decks, DECK_SCALES, strict=True)]


def _centre(out: Floats, look: Look) -> None:
    faces = look.words.faces
    for cell, card in enumerate(look.view.centre):
        if card.deck is not None and not card.face_up:
            out[cell, len(faces) + (card.deck == "goods")] = 1
        if card.card is not None:
            out[cell, faces[card.card]] = 1


def _top(out: Floats, look: Look) -> None:
    if look.view.top is not None:
        out[look.words.tribe[look.view.top]] = 1


def _dunes(out: Floats, look: Look) -> None:
    for slot, card in enumerate(look.view.dunes):
        if card is not None:
            out[slot, look.words.dunes[card]] = 1


def _revealed(out: Floats, look: Look) -> None:
    for card in look.view.revealed:
        out[look.words.faces[card]] += 1 / 3


def _discards(out: Floats, look: Look) -> None:
    words = look.words
    for pile in look.view.discards:
        for card in pile:
            out[words.cards[card]] += 1 / words.copies[card]


def _pending_card(out: Floats, look: Look) -> None:
    if look.pending.card is not None:
        out[look.words.cards[look.pending.card]] = 1


def _pending(out: Floats, look: Look) -> None:
    now = look.pending
    goods = [need / 3 for need in now.needs]
    out[:] = [*goods, now.gold / 3, now.water / 6, now.points / 3, now.extra / 3, now.left / 10]


def _pending_row(out: Floats, look: Look) -> None:
    if look.pending.row is not None:
        out[look.pending.row] = 1


def _chosen(out: Floats, look: Look) -> None:
    if look.pending.chosen is not None:
        out[look.pending.chosen] = 1


Fill = Callable[[Floats, Look, int], None]


def _stock(out: Floats, look: Look, seat: int) -> None:
    player = look.players[seat]
    counts = [getattr(player, kind) / scale for kind, scale in STOCK_SCALES.items()]
    out[:] = [*counts, look.scores[seat] / SCORE_SCALE]


def _hand(out: Floats, look: Look, seat: int) -> None:
    player = look.players[seat]
    for place, card in enumerate(player.hand[:HAND]):
        out[place, look.words.tribe[card]] = 1 if place < len(player.hand) - player.fresh else 0.5


def _display(out: Floats, look: Look, seat: int) -> None:
    for row, cards in enumerate(look.players[seat].display):
        for place, card in enumerate(cards):
            out[ROW_CELLS * row + place, look.words.laid[card]] = 1


def _tokens(out: Floats, look: Look, seat: int) -> None:
    for card in look.players[seat].tokens:
        out[look.words.tribe[card]] = 1


def _targis(out: Floats, look: Look, seat: int) -> None:
    for place in look.players[seat].targis:
        out[PLACES.index(place)] = 1


def _dune_targis(out: Floats, look: Look, seat: int) -> None:
    for slot in look.players[seat].dune_targis:
        out[slot - 1] = 1


def _markers(out: Floats, look: Look, seat: int) -> None:
    out[list(look.players[seat].markers)] = 1


def _of_round(out: Floats, look: Look, seat: int) -> None:
    now = look.rounds[seat]
    flags = (now.got_goods, now.targia, now.targia_took, now.targia_drew)
    out[:] = [now.targis / 3, now.next_targis / 3, *now.bonuses, *flags, now.wells]


def _count(number: int) -> Callable[[Vocabulary], tuple[int, ...]]:
    return lambda words: (number,)


SIDE: tuple[tuple[str, Callable[[Vocabulary], tuple[int, ...]], str, Fill, bool], ...] = (
    (
        "stock",
        _count(len(STOCK_SCALES) + 1),
        "dates, salt, pepper / 10, gold / 3, water / 10, VP tokens / 20, gold on cards / 3, score now / 40",
        _stock,
        False,
    ),
    (
        "hand",
        lambda words: (HAND, len(words.tribe)),
        "card by place in the hand; 0.5 if it was taken in this round",
        _hand,
        False,
    ),
    ("display", lambda words: (CHOSEN, len(words.laid)), "card by cell, row by row", _display, False),
    ("tokens", lambda words: (len(words.tribe),), "cards whose token is unused", _tokens, True),
    ("targis", _count(len(PLACES)), "Targis on border cards 1-3, 5-7, 9-11, 13-15", _targis, False),
    ("dune_targis", _count(SLOTS), "Targis on dunes by slot", _dune_targis, True),
    ("markers", _count(CELLS), "markers by cell", _markers, False),
    (
        "round",
        _count(10),
        "Targis in this and the next round / 3; goods that goods cards still add (dates, salt, pepper); "
        "whether goods cards gave goods; whether the Targia may be used, took, drew; wells used",
        _of_round,
        False,
    ),
)
"""Planes that both sides have: name, shape, meaning, how it is filled for a seat, only with the expansion."""


def _sides() -> Iterable[PlaneKind]:
    for side, turned in (("own", 0), ("other", 1)):
        for name, shape, meaning, fill, expanded in SIDE:
            yield PlaneKind(f"{side}_{name}", shape, meaning, _for_side(fill, turned), expanded)


def _for_side(fill: Fill, turned: int) -> Callable[[Floats, Look], None]:
    return lambda out, look: fill(out, look, look.seat ^ turned)


PLANES: tuple[PlaneKind, ...] = (
    PlaneKind("decision", _count(len(NAMES)), f"what is asked: {', '.join(NAMES)}", _decision),
    PlaneKind("to_move", _count(2), "whether the own seat decides; whether it is first", _to_move),
    PlaneKind("round", _count(ROUNDS), "round 1 to 12", _round),
    PlaneKind("robber", _count(SIZE), "border card of the Robber", _robber),
    PlaneKind("targia", _count(SIZE), "border card of the Targia", _targia, expanded=True),
    PlaneKind("decks", _count(3), "cards left: tribe / 45, goods / 24, dunes / 20", _decks),
    *_sides(),
    PlaneKind(
        "centre",
        lambda words: (CELLS, len(words.faces) + BACKS),
        "card by cell; the last two: a face-down tribe card, goods card",
        _centre,
    ),
    PlaneKind("top", lambda words: (len(words.tribe),), "face-up top tribe card", _top, expanded=True),
    PlaneKind("dunes", lambda words: (SLOTS, len(words.dunes)), "dune by slot", _dunes, expanded=True),
    PlaneKind("revealed", lambda words: (len(words.faces),), "cards that an effect turned up / 3", _revealed),
    PlaneKind(
        "discards", lambda words: (len(words.cards),), "part of the copies that is discarded", _discards
    ),
    PlaneKind(
        "pending_card", lambda words: (len(words.cards),), "card that is decided on or paid", _pending_card
    ),
    PlaneKind(
        "pending",
        _count(8),
        "still to pay: dates, salt, pepper, gold / 3, water / 6, discount / 3, any goods / 3; left to gain, "
        "give or exchange / 10",
        _pending,
    ),
    PlaneKind("pending_row", _count(ROWS), "row of the display that the card goes to", _pending_row),
    PlaneKind("chosen", _count(CHOSEN), "cell of the centre or display that was chosen first", _chosen),
)
"""All planes in the order in which they lie in the tensor."""
