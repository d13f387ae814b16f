"""The effects of the tribe cards of the base game: for each card where it works, and where it must not."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read

OPEN = Side(targis="3")


def lay(card: str, stock: str, display: str = "") -> Position:
    """The card in the centre under an own marker, payable, with a full hand."""
    me = Side(stock=stock, display=display, targis="7", markers="1", hand="W2")
    return Position(me=me, other=OPEN, centre={1: card})


def with_card(display: str, stock: str, **side: str) -> Position:
    """The card in the display of the seat to move."""
    return Position(
        me=Side(stock=stock, display=display, targis=side.pop("targis", "7 2"), **side),  # type: ignore[arg-type]
        other=OPEN,
    )


def cheaper(card: str, later: str, stock: str, gains: str) -> tuple[Case, Case]:
    """A discount on later cards of a symbol: with the card, and without it."""
    return (
        Case(
            pins=f"{card} makes a later card of its symbol one good cheaper",
            given=lay(later, stock, card),
            play="c1 row1",
            gains=gains,
        ),
        Case(
            pins=f"{card} works for nobody but its owner",
            given=Position(
                me=Side(stock=stock, targis="7", markers="1", hand="W2"),
                other=Side(display=card, targis="3"),
                centre={1: later},
            ),
            play="c1",
            then={"display 0": "", "tribe discard": later},
        ),
    )


def gains_one_more(card: str, good: str, letter: str) -> tuple[Case, Case]:
    """A bonus for a good: with a goods card of it, and with one of another."""
    other = "gold"
    return (
        Case(
            pins=f"{card} adds one of its good to a goods card",
            given=Position(me=Side(stock="", display=card, targis="7", markers="0"), centre={0: f"2{good}"}),
            play="c0",
            gains=f"+3{letter}",
        ),
        Case(
            pins=f"{card} adds nothing to another goods card",
            given=Position(me=Side(stock="", display=card, targis="7", markers="0"), centre={0: other}),
            play="c0",
            gains="+1g",
        ),
    )


CASES = (
    *cheaper("C7", "C2", "1d 1s 1p", "-1d -1s -1p"),
    *cheaper("T6", "T2", "1d 1s 1p", "-1d -1s -1p"),
    *cheaper("O5", "O3", "2d 2p", "-2d -2p"),
    *cheaper("W5", "W3", "2d 2p", "-2d -2p"),
    *cheaper("K6", "K3", "2d 1s 1p", "-2d -1s -1p"),
    *gains_one_more("C8", "pepper", "p"),
    *gains_one_more("T8", "dates", "d"),
    *gains_one_more("O7", "salt", "s"),
    Case(
        pins="C9 gives a good for two empty places",
        given=lay("C9", "2d 1s", "K1 K2 K3 C1/C2 C3 C4"),
        play="c1 row2 +salt +salt",
        gains="-2d +1s",
        decision="act",
    ),
    Case(
        pins="C9 taken into the hand gives nothing",
        given=Position(me=Side(stock="2d 1s", targis="7", markers="1"), other=OPEN, centre={1: "C9"}),
        play="c1 take",
        gains="",
        decision="act",
    ),
    Case(
        pins="T7 brings a VP after a paid raid",
        given=Position(
            at="raid", round=4, robber=4, first=1, me=Side(stock="1d 9v", display="T7"), other=Side()
        ),
        play="pay:goods",
        gains="-1d +1v",
    ),
    Case(
        pins="T7 brings nothing after a raid that was not paid",
        given=Position(
            at="raid", round=4, robber=4, first=1, me=Side(stock="", display="T7"), other=Side(stock="")
        ),
        then={"stock 0": "", "stock 1": "1v"},
    ),
    Case(
        pins="T9 gives what is chosen when it is laid",
        given=lay("T9", "1d 1s 2p"),
        play="c1 row1 get:gold",
        gains="-1d -1s -2p +1g",
        decision="act",
    ),
    Case(
        pins="T9 that already lies there gives nothing when another card is laid",
        given=lay("K5", "1d 1p", "T9"),
        play="c1 row1",
        gains="-1d -1p",
        decision="act",
    ),
    Case(
        pins="O6 frees its owner from a raid",
        given=Position(
            at="raid", round=10, robber=12, first=1, me=Side(stock="3d 9v", display="O6"), other=Side()
        ),
        then={"stock 0": "3d 9v"},
        decision="place",
    ),
    Case(
        pins="O6 in the hand frees nobody",
        given=Position(
            at="raid", round=10, robber=12, first=1, me=Side(stock="3d 9v", hand="O6"), other=Side()
        ),
        play="pay:vp",
        gains="-2v",
    ),
    Case(
        pins="O8 gives a good after a turn without goods from goods cards",
        given=with_card("O8", ""),
        play="end +pepper",
        gains="+1p",
        then={"seat": 1},
    ),
    Case(
        pins="O8 gives nothing after a good from a goods card",
        given=Position(
            me=Side(stock="", display="O8", targis="7", markers="0"), other=OPEN, centre={0: "pepper"}
        ),
        play="c0 end",
        gains="+1p",
        then={"seat": 1},
    ),
    Case(
        pins="O9 rearranges the display when it is laid",
        given=lay("O9", "1s 1p 1g", "K1 K2"),
        play="c1 row1 x1 x3 done",
        then={"display 0": "O9 K2 K1"},
    ),
    Case(
        pins="O9 that already lies there rearranges nothing",
        given=lay("K5", "1d 1p", "O9 K1"),
        play="c1 row1",
        decision="act",
        then={"display 0": "O9 K1 K5"},
    ),
    Case(
        pins="W6 lets a Targi onto the Robber's card",
        given=Position(at="place", robber=9, me=Side(display="W6")),
        offers="@9",
    ),
    Case(
        pins="W6 in the opponent's display lets none",
        given=Position(at="place", robber=9, other=Side(display="W6")),
        lacks="@9",
    ),
    Case(
        pins="W7 gives a good for two cards",
        given=lay("W7", "1d 2s 1p", "K1 K2 K3"),
        play="c1 row2 +dates +dates",
        gains="+1d -2s -1p",
        decision="act",
    ),
    Case(
        pins="W7 discarded gives nothing",
        given=lay("W7", "1d 2s 1p", "K1 K2 K3"),
        play="c1 discard",
        gains="",
        decision="act",
    ),
    Case(
        pins="W8 plays the hand card without the Noble",
        given=with_card("W8", "2d 1s 1g", hand="O2"),
        play="hand row1",
        gains="-2d -1s -1g",
        then={"display 0": "W8 O2"},
    ),
    Case(pins="W8 needs a hand card", given=with_card("W8", "9d 9s 9p 3g"), lacks="hand"),
    Case(
        pins="W9 pays a gold",
        given=lay("K4", "1d", "W9"),
        play="c1 row1",
        gains="-1d",
        then={"display 0": "W9 K4"},
    ),
    Case(
        pins="W9 whose gold is spent pays none",
        given=Position(
            me=Side(stock="1d", display="W9", used="W9", targis="7", markers="1", hand="W2"), centre={1: "K4"}
        ),
        play="c1",
        then={"display 0": "W9"},
    ),
    Case(
        pins="K7 makes a card played with the Noble one good cheaper",
        given=with_card("K7", "2d 2p", hand="W3", targis="1 7"),
        play="b1 row1",
        gains="-2d -2p",
    ),
    Case(
        pins="K7 makes no card of the centre cheaper",
        given=lay("W3", "2d 2p", "K7"),
        play="c1",
        then={"display 0": "K7"},
    ),
    Case(
        pins="K8 swaps one good for another at the Trader",
        given=with_card("K8", "1d", targis="5 7"),
        play="b5 1dates>pepper",
        gains="-1d +1p",
    ),
    Case(
        pins="K8 swaps again in the same visit",
        given=with_card("K8", "2d", targis="5 7"),
        play="b5 1dates>pepper 1dates>salt",
        gains="-2d +1s +1p",
    ),
    Case(
        pins="K8 swaps nothing away from the Trader",
        given=with_card("K8", "1d", targis="7 2"),
        legal="b7 b2 end",
    ),
    Case(
        pins="K9 leaves the opponent two Targis",
        given=Position(
            at="place", first=1, robber=9, me=Side(targis="2 7"), other=Side(targis="3 6", quota=2)
        ),
        play="@15",
        decision="act",
        then={"targis 1": "3 6"},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_an_effect(case: Case) -> None:
    check(case)


ENDS = (
    ("C4 scores one VP for two Camp cards", "C4 K1 K2", "", 1),
    ("C4 scores nothing for one Camp card", "C4 K1 C2", "", 0),
    ("C4 scores two VP for five Camp cards", "C4 K1 K2 K3/K5 K8", "", 2),
    ("T4 scores one VP for two Camel Rider cards", "T4 C1 C2", "", 1),
    ("T4 scores nothing for one Camel Rider card", "T4 C1 K1 K2", "", 0),
    ("O4 scores one VP for two Well cards", "O4 W1 W2", "", 1),
    ("O4 scores nothing for one Well card", "O4 W1 O1 O2", "", 0),
    ("W4 scores one VP for two Targia cards", "W4 T1 T2", "", 1),
    ("W4 scores nothing for one Targia card", "W4 T1 W1 W2", "", 0),
    ("K4 scores one VP for two Oasis cards", "K4 O1 O2", "", 1),
    ("K4 scores nothing for one Oasis card", "K4 O1 K1 K2", "", 0),
    ("C5 scores with more cards than the opponent", "C5 K1", "C2", 1),
    ("C5 scores nothing with as many", "C5 K1", "C2 C3", 0),
    ("C6 scores two VP as the fourth card of a full row", "K1 K2 C1 C6", "", 2),
    ("C6 scores nothing in another place", "K1 K2 C6 C1", "", 0),
    ("C6 scores nothing as the last card of a row that is not full", "K1 K2 C6", "", 0),
    ("K5 scores with ten cards", "K5 K1 K2 C1/C2 C3 T1 T2/T3 O1", "", 1),
    ("K5 scores nothing with nine", "K5 K1 K2 C1/C2 C3 T1 T2/T3", "", 0),
    ("T5 makes a row of four different symbols score four", "T5 K1 C1 O1", "", 2),
    ("T5 does so for two rows", "T5 K1 C1 O1/T1 K2 C2 O2", "", 4),
    ("T5 does so for two rows at most", "T5 K1 C1 O1/T1 K2 C2 O2/T2 K3 C3 O3", "", 4),
    ("T5 adds nothing to a row of one symbol", "T5 T1 T2 T3", "", 0),
    ("W9 counts for nothing at the end", "W9", "", 0),
)


@pytest.mark.parametrize(("display", "theirs", "vp"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_an_effect_at_the_end(display: str, theirs: str, vp: int) -> None:
    """B9.14: what cards add in the final scoring."""
    me, other = Side(display=display, targis="7 2"), Side(display=theirs)
    assert Position(me=me, other=other).build().outcome().breakdown[0].effects == vp


def test_k9_holds_for_the_next_round_of_the_opponent_only() -> None:
    """K9: the owner places three, and so does the opponent in the round after."""
    given = Position(
        round=4, me=Side(stock="1d 1s 2p", targis="7", markers="1"), other=OPEN, centre={1: "K9"}
    )
    state = play(given.build(), "c1 row1 end b3")
    placed = {0: 0, 1: 0}
    while state.decision == "place":
        placed[state.current_seat] += 1
        state.apply(state.legal_actions()[0])
    assert placed == {0: 3, 1: 2}
    assert read(state, "round") == 5
