"""The raids of the expansion, and its water (X4, X6.4, X7)."""

from __future__ import annotations

from typing import Any

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read
from targi_engine import State


def at(me: Side | None = None, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position of the expansion; without fields an action turn of seat 0."""
    return Position(ruleset="expansion", me=me or Side(), **fields)


def mixed(me: Side, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position with cards of both sets."""
    return Position(ruleset="mixed", me=me, **fields)


WATER = (
    Case(
        pins="X4.2 two water for a good, three for a gold",
        given=at(Side(stock="5w", targis="2 3")),
        play="water>gold water>salt",
        gains="-5w +1g +1s",
        lacks="water>dates",
    ),
    Case(
        pins="X4.1 ten water are kept, the surplus goes by itself",
        given=at(Side(stock="13w", targis="2 3")),
        play="end",
        gains="-3w",
    ),
    Case(
        pins="XW6 fifteen water are kept",
        given=at(Side(stock="17w", display="XW6", targis="2 3")),
        play="end",
        gains="-2w",
    ),
    Case(
        pins="XK5 thirteen goods are kept",
        given=at(Side(stock="14d", display="XK5", targis="2 3")),
        play="end",
        gains="-1d",
    ),
    Case(
        pins="XW4 a water for a good, once a turn",
        given=at(Side(stock="2w", display="XW4", targis="2 3")),
        play="well>pepper",
        gains="-1w +1p",
        lacks="well>pepper",
    ),
    Case(
        pins="X4.4 who can pay only after an exchange must exchange",
        given=at(Side(stock="2w"), at="raid", robber=4),
        then={"stock 0": ""},
    ),
    Case(
        pins="X4.4 an exchange after which the raid could not be paid is not offered",
        given=at(Side(stock="2d 3w"), at="raid", robber=16),
        then={"stock 0": "2d"},
    ),
    Case(
        pins="X4.4 water may be exchanged although the raid can be paid",
        given=at(Side(stock="1d 1v 2w"), at="raid", robber=4),
        legal="water>dates water>salt water>pepper pay:goods pay:vp",
    ),
    Case(
        pins="X4.4 several exchanges, each towards the demand",
        given=at(Side(stock="4w 1d"), at="raid", robber=12),
        play="water>salt",
        then={"stock 0": ""},
    ),
    Case(
        pins="B6.3 who cannot pay even after exchanges pays nothing",
        given=at(Side(stock="5w"), at="raid", robber=12, other=Side(stock="1d 1s 1p 9v")),
        then={"stock 0": "5w", "stock 1": "1d 1s 1p 11v"},
    ),
)


RAIDS = (
    Case(
        pins="a named demand goes by itself",
        given=at(Side(stock="2d 2s 2p 2v"), at="raid", robber=12),
        play="pay:goods",
        then={"stock 0": "1d 1s 1p 2v"},
    ),
    Case(
        pins="X6.4 XK4 spares a named good of choice",
        given=at(Side(stock="1d 1s 1p 2v", display="XK4"), at="raid", robber=12),
        play="pay:goods",
        legal="~dates ~salt ~pepper",
        decision="save",
    ),
    Case(
        pins="X6.4 the good that is missing is spared by itself",
        given=at(Side(stock="1d 1p 2v", display="XK4"), at="raid", robber=12),
        play="pay:goods",
        then={"stock 0": "2v"},
    ),
    Case(
        pins="X6.4 if nothing is left nothing is asked",
        given=at(Side(stock="1d 2v", display="XK4"), at="raid", robber=4),
        then={"stock 0": "1d 2v"},
    ),
    Case(
        pins="X6.4 XK4 at a demand of goods of choice",
        given=mixed(Side(stock="3d 3s", display="XK4"), at="raid", robber=12, variants="border.12=base"),
        play="-dates -dates",
        then={"stock 0": "1d 3s"},
    ),
    Case(
        pins="X7.1 a gold, or the last card of a row",
        given=at(Side(stock="1g", display="XC1 XT1/XO1"), at="raid", robber=16),
        play="pay:card row1",
        then={"display 0": "XC1/XO1", "tribe discard": "XT1", "stock 0": "1g"},
    ),
    Case(
        pins="X7.1 the token of the lost card goes with it, others stay",
        given=at(Side(stock="1g", display="XO6 XT6/XC6 XK6"), at="raid", robber=16),
        play="pay:card row1",
        then={"display 0": "XO6/XC6 XK6", "tokens 0": "XO6 XC6 XK6"},
    ),
    Case(
        pins="X7.1 who has neither leaves the opponent 3 VP",
        given=at(Side(stock="9d 9v"), at="raid", robber=16, other=Side(stock="1v", display="XC1/XT1")),
        then={"stock 0": "9d 9v", "stock 1": "4v"},
    ),
    Case(
        pins="X7.1 a displayed dune goes to the dune discard",
        given=at(
            Side(stock="", display="D10:well"), at="raid", robber=16, other=Side(stock="", display="XC1")
        ),
        then={"display 0": "", "dune discard": "D10"},
    ),
    Case(
        pins="X7.1 a limit that went with its card spares the hand",
        given=at(Side(stock="", display="XT5", hand="XC1 XC2"), at="raid", robber=16),
        then={"hand 0": "XC1 XC2", "display 0": ""},
    ),
    Case(
        pins="X7.1 the gold may come from water",
        given=at(Side(stock="3w", display="XC1"), at="raid", robber=16),
        play="water>gold pay:gold",
        then={"stock 0": "", "display 0": "XC1"},
    ),
)


@pytest.mark.parametrize("case", (*WATER, *RAIDS), ids=lambda case: case.pins)
def test_raids_and_water(case: Case) -> None:
    check(case)


def before_a_raid(display: tuple[str, ...], stock: str, *, round_: int = 3, variants: str = "") -> State:
    """Seat 0 with a display of both sets, at the end of the last turn before a raid."""
    given = mixed(
        Side(stock=stock, targis="2"), other=Side(targis="3"), first=1, round=round_, variants=variants
    )
    state = given.build()
    names = state.ruleset.catalog.names
    cards = [names.index(name) for name in display]
    state.set_display(state.players[0], (*cards, *[0] * (12 - len(cards))))
    return state


def test_b9_12_a_demand_that_came_to_nothing_counts_as_paid() -> None:
    state = play(before_a_raid(("XK4", "T7"), "1d 2v"), "end pay:vp")
    assert (read(state, "round"), read(state, "stock 0")) == (4, "1d 3v")


def test_b9_12_t7_itself_given_up_brings_nothing() -> None:
    state = play(before_a_raid(("T7",), "2v", round_=12), "end")
    assert read(state, "stock 0") == "2v"
    assert read(state, "display 0") == ""
    assert read(state, "tribe discard") == "T7"


def test_b9_13_immunity_asks_nothing_at_the_fourth_raid() -> None:
    state = play(before_a_raid(("O6", "XC1"), "1g", round_=12), "end")
    assert read(state, "stock 0") == "1g"
    assert read(state, "display 0") == "O6 XC1"
