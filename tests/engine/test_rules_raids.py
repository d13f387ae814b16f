"""B6: raids."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check

ROUND_OF = {4: 4, 8: 7, 12: 10, 16: 12}


def raid(
    corner: int, stock: str, *, theirs: str = "9d 9v 1g", display: str = "", variants: str = ""
) -> Position:
    """A raid that the seat to move pays last, so that the next decision is a placement."""
    return Position(
        at="raid",
        robber=corner,
        round=ROUND_OF[corner],
        first=1,
        me=Side(stock=stock),
        other=Side(stock=theirs),
        variants=variants,
    )


DEMANDS = (
    Case(pins="B6.1 raid 4: a good", given=raid(4, "1d 1s 1v"), play="pay:goods -salt", gains="-1s"),
    Case(pins="B6.1 raid 4: or 1 VP", given=raid(4, "1d 3v"), play="pay:vp", gains="-1v"),
    Case(
        pins="B6.1 raid 8: two goods in any mix",
        given=raid(8, "2d 2s 1v"),
        play="pay:goods -salt -dates",
        gains="-1d -1s",
    ),
    Case(pins="B6.1 raid 8: or 1 VP", given=raid(8, "2d 3v"), play="pay:vp", gains="-1v"),
    Case(
        pins="B6.1 raid 12: three goods",
        given=raid(12, "2d 2s 2p 2v"),
        play="pay:goods -salt -dates -salt",
        gains="-1d -2s",
    ),
    Case(pins="B6.1 raid 12: or 2 VP", given=raid(12, "3d 3v"), play="pay:vp", gains="-2v"),
    Case(pins="B6.1 raid 16: a gold", given=raid(16, "2g 3v 9d"), play="pay:gold", gains="-1g"),
    Case(pins="B6.1 raid 16: or 3 VP", given=raid(16, "2g 5v"), play="pay:vp", gains="-3v"),
)

FULL = (
    Case(
        pins="B6.2 goods are paid in full or not at all",
        given=raid(8, "1d 9v"),
        gains=None,
        then={"stock 0": "1d 8v", "forced": "pay:vp"},
    ),
    Case(
        pins="B6.2 VP are paid in full or not at all",
        given=raid(12, "3d 1v"),
        then={"stock 0": "1v", "forced": "pay:goods -dates -dates -dates"},
    ),
    Case(
        pins="B6.2 goods and VP are not mixed",
        given=raid(12, "2d 1v"),
        then={"stock 0": "2d 1v", "stock 1": "9d 1g 11v", "forced": ""},
    ),
    Case(
        pins="B6.2 no goods for gold at the fourth raid",
        given=raid(16, "9d 2v"),
        then={"stock 0": "9d 2v", "over": True},
    ),
    Case(
        pins="B6.2 both ways are open to who has both",
        given=raid(12, "3d 2v"),
        legal="pay:goods pay:vp",
        decision="raid",
    ),
)

UNPAID = tuple(
    Case(
        pins=f"B6.3 who cannot pay raid {corner} gives the opponent {vp} VP",
        given=raid(corner, stock, theirs=""),
        then={"stock 0": stock, "stock 1": f"{vp}v"},
    )
    for corner, stock, vp in ((4, "2g", 1), (8, "1d 2g", 1), (12, "2d 2g 1v", 2), (16, "9d 2v", 3))
) + tuple(
    Case(
        pins=f"B6.3 flat3: who cannot pay raid {corner} gives the opponent 3 VP",
        given=raid(corner, stock, theirs="", variants="unpayable_raid=flat3"),
        then={"stock 0": stock, "stock 1": "3v"},
    )
    for corner, stock in ((4, "2g"), (8, "1d 2g"), (12, "2d 2g 1v"), (16, "9d 2v"))
)

ORDER = (
    Case(
        pins="B6.1 the first player of the coming round pays first, in full",
        given=Position(
            at="raid",
            robber=12,
            round=10,
            seat=1,
            first=1,
            me=Side(stock="3d 1s 2v"),
            other=Side(stock="2d 2s 2v"),
        ),
        play="pay:goods -dates",
        then={"seat": 1, "stock 0": "2d 2s 2v"},
        legal="-dates -salt",
    ),
    Case(
        pins="B6.1 then the other",
        given=Position(
            at="raid",
            robber=8,
            round=7,
            first=0,
            me=Side(stock="3d 1s 2v"),
            other=Side(stock="2d 2s 2v"),
        ),
        play="pay:goods -dates -dates",
        decision="raid",
        then={"seat": 1},
    ),
    Case(
        pins="B6.1 what the first cannot pay helps the other to pay",
        given=Position(at="raid", robber=4, round=4, first=0, me=Side(stock=""), other=Side(stock="")),
        then={"stock 0": "", "stock 1": "", "forced": "pay:vp"},
        decision="place",
    ),
)


@pytest.mark.parametrize("case", (*DEMANDS, *FULL, *UNPAID, *ORDER), ids=lambda case: case.pins)
def test_a_raid(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("ending", "payer"), [(3, 1), (6, 0), (9, 1)])
def test_the_first_player_of_the_coming_round_pays_first(ending: int, payer: int) -> None:
    """B6.1: round 4 is begun by seat 1, round 7 by seat 0, round 10 by seat 1."""
    given = Position(round=ending, seat=(ending - 1) % 2, me=Side(targis="2 7"), other=Side(targis="3 6"))
    state = play(given.build(), "end end")
    assert (state.decision, state.current_seat) == ("raid", payer)


def test_the_fourth_raid_is_paid_by_seat_0_first() -> None:
    """B6.1: a thirteenth round would be seat 0's."""
    given = Position(round=12, seat=1, me=Side(targis="2 7"), other=Side(targis="3 6"))
    state = play(given.build(), "end end")
    assert (state.decision, state.current_seat, state.first) == ("raid", 0, 0)
    assert legal(state) == {"pay:gold", "pay:vp"}
    play(state, "pay:gold")
    assert state.current_seat == 1
    play(state, "pay:vp")
    assert state.is_over
