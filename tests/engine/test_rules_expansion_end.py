"""X7: the fourth raid and the end of a game of the expansion."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check, read


def fourth(stock: str, display: str = "", **side: str) -> Position:
    """The fourth raid, which the seat to move pays last."""
    return Position(
        ruleset="mixed",
        at="raid",
        robber=16,
        round=12,
        first=1,
        me=Side(stock=stock, display=display, **side),  # type: ignore[arg-type]
        other=Side(stock="1g"),
        dunes="D1 D2 D3",
    )


CASES = (
    Case(
        pins="X7.1 a gold",
        given=fourth("1g", "K1"),
        play="pay:gold",
        gains="-1g",
        then={"display 0": "K1"},
    ),
    Case(
        pins="X7.1 or the tribe card at the right end of a row of choice",
        given=fourth("1g", "K1 K2/C1 C2 C3"),
        play="pay:card row2",
        gains="",
        then={"display 0": "K1 K2/C1 C2", "tribe discard": "C3", "over": True},
    ),
    Case(
        pins="X7.1 every row with a card is offered",
        given=fourth("1g", "K1 K2/C1 C2 C3"),
        play="pay:card",
        legal="row1 row2",
        decision="card",
    ),
    Case(
        pins="X7.1 VP do not pay it",
        given=fourth("1g 9v", "K1"),
        legal="pay:gold pay:card",
    ),
    Case(
        pins="X7.1 who has neither gives nothing and the opponent gains 3 VP",
        given=fourth("9d 9v 2w"),
        then={"stock 0": "9d 2w 9v", "stock 1": "1g 3v"},
    ),
    Case(
        pins="X7.1 flat3 is the same there",
        given=Position(
            ruleset="mixed", variants="unpayable_raid=flat3", at="raid", robber=16, round=12, first=1,
            me=Side(stock="9d"), other=Side(stock="1g"), dunes="D1 D2 D3",
        ),
        then={"stock 1": "1g 3v"},
    ),
    Case(
        pins="X7.1 what lay on a lost card is lost with it",
        given=fourth("", "W9"),
        then={"display 0": "", "tribe discard": "W9", "over": True},
    ),
    Case(
        pins="X7.1 T7 brings nothing when it is the card paid",
        given=fourth("4v", "T7"),
        then={"stock 0": "4v", "display 0": ""},
    ),
    Case(
        pins="X7.1 but it does when another card is paid",
        given=fourth("4v", "T7/K1"),
        play="row2",
        then={"stock 0": "5v", "display 0": "T7"},
    ),
    Case(
        pins="X7.1 a hand above the limit is kept",
        given=fourth("", "XT5", hand="K1 K2"),
        then={"hand 0": "K1 K2", "display 0": ""},
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_the_fourth_raid(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("card", ["W9", "XK6"])
def test_a_lost_card_takes_its_gold_or_token_along(card: str) -> None:
    """X7.1: W9's gold, a token."""
    state = fourth("", card).build()
    assert (state.players[0].tokens, state.players[0].stored) == ((), ())


TIES = (
    ("water counts half a VP", "4w", "1v", "1-0"),
    ("water breaks no tie", "1w", "", "1/2-1/2"),
    ("gold does", "1g 1w", "1d 1w", "1-0"),
    ("then goods", "1g 1d", "1g 1w", "1-0"),
)


@pytest.mark.parametrize(
    ("mine", "theirs", "result"), [row[1:] for row in TIES], ids=[f"X7.2 {row[0]}" for row in TIES]
)
def test_the_score_of_the_expansion(mine: str, theirs: str, result: str) -> None:
    given = Position(ruleset="expansion", me=Side(stock=mine, targis="7 2"), other=Side(stock=theirs))
    assert given.build().outcome().result == result


def test_the_raid_of_the_end_is_not_paid_after_a_twelfth_card() -> None:
    """X7.2 and B8.1: as in the base game."""
    twelve = "XC1 XC2 XC5 XC4/XT1 XT2 XT3 XT5/XO1 XO2 XO4"
    given = Position(
        ruleset="expansion", round=12, first=1, centre={4: "XW1"}, other=Side(),
        me=Side(stock="1g 2d 1s 4w", targis="7", markers="4", display=twelve),
    )  # fmt: skip
    state = play(given.build(), "c4 row3 water>gold end")
    assert (state.is_over, read(state, "stock 0")) == (True, "2g 5w")
    assert legal(state) == set()
