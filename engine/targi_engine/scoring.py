"""Scores (B8.3) and who won (B8.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from targi_engine.counting import symbols_in_row
from targi_engine.finals import DIFFERENT_VP
from targi_engine.goods import GOLD, VP, WATER
from targi_engine.player import ROW_CELLS, ROWS

if TYPE_CHECKING:
    from targi_engine.catalog import Catalog
    from targi_engine.player import Player
    from targi_engine.state import State

SAME_VP: Final = 4  # a full row of one symbol (B8.3)
WATER_FOR_VP: Final = 2  # X4.3
RESULTS: Final = ("1/2-1/2", "1-0", "0-1")


class Breakdown(NamedTuple):
    """Where a score comes from, in VP."""

    tokens: int
    printed: int
    effects: int
    rows: int
    water: int

    @property
    def total(self) -> int:
        """The score."""
        return sum(self)


class Outcome(NamedTuple):
    """The result of a game: "1-0", "0-1" or "1/2-1/2", and the two scores with their breakdown."""

    result: str
    scores: tuple[int, int]
    breakdown: tuple[Breakdown, Breakdown]


def row_vp(catalog: Catalog, me: Player) -> int:
    """VP of the full rows of one symbol, and of four different ones."""
    total = 0
    for row in range(ROWS):
        shown = symbols_in_row(catalog, me, row)
        if shown == 1:
            total += SAME_VP
        elif shown == ROW_CELLS:
            total += DIFFERENT_VP
    return total


def breakdown_of(state: State, seat: int) -> Breakdown:
    """The parts of a seat's score as they would count now."""
    catalog = state.ruleset.catalog
    me = state.players[seat]
    other = state.players[1 - seat]
    printed = 0
    effects = 0
    for cell, card in enumerate(me.display):
        if card:
            printed += catalog.vp[card]
            effects += catalog.end_effects[card].points(catalog, me, other, cell)
    water = me.stock[WATER] // WATER_FOR_VP
    return Breakdown(me.stock[VP], printed, effects, row_vp(catalog, me), water)


def scores_of(state: State) -> tuple[int, int]:
    """The two scores as they would count now."""
    return (breakdown_of(state, 0).total, breakdown_of(state, 1).total)


def outcome_of(state: State) -> Outcome:
    """Result, scores and breakdown as they would count now."""
    parts = (breakdown_of(state, 0), breakdown_of(state, 1))
    scores = (parts[0].total, parts[1].total)
    one, other = state.players
    # B8.4: ties go by gold in hand, then by goods.
    mine = (scores[0], one.stock[GOLD], one.goods())
    theirs = (scores[1], other.stock[GOLD], other.goods())
    return Outcome(RESULTS[(mine > theirs) - (mine < theirs)], scores, parts)
