"""B7 and B8: limits, the end of the game, scores and ties."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check

OPEN = Side(targis="3 6")


def ending(stock: str, **more: str) -> Position:
    """An action turn with enough Targis to end it by choice; the opponent's turn follows."""
    return Position(me=Side(stock=stock, targis="2 7", **more), other=OPEN)  # type: ignore[arg-type]


LIMITS = (
    Case(
        pins="B7.1 goods above ten go back, of the player's choice",
        given=ending("8d 4s"),
        play="end -salt -dates",
        gains="-1d -1s",
        decision="act",
        then={"seat": 1},
    ),
    Case(
        pins="B7.1 the player chooses among the kinds held",
        given=ending("8d 4s"),
        play="end",
        legal="-dates -salt",
        decision="give",
    ),
    Case(
        pins="B7.1 ten goods in any mix may be kept",
        given=ending("4d 3s 3p"),
        play="end",
        gains="",
        then={"seat": 1},
    ),
    Case(pins="B7.1 gold above three goes back", given=ending("5g 3d"), play="end", gains="-2g"),
    Case(pins="B7.1 three gold may be kept", given=ending("3g"), play="end", gains=""),
    Case(
        pins="B7.1 there is no limit during a turn",
        given=Position(me=Side(stock="12d 4g", targis="2 7 3"), other=OPEN),
        play="b2 b7",
        gains="+2d",
        then={"seat": 0},
    ),
    Case(pins="B7.1 VP have no limit", given=ending("50v"), play="end", gains=""),
    Case(
        pins="B7.1 the limit holds at the end of the own turn, not of the opponent's",
        given=Position(me=Side(stock="1d", targis="2 7"), other=Side(stock="12d 5g", targis="3 6")),
        play="end",
        theirs="",
    ),
)

ELEVEN = "K1 K2 K3 C1/C2 C3 T1 T2/T3 O1 O2"
TWELFTH = Side(stock="1d 1s 1g 9v", targis="7", markers="1", display=ELEVEN)

END = (
    Case(
        pins="B8.1 after the twelfth card the opponent still has the full turn",
        given=Position(me=TWELFTH, other=OPEN, centre={1: "W1"}),
        play="c1 row3 end",
        legal="b3 b6 end",
        then={"seat": 1, "over": False},
    ),
    Case(
        pins="B8.1 then the game is over",
        given=Position(me=TWELFTH, other=OPEN, centre={1: "W1"}),
        play="c1 row3 end b3 end",
        legal="",
        decision="",
        then={"over": True, "round": 2, "seat": -1},
    ),
    Case(
        pins="B8.1 the twelfth card of the second player ends the game after that turn",
        given=Position(first=1, me=TWELFTH, other=Side(), centre={1: "W1"}),
        play="c1 row3 end",
        then={"over": True},
    ),
    Case(
        pins="B8.1 eleven cards do not end the game",
        given=Position(first=1, me=TWELFTH, other=Side(), centre={1: "W1"}),
        play="end",
        decision="place",
        then={"over": False},
    ),
    Case(
        pins="B8.1 no raid is paid after the twelfth card, not even after round 12",
        given=Position(first=1, round=12, me=TWELFTH, other=Side(), centre={1: "W1"}),
        play="c1 row3 end",
        theirs="",
        gains="-1d -1s -1g",
        then={"over": True},
    ),
    Case(
        pins="B8.1 nor before round 4",
        given=Position(first=1, round=3, me=TWELFTH, other=Side(), centre={1: "W1"}),
        play="c1 row3 end",
        theirs="",
        gains="-1d -1s -1g",
        then={"over": True},
    ),
    Case(
        pins="B8.2 the game ends right after the fourth raid",
        given=Position(first=1, round=12, me=OPEN, other=Side()),
        play="end pay:gold pay:gold",
        theirs="-1g",
        gains="-1g",
        then={"over": True, "round": 12},
    ),
    Case(
        pins="B8.2 and not before it",
        given=Position(first=1, round=12, me=OPEN, other=Side()),
        play="end pay:gold",
        decision="raid",
        then={"over": False},
    ),
)

