"""B4: the actions of the border cards."""

from __future__ import annotations

import pytest
from positions import Position, Side, play
from rule_cases import Case, check, read
from targi_engine.goods import GOODS

PAIRS = tuple((give, get) for give in GOODS for get in GOODS if give != get)


def at(place: int, stock: str = "", **more: object) -> Position:
    """An action turn with an own Targi on a border card, and another one that keeps the turn open."""
    side = {key: value for key, value in more.items() if key in ("hand", "fresh", "display", "markers")}
    rest = {key: value for key, value in more.items() if key not in side}
    open_by = 7 if place != 7 else 2
    return Position(me=Side(stock=stock, targis=f"{place} {open_by}", **side), **rest)  # type: ignore[arg-type]


GOODS_CARDS = tuple(
    Case(pins=f"B4.1 border {place} gives {gain}", given=at(place), play=f"b{place}", gains=gain)
    for place, gain in ((2, "+1d"), (7, "+1d"), (3, "+1s"), (15, "+1s"), (6, "+1p"), (11, "+1p"))
)

NOBLE = (
    Case(
        pins="B4.2 the Noble plays the hand card for its cost",
        given=at(1, "2d 2s 2p 1g", hand="C1"),
        play="b1 row1",
        gains="-1d -1s -1g",
        then={"hand 0": "", "display 0": "C1", "tribe discard": ""},
    ),
    Case(
        pins="B4.2 the Noble discards the hand card",
        given=at(1, "2d 2s 2p 1g", hand="C1"),
        play="b1 discard",
        gains="",
        then={"hand 0": "", "display 0": "", "tribe discard": "C1"},
    ),
    Case(
        pins="B4.2 the hand card is played or discarded, not kept",
        given=at(1, "2d 2s 2p 1g", hand="C1"),
        play="b1",
        legal="row1 discard",
    ),
    Case(
        pins="B4.2 a card taken in this round cannot be played",
        given=at(1, "2d 2s 2p 1g", hand="C1", fresh=1),
        play="b1",
        then={"hand 0": "", "display 0": "", "tribe discard": "C1", "forced": "discard"},
    ),
    Case(
        pins="B4.2 a card that cannot be paid is discarded without a question",
        given=at(1, "9d 9s", hand="C1"),
        play="b1",
        then={"hand 0": "", "tribe discard": "C1", "forced": "discard"},
    ),
    Case(pins="B4.2 without a hand card the Noble is not offered", given=at(1, "9d"), legal="b7 end"),
    Case(
        pins="B4.2 a card taken from the centre is fresh for the rest of the round",
        given=at(1, "2d 2s 2p 1g", markers="1", centre={1: "C1"}),
        play="c1 take b1",
        then={"hand 0": "", "tribe discard": "C1", "forced": "discard"},
    ),
    Case(
        pins="B4.2 a card taken in the round before can be played",
        given=Position(
            me=Side(targis="2 7", markers="1"), other=Side(targis="3 6"), centre={1: "C1"}, round=4
        ),
        play="c1 take end end",
        decision="place",
        then={"hand 0": "C1", "fresh 0": 0},
    ),
)

TRADER = (
    *(
        Case(
            pins=f"B4.3 three {good} for a gold",
            given=at(5, f"3{good[0]}"),
            play=f"b5 3{good}>gold",
            gains=f"-3{good[0]} +1g",
        )
        for good in GOODS
    ),
    *(
        Case(
            pins=f"B4.3 two {give} for one {get}",
            given=at(5, f"2{give[0]}"),
            play=f"b5 2{give}>{get}",
            gains=f"-2{give[0]} +1{get[0]}",
        )
        for give, get in PAIRS
    ),
    Case(
        pins="B4.3 as many exchanges as wished in one visit",
        given=at(5, "4d 1s 1p"),
        play="b5 2dates>salt 2salt>pepper 2pepper>dates done",
        gains="-1d -1s -1p",
        legal="b7 end",
    ),
    Case(
        pins="B4.3 a visit begins with an exchange, done is offered after the first",
        given=at(5, "5d"),
        play="b5",
        legal="3dates>gold 2dates>salt 2dates>pepper",
    ),
    Case(
        pins="B4.3 the visit goes on as long as an exchange is open",
        given=at(5, "5d"),
        play="b5 3dates>gold",
        legal="2dates>salt 2dates>pepper done",
    ),
    Case(
        pins="B4.3 a visit has at most as many exchanges as goods were held when it began",
        given=at(5, "3d", display="K8"),
        play="b5 1dates>salt 1salt>dates 1dates>salt",
        decision="act",
        gains="-1d +1s",
    ),
    Case(
        pins="B4.3 two goods of one kind are the least, never one for another",
        given=at(5, "1d 1s 1p 3g"),
        legal="b7 end",
    ),
    Case(
        pins="B4.3 a good is not exchanged for the same good, gold for nothing",
        given=at(5, "2p 3g"),
        play="b5",
        legal="2pepper>dates 2pepper>salt",
    ),
)

