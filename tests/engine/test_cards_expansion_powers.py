"""The lasting effects, tokens and end effects of the expansion's tribe cards."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check, read

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "markers", "targis", "used", "targia")


def holding(display: str, stock: str = "", **more: object) -> Position:
    """An action turn with a display; the seat stands on 7 and 2."""
    side = {"targis": "7 2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"ruleset": "mixed", "other": OPEN, **more}
    return Position(me=Side(stock=stock, display=display, **side), **rest)  # type: ignore[arg-type]


def raid(stock: str, display: str) -> Position:
    """The raid before round 4, which the seat to move pays last."""
    return Position(
        ruleset="mixed", at="raid", robber=4, round=4, first=1, me=Side(stock=stock, display=display),
        other=Side(), dunes="D1 D2 D3",
    )  # fmt: skip


LASTING = (
    Case(
        pins="XC4 gives a good after a dune",
        given=holding("XC4", targis="7 d1", dunes="D2 - -"),
        play="d1 +salt",
        gains="+6w +1s",
    ),
    Case(
        pins="XC4 gives nothing for a border card or a skipped dune",
        given=holding("XC4", targis="7 d1", dunes="D2 - -"),
        play="b7 end",
        gains="+1d",
        then={"seat": 1},
    ),
    Case(
        pins="XC5 lets its owner join a dune",
        given=Position(
            ruleset="mixed", at="place", robber=2, dunes="D1 D2 -", me=Side(targis="7", display="XC5"),
            other=Side(targis="d2"),
        ),
        offers="@d2",
    ),
    Case(
        pins="XC5 does not let two own Targis stand on a dune",
        given=Position(
            ruleset="mixed", at="place", robber=2, dunes="D1 D2 -", me=Side(targis="d2", display="XC5"),
            other=Side(targis="7"),
        ),
        lacks="@d2",
    ),
    Case(
        pins="XT3 opens both options of the Targia",
        given=holding("XT3", "1d", targia=True, goods="2pepper"),
        play="targia targia:take +dates",
        offers="targia",
    ),
    Case(
        pins="XT3 opens nothing where she does not stand",
        given=holding("XT3", "1d", targia=False),
        lacks="targia",
    ),
    Case(
        pins="XT5 makes room for a second hand card",
        given=holding("XT5", hand="K1", markers="4", centre={4: "O2"}),
        play="c4",
        then={"hand 0": "K1 O2"},
    ),
    Case(
        pins="XT5 makes room for its owner only",
        given=Position(
            ruleset="mixed", me=Side(stock="", hand="K1", markers="4", targis="7"), centre={4: "O2"},
            other=Side(display="XT5", targis="3"),
        ),
        play="c4",
        then={"hand 0": "K1", "tribe discard": "O2"},
    ),
    Case(pins="XO4 adds a water to a card of dates", given=holding("XO4"), play="b7", gains="+1d +1w"),
    Case(
        pins="XO4 adds nothing to a card of salt or to dates from elsewhere",
        given=holding("XO4", targis="3 7", markers="0", centre={0: "2dates"}, other=Side(targis="6")),
        play="b3 c0",
        gains="+1s +2d",
    ),
    Case(
        pins="XO5 swaps one good as the first exchange of a visit",
        given=holding("XO5", "1d", targis="5 7"),
        play="b5 1dates>salt",
        gains="-1d +1s",
    ),
    Case(
        pins="X6.7 XO5 swaps none after the first exchange",
        given=holding("XO5", "4d 1s", targis="5 7"),
        play="b5 2dates>salt",
        legal="2dates>salt 2dates>pepper 2salt>dates 2salt>pepper done",
    ),
    Case(
        pins="XW4 exchanges a water for a good",
        given=holding("XW4", "1w"),
        play="well>pepper",
        gains="-1w +1p",
    ),
    Case(
        pins="XW4 once a turn, and not without water",
        given=holding("XW4", "2w"),
        play="well>pepper",
        legal="b7 b2 end",
    ),
    Case(
        pins="XW5 adds a water to the Water Hole",
        given=holding("XW5", targis="13 7"),
        play="b13",
        gains="+4w",
    ),
    Case(
        pins="XW5 adds nothing to water from elsewhere",
        given=holding("XW5", targis="7", markers="0", centre={0: "4water"}),
        play="c0",
        gains="+4w",
    ),
    Case(pins="XW6 keeps fifteen water", given=holding("XW6", "16w"), play="end", gains="-1w"),
    Case(pins="XW6 keeps no more goods", given=holding("XW6", "11d"), play="end", gains="-1d"),
    Case(
        pins="XK4 spares a good of a raid",
        given=raid("1d 3v", "XK4"),
        then={"stock 0": "1d 3v"},
        decision="place",
    ),
    Case(pins="XK4 spares nothing off VP", given=raid("1d 3v", "K1"), play="pay:vp", gains="-1v"),
    Case(pins="XK5 keeps thirteen goods", given=holding("XK5", "14d"), play="end", gains="-1d"),
    Case(pins="XK5 keeps no more gold or water", given=holding("XK5", "4g 11w"), play="end", gains="-1g -1w"),
)  # fmt: skip

TOKENS = (
    Case(
        pins="XC6 lets a Targi face an opposing one",
        given=Position(ruleset="mixed", at="place", robber=2, me=Side(display="XC6"), other=Side(targis="6")),
        offers="@14",
    ),
    Case(
        pins="XC6 lets none onto an occupied card",
        given=Position(ruleset="mixed", at="place", robber=2, me=Side(display="XC6"), other=Side(targis="6")),
        lacks="@6 @2",
    ),
    Case(
        pins="XT6 moves a marker to any open card",
        given=holding("XT6", markers="0", centre={8: "2dates"}),
        play="t:move_marker c8",
        then={"markers 0": "8"},
        lacks="t:move_marker",
    ),
    Case(pins="XT6 is not offered without a marker", given=holding("XT6"), lacks="t:move_marker"),
    Case(
        pins="XT7 uses a border card without a Targi",
        given=holding("XT7", targis="7", other=Side(targis="3 6")),
        play="t:free_border_card b13",
        gains="+3w",
        lacks="t:free_border_card",
    ),
    Case(
        pins="XT7 uses neither an occupied card nor the Robber's nor a corner",
        given=holding("XT7", "2d", targis="7", other=Side(targis="3 6"), robber=13, markers="4"),
        play="t:free_border_card",
        legal="b2 b5 b9 b10 b11 b14 b15",
    ),
    Case(
        pins="X6.7 XT7: a card whose Targi was executed can be used",
        given=holding("XT7", targis="7 2"),
        play="b7 t:free_border_card b7",
        gains="+2d",
    ),
    Case(
        pins="X6.7 XT7: as on a visit, with XO4, XW5, K7, K8, XO5",
        given=holding("XT7 XO4 XW5", targis="2"),
        play="t:free_border_card b7",
        gains="+1d +1w",
    ),
    Case(
        pins="X6.7 XT7 at the Noble with K7",
        given=holding("XT7 K7", "1p", hand="K5"),
        play="t:free_border_card b1 row1",
        gains="-1p",
        then={"display 0": "XT7 K7 K5"},
    ),
    Case(
        pins="XK6 gives two goods of choice",
        given=holding("XK6"),
        play="t:gain +salt +salt",
        gains="+2s",
        lacks="t:gain",
    ),
    Case(pins="XK6 whose token is used gives none", given=holding("XK6", used="XK6"), lacks="t:gain"),
)

ENDS = (
    ("XC7 scores a VP for two Camel Rider cards", "XC7 C1", "", 1),
    ("XC7 scores nothing for one", "XC7 K1", "", 0),
    ("XC8 scores a VP for three cards that print one VP", "XC8 C7 T6 O5", "", 1),
    ("XC8 counts no card of two", "XC8 C7 T6 C2", "", 0),
    ("XC8 counts a displayed dune, X6.7", "XC8 C7 T6 D10:well", "", 1),
    ("XC9 scores a VP for a row of four different symbols", "XC9 K1 T1 O1", "", 1),
    ("XC9 scores nothing for a row of one symbol", "XC9 C1 C2 C3", "", 0),
    ("XC9 counts as an effect besides the row, X6.7", "XC9 K1 T1 O1/C1 K2 T2 O2", "", 2),
    ("XT8 scores a VP for two Targia cards", "XT8 T1", "", 1),
    ("XT8 scores nothing for one", "XT8 K1", "", 0),
    ("XT9 scores a VP for two permanent cards", "XT9 T6 W8", "", 1),
    ("XT9 counts no token, stored or end card, X6.7", "XT9 T6 W9 XK6/C4", "", 0),
    ("XO7 scores a VP for two Oasis cards", "XO7 O1", "", 1),
    ("XO7 scores nothing for one", "XO7 K1", "", 0),
    ("XO8 scores a VP for three goods", "XO8", "1d 1s 1p", 1),
    ("XO8 counts no gold and no water", "XO8", "2d 3g 1w", 0),
    ("XO9 scores a VP for a complete row", "XO9 K1 K2 C1", "", 1),
    ("XO9 scores nothing for three cards", "XO9 K1 K2", "", 0),
    ("XW8 scores a VP for two Well cards", "XW8 W1", "", 1),
    ("XW8 scores nothing for one", "XW8 K1", "", 0),
    ("XW9 scores a VP for three water", "XW9", "3w", 1),
    ("XW9 scores nothing for two water and goods", "XW9", "2w 3d", 0),
    ("XK7 scores a VP for two Camp cards", "XK7 K1", "", 1),
    ("XK7 scores nothing for one", "XK7 C1", "", 0),
    ("XK8 scores two VP for all five symbols", "XK8 C1 T1 O1/W1", "", 2),
    ("XK8 scores nothing for four", "XK8 C1 T1 O1/C2", "", 0),
    ("XK9 scores a VP for every gold", "XK9", "2g", 2),
    ("XK9 counts no gold on a card", "XK9 W9", "", 0),
)


@pytest.mark.parametrize("case", (*LASTING, *TOKENS), ids=lambda case: case.pins)
def test_an_effect(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("display", "held", "vp"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_an_effect_at_the_end(display: str, held: str, vp: int) -> None:
    assert holding(display, held).build().outcome().breakdown[0].effects == vp


def test_xc2_counts_the_goods_that_it_gives() -> None:
    """XC2: a goods card gained by it serves B9.2."""
    given = Position(
        ruleset="mixed",
        me=Side(stock="2s 2p", display="T8", hand="W2", targis="7", markers="4"),
        other=OPEN,
        centre={4: "XC2", 0: "2dates", 2: "gold"},
    )
    state = play(given.build(), "c4 row1 c0")
    assert read(state, "stock 0") == "3d"
    assert "c0" not in legal(state)
