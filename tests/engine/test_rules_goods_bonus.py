"""B9.2 and B9.3: what a display adds to goods cards, or to a round without any."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check


def goods(display: str, **cells: str) -> Position:
    """Own markers on goods cards of the centre: `c0="2dates"`."""
    centre = {int(name[1:]): card for name, card in cells.items()}
    markers = " ".join(map(str, centre))
    return Position(me=Side(stock="", display=display, targis="7 13", markers=markers), centre=centre)


BONUS = (
    Case(pins="B9.2 T8: a date more", given=goods("T8", c0="dates"), play="c0", gains="+2d"),
    Case(pins="B9.2 O7: a salt more", given=goods("O7", c0="salt"), play="c0", gains="+2s"),
    Case(pins="B9.2 C8: a pepper more", given=goods("C8", c0="pepper"), play="c0", gains="+2p"),
    Case(pins="B9.2 one more, not double", given=goods("C8", c0="2pepper"), play="c0", gains="+3p"),
    Case(
        pins="B9.2 once per round",
        given=goods("T8", c0="dates", c2="2dates"),
        play="c0 c2",
        gains="+4d",
    ),
    Case(
        pins="B9.2 a card without that good leaves it open",
        given=goods("T8", c0="salt", c2="2dates"),
        play="c0 c2",
        gains="+3d +1s",
    ),
    Case(
        pins="B9.2 a good of choice counts",
        given=goods("O7", c0="dates|salt|pepper"),
        play="c0 +salt",
        gains="+2s",
    ),
    Case(
        pins="B9.2 a good that was not chosen does not count",
        given=goods("O7", c0="dates|salt|pepper"),
        play="c0 +dates",
        gains="+1d",
    ),
    Case(
        pins="B9.2 a card of two goods serves two effects",
        given=goods("T8 O7", c0="dates+salt"),
        play="c0",
        gains="+2d +2s",
    ),
    Case(
        pins="B9.2 the Caravan's card counts",
        given=Position(me=Side(stock="", display="C8", targis="7 13"), goods="2pepper"),
        play="b13",
        gains="+3p",
    ),
    Case(
        pins="B9.2 a goods card of the border does not count",
        given=Position(me=Side(stock="", display="T8", targis="7 13"), goods="2pepper"),
        play="b7",
        gains="+1d",
    ),
    *(
        Case(
            pins=f"B9.2 {card}: the first time since the effect lies there",
            given=Position(
                me=Side(stock=cost, targis="7", markers="0 1 2"), centre={0: good, 1: card, 2: f"2{good}"}
            ),
            play="c0 c1 row1 c2",
            gains=gains,
        )
        for card, good, cost, gains in (
            ("C8", "pepper", "2p 1g", "+2p -1g"),
            ("T8", "dates", "2d 1g", "+2d -1g"),
            ("O7", "salt", "2s 1p", "+2s -1p"),
        )
    ),
)

NO_GOODS = (
    Case(
        pins="B9.3 a good of choice at the end of a turn without goods from goods cards",
        given=Position(me=Side(stock="", display="O8", targis="7 2"), other=Side(targis="3")),
        play="end",
        legal="+dates +salt +pepper",
        decision="gain",
    ),
    Case(
        pins="B9.3 it is gained",
        given=Position(me=Side(stock="", display="O8", targis="7 2"), other=Side(targis="3")),
        play="end +salt",
        gains="+1s",
        then={"seat": 1},
    ),
    Case(
        pins="B9.3 not if a goods card gave a good",
        given=goods("O8", c0="dates"),
        play="c0 end",
        gains="+1d",
        decision="place",
    ),
    Case(
        pins="B9.3 not if a good of choice came from a goods card",
        given=goods("O8", c0="dates|salt|pepper"),
        play="c0 +dates end",
        gains="+1d",
        decision="place",
    ),
    Case(
        pins="B9.3 a card that gave gold or VP is no card that gave a good",
        given=goods("O8", c0="gold", c2="vp"),
        play="c0 c2 end +salt",
        gains="+1g +1v +1s",
    ),
    Case(
        pins="B9.3 a border card that gave a good is none either",
        given=Position(me=Side(stock="", display="O8", targis="7 2"), other=Side(targis="3")),
        play="b7 b2 +salt",
        gains="+2d +1s",
    ),
    Case(
        pins="B9.3 the Caravan's card counts",
        given=Position(me=Side(stock="", display="O8", targis="13 2"), goods="2pepper"),
        play="b13 end",
        gains="+2p",
    ),
    Case(
        pins="B9.3 a card gained before O8 was laid counts",
        given=Position(me=Side(stock="1d 1p 1g", targis="7", markers="0 1"), centre={0: "dates", 1: "O8"}),
        play="c0 c1 row1 end",
        gains="-1p -1g",
        decision="place",
    ),
    Case(
        pins="B9.3 before the limits",
        given=Position(me=Side(stock="9d 1s", display="O8", targis="7 2"), other=Side(targis="3")),
        play="end +pepper",
        legal="-dates -salt -pepper",
    ),
)


@pytest.mark.parametrize("case", (*BONUS, *NO_GOODS), ids=lambda case: case.pins)
def test_a_bonus(case: Case) -> None:
    check(case)


def test_the_bonus_is_open_again_in_the_next_round() -> None:
    """B9.2: once per round."""
    given = Position(
        me=Side(stock="", display="T8", targis="7 2", markers="0"),
        other=Side(targis="3"),
        centre={0: "dates", 2: "2dates"},
        robber=9,
        round=4,
    )
    state = play(given.build(), "c0 end b3")
    assert state.players[0].stock[0] == 2
    play(state, "@2 @9 @6 @5 @11 @13 end c2")
    assert state.players[0].stock[0] == 5


def test_goods_of_the_round_before_do_not_count_for_the_bonus_without_goods() -> None:
    """B9.3: in this round."""
    given = Position(me=Side(stock="", display="O8", targis="7 2", got_goods=True), other=Side(targis="3"))
    state = play(given.build(), "end b3")
    assert state.decision == "place"
    while state.decision == "place":
        state.apply(state.legal_actions()[0])
    while state.current_seat == 1:
        play(state, "end")
    play(state, "end")
    assert legal(state) == {"+dates", "+salt", "+pepper"}