MORGANA = (
    Case(
        pins="B4.4 a marker moves to any face-up centre card without a marker",
        given=Position(
            me=Side(targis="9 7", markers="4"), other=Side(targis="3", markers="0"), centre={2: "?2pepper"}
        ),
        play="b9",
        legal="c1 c3 c5 c6 c7 c8",
    ),
    Case(
        pins="B4.4 one of several own markers is chosen first",
        given=at(9, markers="1 4"),
        play="b9",
        legal="c1 c4",
        decision="marker",
    ),
    Case(
        pins="B4.4 the moved marker is used like any other, at a later point of the turn",
        given=at(9, markers="4", centre={8: "2pepper"}),
        play="b9 c8 b7 c8",
        gains="+1d +2p",
        then={"markers 0": "", "cell 4": "pepper"},
    ),
    Case(
        pins="B4.4 the cell that the marker left has none any more",
        given=at(9, markers="4"),
        play="b9 c8",
        legal="b7 c8 end",
        then={"markers 0": "8"},
    ),
    Case(pins="B4.4 without a marker left the card is not offered", given=at(9), legal="b7 end"),
    Case(
        pins="B4.4 without a target the card is not offered",
        given=at(
            9,
            markers="4",
            centre={
                0: "?dates", 1: "?C2", 2: "?salt", 3: "?C3", 5: "?O2", 6: "?2dates", 7: "?W2", 8: "?gold"
            },
        ),
        legal="b7 c4 end",
    ),
    Case(
        pins="B4.4 an empty cell is no target",
        given=at(9, markers="4", centre={0: "-", 8: "-"}),
        play="b9",
        legal="c1 c2 c3 c5 c6 c7",
    ),
)  # fmt: skip

SILVER_RATES = (
    *((f"2{good}>vp", f"2{good[0]} 1g", f"-2{good[0]} +1v") for good in GOODS),
    *((f"4{good}>3vp", f"4{good[0]}", f"-4{good[0]} +3v") for good in GOODS),
    ("gold>2vp", "1g 2d", "-1g +2v"),
    ("2gold>4vp", "2g", "-2g +4v"),
)

SILVER = (
    *(
        Case(pins=f"B4.5 {rate}", given=at(10, stock), play=f"b10 {rate}", gains=gains)
        for rate, stock, gains in SILVER_RATES
    ),
    Case(
        pins="B4.5 exactly one exchange a visit",
        given=at(10, "6d 3g"),
        play="b10 2dates>vp",
        legal="b7 end",
    ),
    Case(
        pins="B4.5 it cannot be left without an exchange",
        given=at(10, "4d 2s 2g"),
        play="b10",
        legal="2dates>vp 4dates>3vp 2salt>vp gold>2vp 2gold>4vp",
    ),
    Case(
        pins="B4.5 the goods are equal, and without enough the card is not offered",
        given=at(10, "1d 1s 1p"),
        legal="b7 end",
    ),
)

CARAVAN = (
    Case(
        pins="B4.6 the top goods card is gained and discarded",
        given=at(13, goods="2pepper vp", goods_discard="gold"),
        play="b13",
        gains="+2p",
        then={"goods discard": "gold 2pepper", "turned up": ""},
    ),
    Case(
        pins="B4.6 a good of choice of the turned-up card",
        given=at(13, goods="dates|salt|pepper"),
        play="b13 +salt",
        gains="+1s",
        then={"goods discard": "dates|salt|pepper"},
    ),
    Case(
        pins="B4.6 the card lies turned up while its gain is asked",
        given=at(13, goods="dates|salt|pepper"),
        play="b13",
        then={"turned up": "dates|salt|pepper", "goods discard": ""},
    ),
    Case(
        pins="B4.6 without a goods card the Caravan is not offered",
        given=at(13, goods_left=0),
        legal="b7 end",
    ),
)

TRIBAL_EXPANSION = (
    Case(
        pins="B4.7 the top tribe card is played for its cost",
        given=at(14, "1d 1s 1g", tribe="O2 K4"),
        play="b14 row1",
        gains="-1d -1s -1g",
        then={"display 0": "O2", "turned up": "", "tribe discard": ""},
    ),
    Case(
        pins="B4.7 it is taken while the hand is not full",
        given=at(14, tribe="O2 K4"),
        play="b14 take",
        gains="",
        then={"hand 0": "O2", "fresh 0": 1, "turned up": ""},
    ),
    Case(
        pins="B4.7 it can always be discarded",
        given=at(14, "9d 9s 9p 9g", tribe="O2 K4"),
        play="b14",
        legal="row1 take discard",
    ),
    Case(
        pins="B4.7 discarded it lies on the discard",
        given=at(14, tribe="O2 K4", tribe_discard="C7"),
        play="b14 discard",
        then={"tribe discard": "C7 O2", "hand 0": "", "turned up": ""},
    ),
    Case(
        pins="B4.7 with a full hand it is played or discarded",
        given=at(14, "9d 9s 9p 9g", hand="K4", tribe="O2"),
        play="b14",
        legal="row1 discard",
    ),
    Case(
        pins="B4.7 without a tribe card it is not offered",
        given=at(14, tribe_left=0),
        legal="b7 end",
    ),
)

CASES = (*GOODS_CARDS, *NOBLE, *TRADER, *MORGANA, *SILVER, *CARAVAN, *TRIBAL_EXPANSION)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_a_border_card(case: Case) -> None:
    check(case)


def test_a_card_taken_in_one_round_is_played_with_the_noble_of_the_next() -> None:
    """B4.2: fresh only in the round of taking."""
    given = Position(me=Side(targis="2 7", markers="1"), other=Side(targis="3 6"), centre={1: "C1"}, round=4)
    state = play(given.build(), "c1 take end b3 end")
    assert (state.round, state.current_seat) == (5, 1)
    play(state, "@5 @1 @7 @10 @13 @14 end b1 row1")
    assert (read(state, "hand 0"), read(state, "display 0")) == ("", "C1")


@pytest.mark.parametrize("place", [1, 5, 9, 10, 13, 14])
def test_the_own_targi_leaves_a_card_that_was_used(place: int) -> None:
    """B3.5: an action chosen is gone, whatever it brought."""
    given = Position(
        me=Side(stock="4d 4s 4p 4g", targis=f"{place} 7", markers="4", hand="C1"), other=Side(targis="3")
    )
    state = play(given.build(), f"b{place}")
    assert read(state, "targis 0") == "7"
