"""The 19 goods cards and the 16 border cards of the base game."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play, stock
from rule_cases import change, read
from targi_engine import new_game

CHOICE = "dates|salt|pepper"
# What a goods card shows, how many of it there are, what it gives.
GOODS = (
    ("dates", 2, "1d"),
    ("salt", 2, "1s"),
    ("pepper", 2, "1p"),
    ("2dates", 1, "2d"),
    ("2salt", 1, "2s"),
    ("2pepper", 1, "2p"),
    ("salt+pepper", 1, "1s 1p"),
    ("dates+pepper", 1, "1d 1p"),
    ("dates+salt", 1, "1d 1s"),
    ("gold", 3, "1g"),
    ("vp", 1, "1v"),
)
GIVES = {"+dates": "1d", "+salt": "1s", "+pepper": "1p"}


def on_card(name: str) -> Position:
    """An own marker on a goods card of the centre."""
    return Position(me=Side(stock="", targis="7 2", markers="0"), other=Side(), centre={0: name})


@pytest.mark.parametrize(
    ("name", "gain"), [(row[0], row[2]) for row in GOODS], ids=[f"goods card {row[0]}" for row in GOODS]
)
def test_a_goods_card_gives_what_it_shows_and_no_more(name: str, gain: str) -> None:
    state = play(on_card(name).build(), "c0")
    assert state.players[0].stock == stock(gain)
    assert (state.decision, read(state, "goods discard")) == ("act", name)


@pytest.mark.parametrize("good", GIVES, ids=[f"goods card {CHOICE}: {good}" for good in GIVES])
def test_a_card_of_choice_gives_one_good(good: str) -> None:
    state = play(on_card(CHOICE).build(), "c0")
    assert legal(state) == set(GIVES)
    play(state, good)
    assert (state.players[0].stock, state.decision) == (stock(GIVES[good]), "act")


def test_the_goods_deck_has_nineteen_cards() -> None:
    """B2.1: as many of each as printed."""
    state = new_game("base", bytes(32))
    names = state.ruleset.catalog.names
    cards = [*state.goods.rest(), *(state.centre[cell] for cell in (0, 2, 4, 6, 8))]
    found = {names[card]: cards.count(card) for card in set(cards)}
    assert found == {**{row[0]: row[1] for row in GOODS}, CHOICE: 3}
    assert len(cards) == 19


# Border card, a holding, the actions of a visit, what they change.
VISITS = (
    (1, "1d 1s 1g", "row1", "-1d -1s -1g"),
    (2, "", "", "+1d"),
    (3, "", "", "+1s"),
    (5, "3p", "3pepper>gold", "-3p +1g"),
    (6, "", "", "+1p"),
    (7, "", "", "+1d"),
    (9, "", "c8", ""),
    (10, "4d", "4dates>3vp", "-4d +3v"),
    (11, "", "", "+1p"),
    (13, "", "", "+2p"),
    (14, "1p 1g", "row1", "-1p -1g"),
    (15, "", "", "+1s"),
)


@pytest.mark.parametrize(
    ("number", "holding", "actions", "gain"), VISITS, ids=[f"border card {row[0]}" for row in VISITS]
)
def test_a_border_card(number: int, holding: str, actions: str, gain: str) -> None:
    open_by = 2 if number == 7 else 7
    side = Side(stock=holding, targis=f"{number} {open_by}", hand="O2", markers="4" if number == 9 else "")
    state = Position(me=side, tribe="K1", goods="2pepper").build()
    play(state, f"b{number}")
    play(state, actions)
    assert change(stock(holding), state.players[0].stock) == change([0] * 6, stock(gain))
    assert f"b{number}" not in legal(state)


@pytest.mark.parametrize("number", [4, 8, 12, 16], ids=lambda number: f"border card {number} is a raid")
def test_a_corner_takes_no_targi(number: int) -> None:
    assert f"@{number}" not in legal(Position(at="place", robber=1).build())
    given = Position(
        at="raid",
        round={4: 4, 8: 7, 12: 10, 16: 12}[number],
        robber=number,
        first=1,
        me=Side(stock="3d 1g 9v"),
        other=Side(),
    )
    goods = {4: "pay:goods", 8: "pay:goods", 12: "pay:goods", 16: "pay:gold"}[number]
    assert legal(given.build()) == {goods, "pay:vp"}
