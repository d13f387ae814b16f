"""X3 and X4: the Targia, and water."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check, read

OPEN = Side(targis="3 6")
CHOICE = "+dates +salt +pepper"


def turn(stock: str, *, other: Side = OPEN, **more: object) -> Position:
    """An action turn of the expansion; the seat stands on 7 and 2."""
    side = {"targis": "7 2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    return Position(ruleset="expansion", me=Side(stock=stock, **side), other=other, **more)  # type: ignore[arg-type]


SIDE = ("hand", "fresh", "display", "markers", "targis", "targia", "used", "got_goods")

TARGIA = (
    Case(
        pins="X3.1 she blocks nothing",
        given=Position(ruleset="expansion", at="place", robber=2, targia=14),
        offers="@14 @6",
    ),
    Case(
        pins="X3.1 whose Targi does not stand on her card does not use her",
        given=turn("1d", targia=False),
        lacks="targia",
    ),
    Case(
        pins="X3.1 she offers a good, or a goods card for a good",
        given=turn("1d", targia=True),
        play="targia",
        legal="targia:take targia:draw",
        decision="targia",
    ),
    Case(
        pins="X3.1 take a good of choice",
        given=turn("1d", targia=True),
        play="targia targia:take +salt",
        gains="+1s",
        lacks="targia",
    ),
    Case(
        pins="X3.1 pay a good, turn up a goods card and gain it",
        given=turn("1d 1s", targia=True, goods="2pepper", goods_discard="vp"),
        play="targia targia:draw -salt keep",
        gains="-1s +2p",
        lacks="targia",
        then={"goods discard": "vp 2pepper"},
    ),
    Case(
        pins="X3.1 or pay another good and turn up another instead",
        given=turn("2d", targia=True, goods="2pepper gold", goods_discard="vp"),
        play="targia targia:draw redraw",
        gains="-2d +1g",
        then={"goods discard": "vp 2pepper gold", "forced": "-dates keep"},
    ),
    Case(
        pins="X3.1 as often as wished, while there are goods",
        given=turn("4d", targia=True, goods="2pepper gold 2salt"),
        play="targia targia:draw redraw redraw",
        legal="keep redraw",
        gains="-3d",
        then={"turned up": "2salt"},
    ),
    Case(
        pins="X3.1 without a good only the taking is open",
        given=turn("", targia=True),
        play="targia",
        legal=CHOICE,
        then={"forced": "targia:take"},
    ),
    Case(
        pins="X3.1 before or after the card's own action",
        given=turn("", targia=True),
        play="b7 targia targia:take +salt",
        gains="+1d +1s",
    ),
    Case(
        pins="X3.1 the card's own action may be skipped",
        given=turn("", targia=True),
        play="targia +salt end",
        gains="+1s",
        then={"seat": 1},
    ),
    Case(
        pins="X3.1 she is used once",
        given=turn("5d", targia=True),
        play="targia targia:take +salt",
        legal="b7 b2 end",
    ),
    Case(
        pins="X3.1 with XT3 the other option stays open",
        given=turn("1d", targia=True, display="XT3", goods="2pepper"),
        play="targia targia:take +salt targia -dates keep",
        gains="-1d +1s +2p",
        lacks="targia",
    ),
    Case(
        pins="X3.1 with XT3 each option is open once",
        given=turn("5d", targia=True, display="XT3", goods="2pepper"),
        play="targia targia:draw keep targia",
        legal=CHOICE,
    ),
    Case(
        pins="X3.1 XT1 gives one option, which must be used",
        given=turn("2d 2s 1p", hand="XO1", markers="0", centre={0: "XT1"}),
        play="c0 row1",
        legal="targia:take targia:draw",
    ),
)

WATER = (
    Case(
        pins="X4.1 at most ten water at the end of the turn, the rest goes by itself",
        given=turn("12w"),
        play="end",
        gains="-2w",
        then={"seat": 1},
    ),
    Case(
        pins="X4.1 water is not a good",
        given=turn("10d 10w"),
        play="end",
        gains="",
        then={"seat": 1},
    ),
    Case(
        pins="X4.1 no good is exchanged for end",
        given=turn("14w", display="XW6"),
        play="end",
        gains="",
        then={"seat": 1},
    ),
    Case(
        pins="X4.1 water pays no goods at the Silversmith",
        given=turn("1d 1w", targis="10 7"),
        legal="b7 end",
    ),
    Case(pins="X4.2 two water for a date", given=turn("2w"), play="water>dates", gains="-2w +1d"),
    Case(pins="X4.2 two water for a salt", given=turn("2w"), play="water>salt", gains="-2w +1s"),
    Case(pins="X4.2 two water for a pepper", given=turn("2w"), play="water>pepper", gains="-2w +1p"),
    Case(pins="X4.2 three water for a gold", given=turn("3w"), play="water>gold", gains="-3w +1g"),
    Case(pins="X4.2 not with less", given=turn("2w"), lacks="water>gold"),
    Case(pins="X4.2 nor with one", given=turn("1w"), legal="b7 b2 end"),
    Case(
        pins="X4.2 again and again",
        given=turn("7w"),
        play="water>dates water>dates water>gold",
        gains="-7w +2d +1g",
    ),
    Case(
        pins="X4.2 with water a turn goes on without a figure",
        given=turn("2w", targis=""),
        legal="water>dates water>salt water>pepper end",
    ),
)


def raid(corner: int, stock: str, theirs: str = "9d 1g", **side: str) -> Position:
    """A raid of the expansion that the seat to move pays last."""
    return Position(
        ruleset="expansion",
        at="raid",
        robber=corner,
        round={4: 4, 8: 7, 12: 10, 16: 12}[corner],
        first=1,
        me=Side(stock=stock, **side),  # type: ignore[arg-type]
        other=Side(stock=theirs),
        dune_deck="D1 D2 D3",
    )


AT_RAIDS = (
    Case(
        pins="X4.4 water may be exchanged at a raid",
        given=raid(4, "1d 2w"),
        play="water>salt",
        gains="-1d -2w +1s",
        then={"forced": "pay:goods"},
    ),
    Case(
        pins="X4.4 while the raid stays payable after it",
        given=raid(4, "3w"),
        play="",
        then={"stock 0": "1w", "forced": "water>dates pay:goods"},
    ),
    Case(
        pins="X4.4 perhaps by further exchanges",
        given=raid(8, "4w"),
        play="water>salt",
        then={"stock 0": "", "forced": "water>dates pay:goods"},
    ),
    Case(
        pins="X4.4 an exchange that makes it unpayable is not offered",
        given=raid(12, "1d 4w 1v"),
        legal="water>salt water>pepper",
    ),
    Case(
        pins="X4.4 who cannot pay even so falls under B6.3",
        given=raid(8, "3w"),
        then={"stock 0": "3w", "stock 1": "9d 1g 1v"},
    ),
    Case(
        pins="X4.4 the well is not used at a raid",
        given=raid(4, "1d 1v 1w", display="XW4"),
        legal="pay:goods pay:vp",
    ),
    Case(
        pins="X4.4 the fourth raid too",
        given=raid(16, "3w"),
        then={"stock 0": "", "forced": "water>gold pay:gold", "over": True},
    ),
    Case(
        pins="X4.4 at the fourth raid the card pays as well",
        given=raid(16, "3w", display="XW4"),
        legal="water>dates water>salt water>pepper water>gold pay:card",
    ),
)


@pytest.mark.parametrize("case", (*TARGIA, *WATER, *AT_RAIDS), ids=lambda case: case.pins)
def test_targia_and_water(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("held", "vp"), [("", 0), ("1w", 0), ("2w", 1), ("9w", 4)], ids=["X4.3 0", "X4.3 1", "X4.3 2", "X4.3 9"]
)
def test_water_scores_at_the_end(held: str, vp: int) -> None:
    found = turn(held).build().outcome().breakdown[0]
    assert (found.water, found.total) == (vp, vp)


def test_who_uses_the_targia_is_fixed_at_the_end_of_placement() -> None:
    """X3.1: whose Targi stands on her card, for the rest of the round."""
    given = Position(
        ruleset="expansion", at="place", first=1, robber=4, targia=14, me=Side(stock="", targis="1 5"),
        other=Side(stock="", targis="3 9 13"),
    )  # fmt: skip
    state = play(given.build(), "@14")
    assert (state.players[0].targia, state.players[1].targia) == (True, False)
    play(state, "end")
    assert "targia" in legal(state)
    play(state, "targia +dates b14 discard")
    assert read(state, "seat") == 0
    assert "targia" not in legal(state)


def test_nobody_uses_the_targia_on_a_corner() -> None:
    """X3.1: no Targi stands there."""
    given = Position(
        ruleset="expansion", variants="targia_on_corners=yes", at="place", first=1, robber=5, targia=12,
        me=Side(stock="", targis="1 10"), other=Side(stock="", targis="3 9 13"),
    )  # fmt: skip
    state = play(given.build(), "@14")
    assert [player.targia for player in state.players] == [False, False]


def test_a_round_later_the_targia_is_open_anew() -> None:
    """X3.1: once a round."""
    given = turn("", targia=True, round=4)
    state = play(given.build(), "targia +salt end end")
    assert [player.targia_used for player in state.players] == [0, 0]
