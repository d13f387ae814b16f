"""B9.1, B9.8 and B9.9: discounts, the hand card without the Noble, gold on a card."""

from __future__ import annotations

import pytest
from positions import Position, Side
from rule_cases import Case, check


def centre(card: str, stock: str, display: str) -> Position:
    """An own marker on a tribe card, a display and a full hand."""
    me = Side(stock=stock, display=display, targis="7", markers="1", hand="W2")
    return Position(me=me, centre={1: card})


def hand(card: str, stock: str, display: str, fresh: int = 0) -> Position:
    """A hand card, with a Targi on the Noble and another that keeps the turn open."""
    return Position(me=Side(stock=stock, display=display, targis="1 7", hand=card, fresh=fresh))


DISCOUNTS = (
    Case(
        pins="B9.1 a later card of the symbol costs one good less, of the payer's choice",
        given=centre("C2", "1d 2s 1p", "C7"),
        play="c1 row1",
        decision="save",
        legal="~dates ~salt ~pepper",
    ),
    Case(
        pins="B9.1 the chosen good is not paid",
        given=centre("C2", "1d 2s 1p", "C7"),
        play="c1 row1 ~pepper",
        gains="-1d -2s",
        then={"display 0": "C7 C2"},
    ),
    Case(
        pins="B9.1 only a good whose saving leaves the rest payable is offered",
        given=centre("C2", "1d 1s 1p", "C7"),
        play="c1 row1",
        gains="-1d -1s -1p",
        then={"forced": "~salt"},
    ),
    Case(
        pins="B9.1 two goods short cannot be paid",
        given=centre("C2", "1d 1p", "C7"),
        play="c1",
        then={"forced": "discard"},
    ),
    Case(
        pins="B9.1 discounts add up",
        given=hand("K3", "2d 2s 1p", "K6 K7"),
        play="b1 row1 ~dates ~salt",
        gains="-1d -1s -1p",
    ),
    Case(
        pins="B9.1 a discount takes nothing off gold",
        given=centre("C5", "9d", "C7"),
        play="c1",
        then={"forced": "discard"},
    ),
    Case(
        pins="B9.1 a cost of gold alone asks no saving",
        given=centre("C5", "1d 1g", "C7"),
        play="c1 row1",
        gains="-1g",
        decision="act",
    ),
    Case(
        pins="B9.1 a discount never goes below zero",
        given=hand("K4", "2d 1g", "K6 K7"),
        play="b1 row1",
        gains="-1g",
        then={"forced": "~dates"},
    ),
    Case(
        pins="B9.1 the card that gives the discount does not get it",
        given=centre("O5", "2s", ""),
        play="c1",
        then={"forced": "discard"},
    ),
    Case(
        pins="B9.1 a card of another symbol is not cheaper",
        given=centre("W3", "2d 2p", "C7 T6/O5 K6"),
        play="c1",
        then={"forced": "discard"},
    ),
    Case(
        pins="B9.1 K7 takes a good off a hand card played with the Noble",
        given=hand("W3", "2d 2p", "K7"),
        play="b1 row1",
        gains="-2d -2p",
    ),
    Case(
        pins="B9.1 K7 takes nothing off a card of the centre",
        given=centre("W3", "2d 2p", "K7"),
        play="c1",
        then={"forced": "discard"},
    ),
)

WITHOUT_NOBLE = (
    Case(
        pins="B9.8 the hand card is played for its cost and a good of choice",
        given=hand("O2", "2d 2s 1p 1g", "W8"),
        play="hand row1 -pepper",
        gains="-1d -1s -1p -1g",
        then={"display 0": "W8 O2", "hand 0": ""},
    ),
    Case(
        pins="B9.8 at any act decision",
        given=Position(
            me=Side(stock="2d 1s 1g", display="W8", hand="O2", targis="2 7"), other=Side(targis="3")
        ),
        play="b2",
        offers="hand",
    ),
    Case(
        pins="B9.8 a card taken in this round is not played so",
        given=hand("O2", "2d 2s 1p 1g", "W8", fresh=1),
        lacks="hand",
    ),
    Case(
        pins="B9.8 not without the card",
        given=hand("O2", "2d 2s 1p 1g", "W7"),
        lacks="hand",
    ),
    Case(
        pins="B9.8 not without a good for the extra",
        given=hand("O2", "1d 1s 3g", "W8"),
        lacks="hand",
    ),
    Case(
        pins="B9.8 the extra good is none that the cost needs",
        given=hand("O5", "2s 1p 1d", "W8"),
        play="hand row1",
        gains="-1d -2s -1p",
        then={"forced": "-dates"},
    ),
    Case(
        pins="B9.8 it is not discarded or left once chosen",
        given=hand("O2", "2d 2s 1g", "W8"),
        play="hand",
        legal="row1 row2",
    ),
    Case(
        pins="B9.8 K7 does not apply",
        given=hand("O2", "1d 1s 1g", "W8 K7"),
        lacks="hand",
    ),
    Case(
        pins="B9.8 a discount of the symbol does",
        given=hand("K5", "1d 1p", "W8 K6"),
        play="hand row1 ~dates",
        gains="-1d -1p",
        then={"forced": "-dates"},
    ),
    Case(
        pins="B9.8 but not to the extra good",
        given=hand("K5", "1d", "W8 K6"),
        lacks="hand",
    ),
    Case(
        pins="B9.8 nor is the extra good saved by two points",
        given=hand("C1", "1d 1g", "W8 C7"),
        lacks="hand",
    ),
)

STORED = (
    Case(
        pins="B9.9 the gold on the card pays for a gold of the cost",
        given=centre("K4", "1d", "W9"),
        play="c1 row1",
        gains="-1d",
        then={"forced": "from:card", "display 0": "W9 K4"},
    ),
    Case(
        pins="B9.9 its use is optional",
        given=centre("K4", "1d 1g", "W9"),
        play="c1 row1",
        legal="from:card from:purse",
        decision="gold",
    ),
    Case(
        pins="B9.9 from the purse the card keeps its gold",
        given=centre("K4", "1d 1g", "W9"),
        play="c1 row1 from:purse",
        gains="-1d -1g",
    ),
    Case(
        pins="B9.9 it is spent once",
        given=Position(
            me=Side(stock="2d", display="W9", targis="7", markers="1 3", hand="W2"),
            centre={1: "K4", 3: "T7"},
        ),
        play="c1 row1 c3",
        then={"display 0": "W9 K4", "tribe discard": "T7"},
    ),
    Case(
        pins="B9.9 gold comes onto the card when it is played",
        given=Position(
            me=Side(stock="2d 1g", targis="7", markers="1 3", hand="W2"), centre={1: "W9", 3: "T7"}
        ),
        play="c1 row1 c3 row1",
        gains="-2d -1g",
        then={"display 0": "W9 T7"},
    ),
    Case(
        pins="B9.9 not for the card's own cost",
        given=centre("W9", "1d", ""),
        play="c1",
        then={"forced": "discard"},
    ),
    Case(
        pins="B9.9 it is no gold for the Silversmith",
        given=Position(me=Side(stock="1d", display="W9", targis="7 10")),
        lacks="b10",
    ),
    Case(
        pins="B9.9 nor for a raid",
        given=Position(
            at="raid", round=12, robber=16, first=1, me=Side(stock="2v", display="W9"), other=Side(stock="1g")
        ),
        then={"stock 0": "2v", "stock 1": "1g 3v"},
    ),
)


@pytest.mark.parametrize("case", (*DISCOUNTS, *WITHOUT_NOBLE, *STORED), ids=lambda case: case.pins)
def test_paying(case: Case) -> None:
    check(case)
