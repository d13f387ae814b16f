"""The cards of the expansion: its border, paying, and what tribe cards do (X6)."""

from __future__ import annotations

from typing import Any

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read


def at(me: Side | None = None, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position of the expansion; without fields an action turn of seat 0."""
    return Position(ruleset="expansion", me=me or Side(), **fields)


def mixed(me: Side, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position with cards of both sets."""
    return Position(ruleset="mixed", me=me, **fields)


BORDER = (
    Case(
        pins="1 the Noble's discard brings a water and a good",
        given=at(Side(stock="", targis="1 2 3", hand="XC1", fresh=1)),
        play="b1 +salt",
        gains="+1w +1s",
        then={"tribe discard": "XC1"},
    ),
    Case(
        pins="9 Fata Morgana reaches neighbours only",
        given=at(Side(targis="9 2", markers="0")),
        play="b9",
        legal="c1 c3",
    ),
    Case(
        pins="10 any goods for VP, the VP after the last",
        given=at(Side(stock="1d 1s", targis="10 2 3")),
        play="b10 -dates",
        then={"stock 0": "1v"},
    ),
    Case(
        pins="10 the offers of the expansion",
        given=at(Side(stock="2d 2s 2g", targis="10 2 3")),
        play="b10",
        legal="gold>2vp 2gold>4vp 2any>vp 4any>3vp",
    ),
    Case(pins="13 the Water Hole", given=at(Side(stock="", targis="13 2")), play="b13", gains="+3w"),
    Case(
        pins="XO4 a date card also brings a water",
        given=at(Side(stock="", targis="2 7 3", display="XO4")),
        play="b2 b7 b3",
        gains="+2d +1s +2w",
    ),
    Case(
        pins="14 a water rejects the card for the next one",
        given=at(Side(stock="2w", targis="14 2 3"), tribe="XK9 XK8"),
        play="b14 reject take",
        gains="-1w",
        then={"hand 0": "XK8", "tribe discard": "XK9"},
    ),
    Case(
        pins="XO5 one for one only as the first exchange",
        given=at(Side(stock="3d 1s", targis="5 2 3", display="XO5")),
        play="b5 1salt>pepper",
        legal="3dates>gold 2dates>salt 2dates>pepper done",
    ),
)


PAYING = (
    Case(
        pins="X6.7 XC3 takes a salt off by itself",
        given=at(Side(stock="1s 2p", targis="1 2 3", hand="XC2", display="XC3")),
        play="b1 row1",
        then={"stock 0": "", "display 0": "XC3 XC2"},
    ),
    Case(
        pins="XO6 any goods for the goods of the cost, as many",
        given=at(Side(stock="4d", targis="1 2 3", hand="XO2", display="XO6")),
        play="b1 row1",
        then={"stock 0": "1d 2v", "display 0": "XO6 XO2"},
    ),
    Case(
        pins="X6.7 named discounts first, then any goods",
        given=at(Side(stock="4d", targis="1 2 3", hand="XO2", display="XO6 XC3")),
        play="b1 row1",
        then={"stock 0": "2d 2v"},
    ),
    Case(
        pins="XO6 is not offered if nothing would be left to pay",
        given=at(Side(stock="3s 1p", targis="d1 2 3", hand="XK7", display="XO6 XT4"), dunes="D6 - -"),
        play="d1 row1",
        decision="act",
        then={"display 0": "XO6 XT4 XK7", "stock 0": "3s 1p"},
    ),
    Case(
        pins="XW7 two water for each gold of a cost",
        given=at(Side(stock="1d 2w", targis="1 2 3", hand="XC1", display="XW7"), goods="gold vp"),
        play="b1 row1",
        then={"stock 0": "1g 1v", "display 0": "XW7 XC1"},
    ),
    Case(
        pins="XW7 is a choice where the gold is there too",
        given=at(Side(stock="1d 1g 2w", targis="1 2 3", hand="XC1", display="XW7")),
        play="b1 row1",
        legal="pay:as-printed pay:water-gold",
        decision="modify",
    ),
    Case(
        pins="B5.6 an alternative with water",
        given=at(Side(stock="1d 1g 3w", targis="1 2 3", hand="XO1")),
        play="b1 row1 cost2",
        gains="-3w +1s +1p",
    ),
    Case(
        pins="X6.2 the extra is paid when the card is laid and brings VP tokens",
        given=at(Side(stock="2d 2s 2p", targis="1 2 3", hand="XC2")),
        play="b1 row1 extra",
        then={"stock 0": "2v", "display 0": "XC2", "score 0": 4},
    ),
    Case(
        pins="X6.2 without the extra goods there is no question",
        given=at(Side(stock="1d 2s 2p", targis="1 2 3", hand="XC2"), centre={0: "gold"}),
        play="b1 row1",
        decision="cell",
        then={"stock 0": "1d"},
    ),
    Case(
        pins="X6.5 which of two hand cards, also if one can only be discarded",
        given=at(Side(stock="1d 1g", targis="1 2 3", hand="XC1 XC2", fresh=1, display="XT5")),
        play="b1",
        legal="h1 h2",
        decision="which",
    ),
    Case(
        pins="X6.5 the second one alone is fresh",
        given=at(Side(stock="1d 1g 2s 2p", targis="1 2 3", hand="XC1 XC2", fresh=1, display="XT5")),
        play="b1 h2 +dates",
        then={"hand 0": "XC1", "tribe discard": "XC2", "fresh 0": 0},
    ),
    Case(
        pins="X6.5 a second card is taken",
        given=at(Side(stock="", targis="2 3", markers="1", hand="XC2", display="XT5"), centre={1: "XC1"}),
        play="c1",
        then={"hand 0": "XC2 XC1", "fresh 0": 1},
    ),
    Case(
        pins="X6.6 XK3 lets a fresh hand card follow, or not",
        given=at(Side(stock="3d 2p 1g", targis="2 3", markers="1", hand="XC1", fresh=1), centre={1: "XK3"}),
        play="c1 row1",
        legal="row1 row2 done",
        decision="card",
    ),
)


CARDS = (
    Case(
        pins="XC2 the goods card stays",
        given=at(
            Side(stock="2s 2p", targis="1 2", hand="XC2"),
            centre={
                0: "gold",
                1: "XK9",
                2: "XK8",
                3: "XK7",
                4: "XK6",
                5: "XK5",
                6: "XK4",
                7: "XK3",
                8: "XK2",
            },
        ),
        play="b1 row1",
        then={"stock 0": "1g", "cell 0": "gold"},
    ),
    Case(
        pins="XC1 two cards are gained one after the other",
        given=at(Side(stock="1d 1g", targis="1 2 3", hand="XC1"), goods="salt 2salt"),
        play="b1 row1",
        then={"stock 0": "3s", "goods discard": "salt 2salt"},
    ),
    Case(
        pins="XT2 one swap, or none",
        given=at(Side(stock="1g 2s 1p", targis="1 2 3", hand="XT2", display="XC1 XC2")),
        play="b1 row1 x1 x3",
        then={"display 0": "XT2 XC2 XC1"},
        decision="act",
    ),
    Case(
        pins="XT2 two displayed dunes of one symbol are the same card",
        given=at(Side(stock="1g 2s 1p", targis="1 2 3", hand="XT2", display="D10:oasis D10:oasis")),
        play="b1 row1 x1",
        then={"display 0": "XT2 D10:oasis D10:oasis"},
    ),
    Case(
        pins="XT6 a marker anywhere",
        given=at(Side(stock="", targis="2 3", markers="0", display="XT6")),
        play="t:move_marker c8",
        then={"markers 0": "8"},
        lacks="t:move_marker",
    ),
    Case(
        pins="XT7 a free border card once",
        given=at(Side(stock="", targis="2 3", display="XT7"), robber=6),
        play="t:free_border_card b13",
        gains="+3w",
        lacks="t:free_border_card",
    ),
    Case(
        pins="XK6 two goods of choice once",
        given=at(Side(stock="", targis="2 3", display="XK6")),
        play="t:gain +dates +salt",
        gains="+1d +1s",
        lacks="t:gain",
    ),
    Case(
        pins="XW2 two water for a VP, three times at most, and it may stop",
        given=at(Side(stock="1g 1s 1p 9w", targis="1 2 3", hand="XW2")),
        play="b1 row1 2water>vp 2water>vp done",
        then={"stock 0": "5w 2v"},
    ),
    Case(
        pins="XW2 ends after the third",
        given=at(Side(stock="1g 1s 1p 9w", targis="1 2 3", hand="XW2")),
        play="b1 row1 2water>vp 2water>vp 2water>vp",
        then={"stock 0": "3w 3v"},
        decision="act",
    ),
    Case(
        pins="XO2 a VP an Oasis card, this one included",
        given=at(Side(stock="2s 1p", targis="1 2 3", hand="XO2", display="XO1 D10:oasis")),
        play="b1 row1",
        then={"stock 0": "3v"},
    ),
    Case(
        pins="X6.3 XC6 opens a card that faces an opposing Targi and is spent by it",
        given=at(Side(targis="2", display="XC6"), at="place", other=Side(targis="1"), robber=6),
        play="@11",
        then={"targis 0": "2 11"},
    ),
    Case(
        pins="X6.3 both markers may stand on one cell; the first to use the card has it",
        given=at(
            Side(stock="", targis="2", markers="4"),
            other=Side(stock="", targis="3", markers="4"),
            centre={4: "gold"},
            tribe="XK9",
        ),
        play="c4 end",
        gains="+1g",
        lacks="c4",
        then={"cell 4": "?XK9", "markers 1": "4"},
    ),
    Case(
        pins="X6.3 the marker on the face-down card can still be moved",
        given=at(
            Side(stock="", targis="2", markers="4"),
            other=Side(stock="", targis="9 3", markers="4"),
            centre={4: "gold"},
        ),
        play="c4 end b9",
        legal="c1 c3 c5 c7",
    ),
)


@pytest.mark.parametrize("case", (*BORDER, *PAYING, *CARDS), ids=lambda case: case.pins)
def test_cards(case: Case) -> None:
    check(case)


def test_b9_2_a_bonus_counts_cards_that_an_effect_turns_up() -> None:
    given = mixed(Side(stock="1d 1g", targis="1 2 3"), goods="salt 2salt")
    state = given.build()
    names = state.ruleset.catalog.names
    me = state.players[0]
    state.set_display(me, (names.index("O7"), *[0] * 11))
    me.ready = (0, 1, 0)
    me.hand = (names.index("XC1"),)
    state.resume()
    play(state, "b1 row1")
    assert read(state, "stock 0") == "4s"
