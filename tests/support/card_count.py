"""Where every card of a game lies, and what must hold at every decision whatever was played."""

from __future__ import annotations

from collections import Counter

from targi_engine import State
from targi_engine.frames import DECISIONS
from targi_engine.goods import GOLD, GOLD_LIMIT, WATER
from targi_engine.player import ROW_CELLS, Player

MOST_DECISIONS = 4000
LAST_ROUND = 12
AFTER_RAID = (4, 7, 10)


def whereabouts(state: State) -> Counter[int]:
    """How many of each card lie somewhere: decks, discards, centre, hands, displays, dunes, turned up."""
    dune_of = state.ruleset.catalog.dune_of
    cards = Counter(card for card in (*state.centre, *state.dune_slots, *state.shown) if card)
    for deck in (state.tribe, state.goods, state.dunes):
        cards.update(deck.rest())
        cards.update(deck.discard)
    for me in state.players:
        cards.update(me.hand)
        cards.update(dune_of.get(card, card) for card in me.display if card)
    return cards


def check_table(state: State) -> None:
    """Resources, hands, displays and figures as the rules bound them."""
    for me in state.players:
        assert min(me.stock) >= 0
        assert len(me.hand) <= 2
        assert 0 <= me.fresh <= len(me.hand)
        assert me.targis.bit_count() <= me.quota
        check_display(me)
    one, other = state.players
    assert not one.targis & other.targis & 0xFFFF
    assert not (one.targis | other.targis) >> 4 & 0x1111
    assert state.ply <= MOST_DECISIONS
    assert 1 <= state.round <= LAST_ROUND


def check_display(me: Player) -> None:
    """No gaps in any row."""
    for cell, card in enumerate(me.display):
        assert not card or cell % ROW_CELLS == 0 or me.display[cell - 1]
    assert me.powers.cards == sum(card != 0 for card in me.display)


def check_decision(state: State) -> None:
    """A decision with choices in the order of their ids, or none after the end."""
    legal = state.legal_actions()
    assert len(legal) != 1
    assert (len(legal) == 0) == state.is_over
    assert list(legal) == sorted(set(legal))
    assert state.is_over or state.decision in DECISIONS
    assert (state.current_seat == -1) == state.is_over


def check_limits(state: State) -> None:
    """At a placement nobody holds more than may be kept at the end of a turn.

    Not after a raid of the expansion: water exchanged there (X4.4) may come on top.
    """
    after_raid = state.round in AFTER_RAID and state.ruleset.expanded
    if state.decision == "place" and state.placed == 0 and not after_raid:
        for me in state.players:
            assert me.goods() <= me.powers.goods_limit
            assert me.stock[GOLD] <= GOLD_LIMIT
            assert me.stock[WATER] <= me.powers.water_limit
