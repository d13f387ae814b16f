"""The 45 tribe cards of the expansion: symbol, printed VP, cost and optional extra, as on the cards."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from positions import LETTERS, Position, Side, legal, play, stock
from rule_cases import read
from targi_engine.goods import SYMBOLS


class Card(NamedTuple):
    """A card: alternatives of the cost are parted by "/"; `extra` brings 2 VP."""

    name: str
    vp: int
    cost: str
    extra: str = ""


CARDS = (
    Card("XC1", 1, "1d 1g"),
    Card("XC2", 2, "2s 2p", "2d"),
    Card("XC3", 1, "1p 1g/1p 3w"),
    Card("XC4", 1, "1d 1s 1p"),
    Card("XC5", 1, "1s 1g"),
    Card("XC6", 3, "1d 2p 1g/1d 2p 3w"),
    Card("XC7", 1, "1d 1g/1d 3w"),
    Card("XC8", 2, "2d 2p"),
    Card("XC9", 2, "1d 1p 1g"),
    Card("XT1", 1, "2d 1s", "2p"),
    Card("XT2", 3, "2s 1p 1g/2s 1p 3w"),
    Card("XT3", 1, "1d 2p"),
    Card("XT4", 1, "1d 1g"),
    Card("XT5", 3, "2s 1p 1g/2s 1p 3w"),
    Card("XT6", 1, "1p 1g/1p 3w"),
    Card("XT7", 2, "2s 2p"),
    Card("XT8", 1, "1s 1g"),
    Card("XT9", 2, "2d 2s", "2s"),
    Card("XO1", 1, "1d 1g/1d 3w"),
    Card("XO2", 1, "2s 1p"),
    Card("XO3", 1, "1p 1g"),
    Card("XO4", 3, "2d 1s 1g/2d 1s 3w"),
    Card("XO5", 1, "1s 1g/1s 3w"),
    Card("XO6", 3, "1d 2p 1g/1d 2p 3w"),
    Card("XO7", 1, "1d 1g"),
    Card("XO8", 1, "1d 2p", "2d"),
    Card("XO9", 2, "1d 1p 1g/1d 1p 3w"),
    Card("XW1", 1, "2d 1s"),
    Card("XW2", 2, "1s 1p 1g"),
    Card("XW3", 1, "1d 2p", "2s"),
    Card("XW4", 1, "1d 1g/1d 3w"),
    Card("XW5", 3, "2s 1p 1g/2s 1p 3w"),
    Card("XW6", 3, "1d 2p 1g/1d 2p 3w"),
    Card("XW7", 2, "2s 2p", "2p"),
    Card("XW8", 1, "1s 1g/1s 3w"),
    Card("XW9", 2, "2d 2s"),
    Card("XK1", 1, "2d 1s", "2p"),
    Card("XK2", 2, "1s 1p 1g/1s 1p 3w"),
    Card("XK3", 2, "2d 2p"),
    Card("XK4", 1, "1d 1g"),
    Card("XK5", 3, "2s 1p 1g/2s 1p 3w"),
    Card("XK6", 1, "1p 1g/1p 3w"),
    Card("XK7", 1, "2s 1p"),
    Card("XK8", 1, "1s 1g"),
    Card("XK9", 2, "2d 2s", "2s"),
)
SYMBOL_OF_LETTER = dict(zip("CTOWK", SYMBOLS, strict=True))
COSTS = tuple((card, cost) for card in CARDS for cost in card.cost.split("/"))
# What a card gives by itself as soon as it is laid, without a choice.
AT_ONCE = {"XO1": "1d 1s 1p", "XO2": "1v", "XW1": "4w", "XW3": "2w", "XK1": "1g", "XK2": "3w"}


def offered(card: str, holding: str) -> Position:
    """The card under an own marker, the hand full; no other goods card is open, no goods deck is left."""
    spare = "XO3" if card != "XO3" else "XW8"
    centre = {cell: "-" for cell in range(9) if cell != 4} | {4: card}
    me = Side(stock=holding, targis="7 2", markers="4", hand=spare)
    return Position(ruleset="expansion", me=me, centre=centre, goods_left=0)


def total(*stocks: str) -> list[int]:
    """Stocks added up."""
    return [sum(counts) for counts in zip(*map(stock, stocks), strict=True)]


def held(counts: list[int]) -> str:
    return " ".join(f"{count}{letter}" for count, letter in zip(counts, LETTERS, strict=True) if count)


@pytest.mark.parametrize(("card", "cost"), COSTS, ids=[f"{card.name} for {cost}" for card, cost in COSTS])
def test_exactly_the_cost_is_paid(card: Card, cost: str) -> None:
    state = play(offered(card.name, cost).build(), "c4 row1")
    assert read(state, "display 0") == card.name
    assert state.players[0].stock == stock(AT_ONCE.get(card.name, ""))


@pytest.mark.parametrize(("card", "cost"), COSTS, ids=[f"{card.name} for {cost}" for card, cost in COSTS])
def test_one_less_of_anything_does_not_pay_it(card: Card, cost: str) -> None:
    for kind, count in enumerate(stock(cost)):
        if count:
            less = stock(cost)
            less[kind] -= 1
            state = play(offered(card.name, held(less)).build(), "c4")
            assert (read(state, "display 0"), read(state, "tribe discard")) == ("", card.name)


EXTRAS = tuple(card for card in CARDS if card.extra)


@pytest.mark.parametrize("card", EXTRAS, ids=lambda card: f"{card.name} extra")
def test_the_optional_extra_brings_two_vp(card: Card) -> None:
    """X6.2: paid in full together with the cost, or not at all."""
    both = held(total(card.cost, card.extra))
    gives = AT_ONCE.get(card.name, "")
    state = play(offered(card.name, both).build(), "c4 row1")
    assert legal(state) == {"extra", "plain"}
    paid = play(state.clone(), "extra")
    assert paid.players[0].stock == total("2v", gives)
    if card.name != "XT1":  # its effect still asks for a choice
        assert play(state, "plain").players[0].stock == total(card.extra, gives)
    short = total(card.cost, card.extra)
    short[next(kind for kind, count in enumerate(stock(card.extra)) if count)] -= 1
    state = play(offered(card.name, held(short)).build(), "c4 row1")
    assert state.players[0].stock[-1] == 0


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_printed_points_and_symbol(card: Card) -> None:
    given = Position(ruleset="expansion", me=Side(stock="", display=card.name, targis="7 2"), other=Side())
    state = given.build()
    assert state.outcome().breakdown[0].printed == card.vp
    catalog = state.ruleset.catalog
    assert SYMBOLS[catalog.symbols[catalog.names.index(card.name)]] == SYMBOL_OF_LETTER[card.name[1]]


def test_there_are_nine_cards_of_each_symbol() -> None:
    names = [card.name for card in CARDS]
    assert sorted(names) == sorted(f"X{letter}{digit}" for letter in "CTOWK" for digit in range(1, 10))
    assert len(EXTRAS) == 8
