"""The 45 tribe cards of the base game: symbol, printed VP and cost, as on the cards."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from positions import LETTERS, Position, Side, legal, play, stock
from rule_cases import read
from targi_engine.goods import SYMBOLS


class Card(NamedTuple):
    """A card as it is printed; alternatives of the cost are parted by "/"."""

    name: str
    vp: int
    cost: str


CARDS = (
    Card("C1", 3, "1d 1s 1g"),
    Card("C2", 2, "1d 2s 1p"),
    Card("C3", 3, "1d 2s 2p"),
    Card("C4", 1, "1s 1g"),
    Card("C5", 1, "1g"),
    Card("C6", 2, "2d 2s 1p"),
    Card("C7", 1, "1g"),
    Card("C8", 2, "2p 1g"),
    Card("C9", 1, "2d 1s"),
    Card("T1", 3, "1d 1p 1g"),
    Card("T2", 2, "1d 1s 2p"),
    Card("T3", 3, "1d 2s 2p"),
    Card("T4", 1, "1p 1g"),
    Card("T5", 1, "2p 1g"),
    Card("T6", 1, "1d 2s/1g"),
    Card("T7", 1, "1d 1g"),
    Card("T8", 2, "2d 1g"),
    Card("T9", 2, "1d 1s 2p"),
    Card("O1", 2, "1p 1g"),
    Card("O2", 3, "1d 1s 1g"),
    Card("O3", 3, "2d 1s 2p"),
    Card("O4", 1, "1p 1g"),
    Card("O5", 1, "2s 1p"),
    Card("O6", 1, "1s 1p 1g"),
    Card("O7", 1, "2s 1p"),
    Card("O8", 2, "1d 1p 1g"),
    Card("O9", 2, "1s 1p 1g"),
    Card("W1", 3, "1d 1s 1g"),
    Card("W2", 2, "2d 1s 1p"),
    Card("W3", 3, "2d 1s 2p"),
    Card("W4", 1, "1s 1g"),
    Card("W5", 1, "1d 2s"),
    Card("W6", 1, "1d 1g"),
    Card("W7", 2, "1d 2s 1p"),
    Card("W8", 2, "1s 1p 1g"),
    Card("W9", 1, "1d 1g"),
    Card("K1", 2, "1p 1g"),
    Card("K2", 3, "1d 1p 1g"),
    Card("K3", 3, "2d 2s 1p"),
    Card("K4", 1, "1d 1g"),
    Card("K5", 1, "1d 1p"),
    Card("K6", 1, "1d 2p/1g"),
    Card("K7", 2, "1d 1g"),
    Card("K8", 1, "1d 1g"),
    Card("K9", 2, "1d 1s 2p"),
)
PLAIN = tuple(card for card in CARDS if card.name[1] in "123")
SYMBOL_OF_LETTER = dict(zip("CTOWK", SYMBOLS, strict=True))
COSTS = tuple((card, cost) for card in CARDS for cost in card.cost.split("/"))


def offered(card: str, holding: str) -> Position:
    """The card in the centre under an own marker; the hand is full, so that it is played or discarded."""
    spare = "O1" if card != "O1" else "W1"
    me = Side(stock=holding, targis="7", markers="1", hand=spare)
    return Position(me=me, centre={1: card})


def less(cost: str, kind: int) -> str:
    """A holding that lacks one of a kind of the cost."""
    counts = stock(cost)
    counts[kind] -= 1
    return " ".join(f"{count}{letter}" for count, letter in zip(counts, LETTERS, strict=True) if count)


@pytest.mark.parametrize(("card", "cost"), COSTS, ids=[f"{card.name} for {cost}" for card, cost in COSTS])
def test_exactly_the_cost_is_paid(card: Card, cost: str) -> None:
    state = play(offered(card.name, cost).build(), "c1 row1")
    if state.decision == "bonus":  # T9 gives something at once; the cost is gone already
        assert state.players[0].stock == stock("")
        return
    assert read(state, "display 0") == card.name
    given = 5 if card.name == "C9" else 0
    play(state, " ".join(["+dates"] * given))
    assert state.players[0].stock == stock(f"{given}d")


@pytest.mark.parametrize(("card", "cost"), COSTS, ids=[f"{card.name} for {cost}" for card, cost in COSTS])
def test_one_less_of_anything_does_not_pay_it(card: Card, cost: str) -> None:
    for kind, count in enumerate(stock(cost)):
        if count:
            state = play(offered(card.name, less(cost, kind)).build(), "c1")
            assert (read(state, "display 0"), read(state, "tribe discard")) == ("", card.name)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_printed_points_and_symbol(card: Card) -> None:
    state = Position(me=Side(display=card.name, targis="7 2"), other=Side()).build()
    assert state.outcome().breakdown[0].printed == card.vp
    catalog = state.ruleset.catalog
    symbol = catalog.symbols[catalog.names.index(card.name)]
    assert SYMBOLS[symbol] == SYMBOL_OF_LETTER[card.name[0]]


@pytest.mark.parametrize("card", PLAIN, ids=lambda card: f"{card.name} does nothing but lie there")
def test_a_card_without_an_effect(card: Card) -> None:
    state = offered(card.name, "3d 3s 3p 3g 5v").build()
    before = state.scores()[0]
    play(state, "c1 row1")
    paid = [a - b for a, b in zip(stock("3d 3s 3p 3g 5v"), stock(card.cost), strict=True)]
    assert (state.players[0].stock, legal(state)) == (paid, {"b7", "end"})
    assert state.scores()[0] == before + card.vp
    assert state.players[0].powers.rows


def test_there_are_nine_cards_of_each_symbol_and_fifteen_plain_ones() -> None:
    names = [card.name for card in CARDS]
    assert len(set(names)) == 45
    assert sorted(names) == sorted(letter + digit for letter in "CTOWK" for digit in "123456789")
    assert len(PLAIN) == 15
