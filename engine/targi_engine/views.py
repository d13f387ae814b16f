"""Parts of an observation, with names in place of numbers."""

from __future__ import annotations

from typing import NamedTuple

from targi_engine.board import ALL_PLACES, DUNE_BIT, bits
from targi_engine.player import ROW_CELLS, ROWS, Player
from targi_engine.state import State


class PlayerView(NamedTuple):
    """One seat's side of the table; cards by id."""

    dates: int
    salt: int
    pepper: int
    gold: int
    water: int
    vp: int  # tokens
    hand: tuple[str, ...]  # in the order of taking
    fresh: int  # how many of the hand, from its end, were taken in this round (B4.2)
    display: tuple[tuple[str, ...], ...]  # three rows
    tokens: tuple[str, ...]  # cards whose token is unused, in display order
    stored_gold: int  # gold on cards (B9.9)
    targis: tuple[int, ...]  # border cards
    dune_targis: tuple[int, ...]  # dune slots, 1 to 3
    markers: tuple[int, ...]  # cells


class RoundView(NamedTuple):
    """What a seat has done and may still do in this round, as far as it does not lie on the table."""

    targis: int  # to place in this round
    next_targis: int  # to place in the next round (B9.11)
    bonuses: tuple[int, int, int]  # goods that goods cards still add, by dates, salt, pepper (B9.2)
    got_goods: bool  # whether a goods card gave a good (B9.3)
    wells: int  # exchanges of one water in this turn
    targia: bool  # whether the Targia may be used (X3.1)
    targia_took: bool  # whether she was used to take a good
    targia_drew: bool  # whether she was used to turn up a goods card


class CentreCard(NamedTuple):
    """One cell of the centre."""

    card: str | None  # id or what a goods card gives; None if unknown or if the cell is empty
    deck: str | None  # "tribe" or "goods"; None if the cell is empty
    face_up: bool


class Counts(NamedTuple):
    """Cards left to draw, by deck."""

    tribe: int
    goods: int
    dunes: int


class Discards(NamedTuple):
    """Discarded cards, in the order of discarding."""

    tribe: tuple[str, ...]
    goods: tuple[str, ...]
    dunes: tuple[str, ...]


def card_names(state: State, cards: list[int] | tuple[int, ...]) -> tuple[str, ...]:
    """Ids of tribe cards and dunes, what goods cards give."""
    names = state.ruleset.catalog.names
    return tuple(names[card] for card in cards)


def player_view(state: State, me: Player) -> PlayerView:
    """The view of a player."""
    rows = [me.display[ROW_CELLS * row : ROW_CELLS * (row + 1)] for row in range(ROWS)]
    dates, salt, pepper, gold, water, vp = me.stock
    return PlayerView(
        *(dates, salt, pepper, gold, water, vp),
        hand=card_names(state, me.hand),
        fresh=me.fresh,
        display=tuple(card_names(state, tuple(filter(None, row))) for row in rows),
        tokens=card_names(state, tuple(card for card in me.display if card in me.tokens)),
        stored_gold=len(me.stored),
        targis=bits(me.targis & ALL_PLACES),
        dune_targis=bits(me.targis >> DUNE_BIT),
        markers=bits(me.markers),
    )


def round_view(me: Player) -> RoundView:
    """The round of a player."""
    took, drew = me.targia_used & 1 != 0, me.targia_used & 2 != 0
    bonuses = (me.ready[0], me.ready[1], me.ready[2])
    return RoundView(me.quota, me.next_quota, bonuses, me.got_goods, me.welled, me.targia, took, drew)


def centre_card(state: State, cell: int) -> CentreCard:
    """The view of a cell; the state has backs for hidden cards."""
    card = state.centre[cell]
    if not card:
        return CentreCard(None, None, False)
    catalog = state.ruleset.catalog
    name = catalog.names[card]
    deck = "tribe" if catalog.tribe_cards[card] else "goods"
    return CentreCard(None if name == "?" else name, deck, not state.down >> cell & 1)