SCORES = (
    ("VP tokens", "7v", "", 7),
    ("goods and gold score nothing", "9d 9s 9p 3g", "", 0),
    ("printed VP", "", "K1 K2/C2", 2 + 3 + 2),
    ("four of one symbol", "", "K1 K2 K3 K8", 2 + 3 + 3 + 1 + 4),
    ("four different symbols", "", "K1 C2 T2 O1", 2 + 2 + 2 + 2 + 2),
    ("three of one symbol and another score no row", "", "K1 K2 K3 C2", 2 + 3 + 3 + 2),
    ("three different symbols score no row", "", "K1 K2 C2 T2", 2 + 3 + 2 + 2),
    ("a row that is not full scores nothing", "", "K1 K2 K3/C2 T2 O1", 2 + 3 + 3 + 2 + 2 + 2),
    ("each full row scores", "", "K1 K2 K3 K8/C1 C2 C3 C7/O1 W1 T1 C8", 9 + 4 + 9 + 4 + 2 + 3 + 3 + 2 + 2),
    ("an effect of the end", "", "K1 C4", 2 + 1),
    ("an effect that holds", "", "K1 C4 K2", 2 + 1 + 3 + 1),
    ("a hand card scores nothing", "", "", 0),
)


@pytest.mark.parametrize("case", (*LIMITS, *END), ids=lambda case: case.pins)
def test_limits_and_the_end(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("stock", "display", "score"), [row[1:] for row in SCORES], ids=[f"B8.3 {row[0]}" for row in SCORES]
)
def test_a_score(stock: str, display: str, score: int) -> None:
    me = Side(stock=stock, display=display, hand="W2", targis="2 7")
    assert Position(me=me, other=Side()).build().scores()[0] == score


def test_the_printed_example() -> None:
    """B8.3: 21 printed + 3 tokens + 1 + 2 effects + 4 + 2 for rows is 33."""
    display = "O1 O2 O3 O4/W1 T2 K1 C6/W2"
    state = Position(me=Side(stock="3v", display=display, targis="2 7"), other=Side()).build()
    found = state.outcome().breakdown[0]
    assert (found.tokens, found.effects, found.rows, found.water) == (3, 3, 6, 0)
    assert found.printed == 2 + 3 + 3 + 1 + 3 + 2 + 2 + 2 + 2
    assert found.total == found.printed + 12 == state.scores()[0]


TIES = (
    ("more points win", "5v", "4v 3g 9d", "1-0"),
    ("of equal points more gold wins", "5v 1g", "5v 9d", "1-0"),
    ("of equal gold more goods win", "5v 1g 2d", "5v 1g 1d 2s", "0-1"),
    ("gold comes before goods", "5v 2g", "5v 1g 9d 9s", "1-0"),
    ("all goods count alike", "5v 1g 3d", "5v 1g 1d 1s 1p", "1/2-1/2"),
    ("then it is a draw", "5v 1g 1d", "5v 1g 1p", "1/2-1/2"),
)


@pytest.mark.parametrize(
    ("mine", "theirs", "result"), [row[1:] for row in TIES], ids=[f"B8.4 {row[0]}" for row in TIES]
)
def test_who_wins(mine: str, theirs: str, result: str) -> None:
    swapped = {"1-0": "0-1", "0-1": "1-0"}.get(result, result)
    one, other = Side(stock=mine, targis="2 7"), Side(stock=theirs)
    assert Position(me=one, other=other).build().outcome().result == result
    assert Position(me=one, other=other, seat=1).build().outcome().result == swapped


def test_a_tie_is_not_broken_by_gold_on_a_card() -> None:
    """B8.4: W9's gold does not count, B9.9."""
    with_card = Side(stock="5v", display="W9", targis="2 7")
    without = Side(stock="6v")
    assert Position(me=with_card, other=without).build().outcome().result == "1/2-1/2"


def test_the_final_state_has_no_decision() -> None:
    """B8.2: nothing can be played after the end."""
    given = Position(at="raid", round=12, robber=16, first=1, me=Side(stock="1g 3v"), other=Side(stock=""))
    state = play(given.build(), "pay:gold")
    assert (state.is_over, state.legal_actions(), state.current_seat, state.decision) == (True, (), -1, "")
