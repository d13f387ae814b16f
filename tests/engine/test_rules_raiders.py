"""B9.12 and B9.13: tribe cards that matter at a raid."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read

ROUND_OF = {4: 4, 8: 7, 12: 10, 16: 12}


def raid(corner: int, stock: str, display: str, theirs: str = "1g") -> Position:
    """A raid that the seat to move pays last; the other has no display."""
    return Position(
        at="raid",
        robber=corner,
        round=ROUND_OF[corner],
        first=1,
        me=Side(stock=stock, display=display),
        other=Side(stock=theirs),
    )


BONUS = (
    *(
        Case(
            pins=f"B9.12 T7 brings a VP after raid {corner} is paid",
            given=raid(corner, "3d 3g 9v", "T7"),
            play=payment,
            gains=gains,
        )
        for corner, payment, gains in (
            (4, "pay:goods", "-1d +1v"),
            (8, "pay:goods", "-2d +1v"),
            (12, "pay:goods", "-3d +1v"),
            (16, "pay:gold", "-1g +1v"),
        )
    ),
    Case(
        pins="B9.12 also after VP were paid",
        given=raid(12, "3d 9v", "T7"),
        play="pay:vp",
        gains="-1v",
    ),
    Case(
        pins="B9.12 nothing if the demand could not be paid",
        given=raid(8, "1d", "T7", ""),
        then={"stock 0": "1d", "stock 1": "1v"},
    ),
    Case(
        pins="B9.12 nothing with O6",
        given=raid(8, "3d 9v", "T7 O6"),
        then={"stock 0": "3d 9v"},
    ),
    Case(
        pins="B9.12 its VP comes after the payment, and pays nothing of it",
        given=raid(12, "2d 1v", "T7", ""),
        then={"stock 0": "2d 1v", "stock 1": "2v"},
    ),
)

IMMUNITY = (
    *(
        Case(
            pins=f"B9.13 with O6 nothing is paid at raid {corner}",
            given=raid(corner, "3d 3g 9v", "O6"),
            then={"stock 0": "3d 3g 9v"},
        )
        for corner in (4, 8, 12, 16)
    ),
    Case(
        pins="B9.13 who could not pay gives the opponent nothing",
        given=raid(16, "2v", "O6", theirs="1g"),
        then={"stock 0": "2v", "stock 1": "1g"},
    ),
    Case(
        pins="B9.13 the opponent of the owner pays",
        given=Position(
            at="raid",
            robber=4,
            round=4,
            first=0,
            me=Side(stock="1d 9v"),
            other=Side(stock="1d", display="O6"),
        ),
        play="pay:goods",
        gains="-1d",
        theirs="",
        decision="place",
    ),
)


@pytest.mark.parametrize("case", (*BONUS, *IMMUNITY), ids=lambda case: case.pins)
def test_a_card_at_a_raid(case: Case) -> None:
    check(case)


def test_immunity_holds_from_the_moment_the_card_lies_there() -> None:
    """B9.13: laid in round 3, nothing is paid before round 4."""
    given = Position(
        round=3,
        first=1,
        me=Side(stock="2d 1s 1p 1g 4v", targis="7", markers="1"),
        other=Side(stock="1d 9v"),
        centre={1: "O6"},
    )
    state = play(given.build(), "c1 row1 end")
    assert (state.decision, state.current_seat, read(state, "stock 0")) == ("raid", 1, "2d 4v")
    play(state, "pay:vp")
    assert (state.decision, read(state, "stock 0")) == ("place", "2d 4v")
