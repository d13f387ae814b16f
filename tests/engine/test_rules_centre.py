"""B5: centre cards, display, hand, costs."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read


def marker(cell: int, card: str, stock: str = "", **more: object) -> Position:
    """An action turn with an own marker on a card, and a Targi that keeps the turn open."""
    side = {key: value for key, value in more.items() if key in ("hand", "fresh", "display")}
    rest = {key: value for key, value in more.items() if key not in side}
    return Position(
        me=Side(stock=stock, targis="7", markers=str(cell), **side),  # type: ignore[arg-type]
        centre={cell: card},
        **rest,  # type: ignore[arg-type]
    )


GOODS = (
    Case(
        pins="B5.1 a goods card gives all that it shows",
        given=marker(0, "dates+pepper"),
        play="c0",
        gains="+1d +1p",
    ),
    Case(
        pins="B5.1 on a card with a stroke one good of choice",
        given=marker(0, "dates|salt|pepper"),
        play="c0 +pepper",
        gains="+1p",
        decision="act",
    ),
    Case(
        pins="B5.1 then it goes to the goods discard and a face-down tribe card takes its cell",
        given=marker(0, "2pepper", tribe="K9 K8", goods_discard="vp"),
        play="c0",
        then={"goods discard": "vp 2pepper", "cell 0": "?K9"},
    ),
    Case(
        pins="B5.1 the card lies in its cell while its gain is asked",
        given=marker(0, "dates|salt|pepper", tribe="K9 K8"),
        play="c0",
        then={"cell 0": "dates|salt|pepper", "goods discard": "", "markers 0": ""},
    ),
)

TRIBE = (
    Case(
        pins="B5.2 a tribe card is played for its cost",
        given=marker(1, "O2", "2d 2s 2g", goods="gold vp"),
        play="c1 row1",
        gains="-1d -1s -1g",
        then={"display 0": "O2", "cell 1": "?gold", "tribe discard": "", "hand 0": ""},
    ),
    Case(
        pins="B5.2 a tribe card is taken into the hand",
        given=marker(1, "O2", goods="gold vp"),
        play="c1",
        gains="",
        then={"hand 0": "O2", "fresh 0": 1, "cell 1": "?gold", "forced": "take"},
    ),
    Case(
        pins="B5.2 with room in the hand it is played or taken, not discarded",
        given=marker(1, "O2", "2d 2s 2g"),
        play="c1",
        legal="row1 take",
    ),
    Case(
        pins="B5.2 with a full hand it is played or discarded",
        given=marker(1, "O2", "2d 2s 2g", hand="K4"),
        play="c1",
        legal="row1 discard",
    ),
    Case(
        pins="B5.2 what can only be discarded is discarded without a question",
        given=marker(1, "O2", hand="K4", goods="gold vp"),
        play="c1",
        then={"hand 0": "K4", "tribe discard": "O2", "cell 1": "?gold", "forced": "discard"},
    ),
    Case(
        pins="B5.2 a face-down goods card takes the cell before an effect of the card",
        given=marker(1, "T9", "1d 1s 2p", goods="gold vp"),
        play="c1 row1",
        decision="bonus",
        then={"cell 1": "?gold", "display 0": "T9"},
    ),
    Case(
        pins="B5.2 a tribe card lies in its cell until the choice is made",
        given=marker(1, "O2", "2d 2s 2g", goods="gold vp"),
        play="c1",
        then={"cell 1": "O2", "goods left": 14},
    ),
    Case(
        pins="B5.2 to leave a card lying the action is skipped",
        given=Position(
            me=Side(targis="7", markers="1"), other=Side(targis="3"), centre={1: "O2"}, tribe="K1 K2"
        ),
        play="end",
        then={"cell 1": "O2", "tribe discard": ""},
    ),
)

HAND = (
    Case(
        pins="B5.3 the hand holds one card",
        given=marker(1, "O2", "2d 2s 2g", hand="K4"),
        play="c1",
        lacks="take",
    ),
    Case(
        pins="B5.3 there is no swapping",
        given=marker(1, "O2", hand="K4"),
        play="c1",
        then={"hand 0": "K4", "tribe discard": "O2"},
    ),
    Case(
        pins="B5.3 the hand card stays to the next round, and is not played without a card for it",
        given=Position(me=Side(stock="9d 9s 9p 3g", targis="7 2", hand="K4"), other=Side(targis="3")),
        lacks="hand b1",
        play="b7",
        then={"hand 0": "K4"},
    ),
)

ROWS = (
    Case(
        pins="B5.5 of several empty rows only the first is offered",
        given=marker(1, "O2", "1d 1s 1g", hand="K4"),
        play="c1",
        legal="row1 discard",
    ),
    Case(
        pins="B5.5 rows may be open side by side",
        given=marker(1, "O2", "1d 1s 1g", hand="K4", display="K1"),
        play="c1",
        legal="row1 row2 discard",
    ),
    Case(
        pins="B5.5 all three rows may be open",
        given=marker(1, "O2", "1d 1s 1g", hand="K4", display="K1/K2"),
        play="c1",
        legal="row1 row2 row3 discard",
    ),
    Case(
        pins="B5.5 a full row takes no card",
        given=marker(1, "O2", "1d 1s 1g", hand="K4", display="K1 K2 K3 K5/C2"),
        play="c1",
        legal="row2 row3 discard",
    ),
    Case(
        pins="B5.5 a display of three full rows takes none",
        given=marker(
            1, "O2", "1d 1s 1g", display="K1 K2 K3 K5/C2 C3 C4 C5/T2 T3 T4 T5", goods="gold", at="act"
        ),
        play="c1",
        then={"hand 0": "O2", "forced": "take"},
    ),
    Case(
        pins="B5.5 a row is filled from the left and cards do not move",
        given=marker(1, "O2", "1d 1s 1g", display="K1 K2/C2"),
        play="c1 row1",
        then={"display 0": "K1 K2 O2/C2"},
    ),
    Case(
        pins="B5.5 the player chooses the row",
        given=marker(1, "O2", "1d 1s 1g", display="K1 K2/C2"),
        play="c1 row3",
        then={"display 0": "K1 K2/C2/O2"},
    ),
    Case(
        pins="B5.5 an effect works from the moment the card lies there",
        given=Position(me=Side(stock="1d 1s 1p 1g", targis="7", markers="1 3"), centre={1: "C7", 3: "C2"}),
        play="c1 row1 c3 row1",
        gains="-1d -1s -1p -1g",
        then={"display 0": "C7 C2"},
    ),
)

COSTS = (
    Case(
        pins="B5.6 the cost is paid in full, in dates, salt, pepper and gold",
        given=marker(1, "K3", "3d 3s 3p 3g"),
        play="c1 row1",
        gains="-2d -2s -1p",
    ),
    Case(
        pins="B5.6 a card that cannot be paid is not offered for play",
        given=marker(1, "K3", "2d 1s 9p 9g", hand="K4"),
        play="c1",
        then={"display 0": "", "tribe discard": "K3"},
    ),
    Case(
        pins="B5.6 of two costs the player picks one",
        given=marker(1, "T6", "1d 2s 1g"),
        play="c1 row1",
        legal="cost1 cost2",
        decision="cost",
    ),
    Case(
        pins="B5.6 the first of two costs",
        given=marker(1, "T6", "1d 2s 1g"),
        play="c1 row1 cost1",
        gains="-1d -2s",
    ),
    Case(
        pins="B5.6 the second of two costs",
        given=marker(1, "T6", "1d 2s 1g"),
        play="c1 row1 cost2",
        gains="-1g",
    ),
    Case(
        pins="B5.6 a cost that cannot be paid is not offered",
        given=marker(1, "T6", "1d 2s"),
        play="c1 row1",
        gains="-1d -2s",
        then={"forced": "cost1"},
    ),
    Case(
        pins="B5.6 gold is not a good, it pays no good",
        given=marker(1, "C2", "1d 2s 9g", hand="K4"),
        play="c1",
        then={"display 0": "", "forced": "discard"},
    ),
)

CASES = (*GOODS, *TRIBE, *HAND, *ROWS, *COSTS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_the_centre(case: Case) -> None:
    check(case)


def test_the_hand_survives_the_round() -> None:
    """B5.3: it leaves only through Noble and what says so."""
    given = Position(me=Side(hand="K4", targis="7 2"), other=Side(targis="3 6"))
    state = play(given.build(), "b7 end b3 end")
    assert (state.decision, read(state, "hand 0")) == ("place", "K4")
