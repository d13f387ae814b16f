"""B9: rulings on the effects of tribe cards; those on paying, on goods cards and on raids are elsewhere."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, display, read

FULL = "K1 K2 K3 C1/C2 C3 T1 T2/T3 O1 O2"  # eleven cards


def lay(card: str, stock: str, display: str = "") -> Position:
    """An own marker on a tribe card that can be played."""
    return Position(
        me=Side(stock=stock, display=display, targis="7", markers="1", hand="W2"), centre={1: card}
    )


PER_CARDS = (
    Case(
        pins="B9.4 C9: a good for two of eleven empty places, five",
        given=lay("C9", "2d 1s"),
        play="c1 row1 +dates +dates +salt +salt +pepper",
        gains="+1s +1p",
        decision="act",
    ),
    Case(
        pins="B9.4 C9: rounded down, with nine empty places four",
        given=lay("C9", "2d 1s", "K1/K2"),
        play="c1 row1 +dates +dates +salt +salt",
        gains="+1s",
        decision="act",
    ),
    Case(
        pins="B9.4 C9: in the last place none",
        given=lay("C9", "2d 1s", FULL),
        play="c1 row3",
        gains="-2d -1s",
        decision="act",
    ),
    Case(
        pins="B9.4 W7: a good for two cards, itself counted",
        given=lay("W7", "1d 2s 1p", "K1"),
        play="c1 row1 +pepper",
        gains="-1d -2s",
        decision="act",
    ),
    Case(
        pins="B9.4 W7: rounded down, alone none",
        given=lay("W7", "1d 2s 1p"),
        play="c1 row1",
        gains="-1d -2s -1p",
        decision="act",
    ),
    Case(
        pins="B9.4 W7: six for twelve cards",
        given=lay("W7", "1d 2s 1p", FULL),
        play="c1 row3 +pepper +pepper +pepper +pepper +pepper +pepper",
        gains="-1d -2s +5p",
        decision="act",
    ),
)

CHOICE = (
    Case(
        pins="B9.5 T9 offers three goods, a gold or a VP",
        given=lay("T9", "1d 1s 2p"),
        play="c1 row1",
        legal="get:3goods get:gold get:vp",
        decision="bonus",
    ),
    Case(
        pins="B9.5 three goods in any mix",
        given=lay("T9", "1d 1s 2p"),
        play="c1 row1 get:3goods +dates +salt +dates",
        gains="+1d -2p",
        decision="act",
    ),
    Case(
        pins="B9.5 or a gold", given=lay("T9", "1d 1s 2p"), play="c1 row1 get:gold", gains="-1d -1s -2p +1g"
    ),
    Case(pins="B9.5 or a VP", given=lay("T9", "1d 1s 2p"), play="c1 row1 get:vp", gains="-1d -1s -2p +1v"),
)

ROBBER = (
    Case(
        pins="B9.7 with W6 a Targi may go on the Robber's card",
        given=Position(at="place", robber=9, me=Side(display="W6")),
        offers="@9",
    ),
    Case(
        pins="B9.7 not without",
        given=Position(at="place", robber=9, me=Side(display="W7"), other=Side(display="W6")),
        lacks="@9",
    ),
    Case(
        pins="B9.7 not facing an opposing Targi",
        given=Position(at="place", robber=9, me=Side(display="W6"), other=Side(targis="3")),
        lacks="@9",
    ),
    Case(
        pins="B9.7 not on an occupied one",
        given=Position(at="place", robber=9, me=Side(display="W6", targis="9 1"), other=Side(targis="2 14")),
        lacks="@9",
    ),
    Case(
        pins="B9.7 the opponent's Targi on the Robber's card keeps others off",
        given=Position(at="place", robber=9, me=Side(), other=Side(display="W6", targis="9")),
        lacks="@9 @3",
    ),
)

TRADE = (
    Case(
        pins="B9.10 with K8 one good for another",
        given=Position(me=Side(stock="1d", display="K8", targis="5 7")),
        play="b5",
        legal="1dates>salt 1dates>pepper",
    ),
    Case(
        pins="B9.10 besides the printed exchanges",
        given=Position(me=Side(stock="3p", display="K8", targis="5 7")),
        play="b5",
        legal="3pepper>gold 2pepper>dates 2pepper>salt 1pepper>dates 1pepper>salt",
    ),
    Case(
        pins="B9.10 again and again within the limit of the visit",
        given=Position(me=Side(stock="2d", display="K8", targis="5 7")),
        play="b5 1dates>salt 1dates>salt",
        gains="-2d +2s",
        decision="act",
    ),
    Case(
        pins="B9.10 not without K8",
        given=Position(me=Side(stock="2d 1s", display="K7", targis="5 7")),
        play="b5",
        legal="2dates>salt 2dates>pepper",
    ),
)

CASES = (*PER_CARDS, *CHOICE, *ROBBER, *TRADE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_an_effect(case: Case) -> None:
    check(case)


def placements(state_after: Position, actions: str) -> list[int]:
    """The seats that place in the round after some actions."""
    state = play(state_after.build(), actions)
    seats = []
    while state.decision == "place":
        seats.append(state.current_seat)
        state.apply(state.legal_actions()[0])
    return seats


K9 = Position(
    me=Side(stock="1d 1s 2p", targis="7", markers="1"), other=Side(targis="3"), centre={1: "K9"}, round=4
)


def test_the_opponent_places_two_targis_in_the_next_round() -> None:
    """B9.11: the third placement is passed."""
    assert placements(K9, "c1 row1 end b3") == [1, 0, 1, 0, 0]


def test_the_opponent_places_two_targis_when_second_too() -> None:
    """B9.11: whoever begins."""
    second = Position(
        first=1,
        me=Side(stock="1d 1s 2p", targis="7", markers="1"),
        other=Side(),
        centre={1: "K9"},
        round=4,
    )
    assert placements(second, "c1 row1 end") == [0, 1, 0, 1, 0]


def test_the_round_after_has_three_placements_again() -> None:
    """B9.11: in the next round only."""
    state = play(K9.build(), "c1 row1 end b3")
    while state.round == 5:
        state.apply(state.legal_actions()[0] if state.decision == "place" else state.legal_actions()[-1])
    seats = []
    while state.decision == "place":
        seats.append(state.current_seat)
        state.apply(state.legal_actions()[0])
    assert seats == [0, 1, 0, 1, 0, 1]


def test_nothing_is_passed_without_the_card() -> None:
    """B9.11: nor when K9 is only taken into the hand."""
    assert placements(K9, "c1 take end b3") == [1, 0, 1, 0, 1, 0]


def test_cards_keep_their_places() -> None:
    """B5.5: laying a card moves no other."""
    state = play(lay("T2", "1d 1s 2p", "K1 K2/C1").build(), "c1 row2")
    assert (display(state, 0), read(state, "cell 1")[:1]) == ("K1 K2/C1 T2", "?")  # type: ignore[index]
