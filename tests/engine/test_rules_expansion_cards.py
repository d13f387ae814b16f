"""X6: tribe cards of the expansion."""

from __future__ import annotations

import pytest
from positions import Position, Side
from rule_cases import Case, check

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "markers", "targis", "used")
ROUND_OF = {4: 4, 8: 7, 12: 10, 16: 12}


def holding(display: str, stock: str = "", **more: object) -> Position:
    """An action turn with a display; `mixed`, so that cards of both sets may lie there."""
    side = {"targis": "7 2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"ruleset": "mixed", "other": OPEN, **more}
    return Position(me=Side(stock=stock, display=display, **side), **rest)  # type: ignore[arg-type]


def lay(card: str, stock: str, display: str = "", **more: object) -> Position:
    """A card in the centre under an own marker, with a full hand."""
    return holding(
        display, stock, **{"hand": "W2", "markers": "4", "centre": {4: card}, "targis": "7", **more}
    )


def raid(corner: int, stock: str, display: str = "", theirs: str = "1g", **side: str) -> Position:
    """A raid that the seat to move pays last."""
    return Position(
        ruleset="mixed",
        at="raid",
        robber=corner,
        round=ROUND_OF[corner],
        first=1,
        me=Side(stock=stock, display=display, **side),  # type: ignore[arg-type]
        other=Side(stock=theirs),
        dunes="D1 D2 D3",
    )


TOKENS = (
    Case(
        pins="X6.1 a token's effect is used at an act decision",
        given=holding("XK6"),
        play="b7 t:gain +salt +dates",
        gains="+2d +1s",
        lacks="t:gain",
    ),
    Case(pins="X6.1 once", given=holding("XK6", used="XK6"), legal="b7 b2 end"),
    Case(
        pins="X6.1 a token is put on the card when it is laid",
        given=lay("XK6", "1p 1g"),
        play="c4 row1 t:gain",
        decision="gain",
    ),
    Case(
        pins="X6.1 the opponent's token is nobody else's",
        given=Position(
            ruleset="mixed", me=Side(stock="", targis="7 2"), other=Side(display="XK6", targis="3")
        ),
        legal="b7 b2 end",
    ),
    Case(
        pins="X6.2 the owner may pay more and gain VP at once",
        given=lay("XC2", "2d 2s 2p", centre={n: "-" for n in range(9) if n != 4} | {4: "XC2"}),
        play="c4 row1 extra",
        gains="-2d -2s -2p +2v",
    ),
    Case(
        pins="X6.2 or pay the plain cost",
        given=lay("XC2", "2d 2s 2p", centre={n: "-" for n in range(9) if n != 4} | {4: "XC2"}),
        play="c4 row1",
        legal="extra plain",
        decision="optional",
    ),
    Case(
        pins="X6.2 only who can pay is asked",
        given=lay("XK9", "3d 3s"),
        play="c4 row1",
        gains="-2d -2s",
        then={"forced": "plain"},
    ),
    Case(
        pins="X6.2 the printed VP do not include them",
        given=lay("XK9", "2d 4s"),
        play="c4 row1 extra",
        then={"score 0": 2 + 2},
    ),
    Case(
        pins="X6.2 discounts do not touch the extra",
        given=lay("XK9", "3d 4s", "XC3 K6"),
        play="c4 row1 ~dates extra",
        gains="-1d -3s +2v",
    ),
    Case(
        pins="X6.2 XO6 pays no good of the extra",
        given=lay("XK9", "4d 1s", "XO6"),
        play="c4 row1",
        decision="give",
        then={"forced": "pay:any-goods plain"},
    ),
    Case(
        pins="X6.2 with XO6 the extra is paid as printed",
        given=lay("XK9", "4d 2s", "XO6"),
        play="c4 row1 pay:any-goods extra",
        gains="-4d -2s +2v",
    ),
)

FACING = (
    Case(
        pins="X6.3 XC6 allows a placement facing an opposing Targi",
        given=Position(ruleset="mixed", at="place", robber=2, me=Side(display="XC6"), other=Side(targis="1")),
        offers="@11",
    ),
    Case(
        pins="X6.3 not without its token",
        given=Position(
            ruleset="mixed", at="place", robber=2, me=Side(display="XC6", used="XC6"), other=Side(targis="1")
        ),
        lacks="@11",
    ),
    Case(
        pins="X6.3 the token is spent by the placement",
        given=Position(
            ruleset="mixed", at="place", robber=2, me=Side(display="XC6"), other=Side(targis="1 6"),
        ),
        play="@11 @3",
        lacks="@14",
    ),
    Case(
        pins="X6.3 not by a placement that needs none",
        given=Position(
            ruleset="mixed", at="place", robber=2, me=Side(display="XC6"), other=Side(targis="1 6"),
        ),
        play="@5 @3",
        offers="@14 @11",
    ),
    Case(
        pins="X6.3 who uses the shared card first has it, the other gets nothing",
        given=Position(
            ruleset="mixed", me=Side(stock="", targis="7", markers="3"), centre={3: "gold"},
            other=Side(stock="", targis="2 6", markers="3"),
        ),
        play="c3 b7",
        legal="b2 b6 end",
        then={"seat": 1, "markers 1": "3"},
    ),
    Case(
        pins="X6.3 the marker on the face-down card may still be moved",
        given=Position(
            ruleset="mixed", me=Side(stock="", targis="7", markers="3"), centre={3: "gold"},
            other=Side(stock="", targis="9 6", markers="3"),
        ),
        play="c3 b7 b9",
        legal="c0 c4 c6",
    ),
)  # fmt: skip

AT_RAIDS = (
    Case(
        pins="X6.4 XK4: raid 4 asks nothing, nothing is paid",
        given=raid(4, "3d 3v", "XK4"),
        then={"stock 0": "3d 3v"},
        decision="place",
    ),
    Case(
        pins="X6.4 XK4: of the named goods one of choice is spared",
        given=raid(8, "2d 2s 3v", "XK4"),
        play="pay:goods",
        legal="~dates ~salt",
        decision="save",
    ),
    Case(
        pins="X6.4 XK4: the rest goes by itself",
        given=raid(8, "2d 2s 3v", "XK4"),
        play="pay:goods ~dates",
        gains="-1s",
    ),
    Case(
        pins="X6.4 XK4: with what is held only the missing good is spared",
        given=raid(12, "1d 1s 3v", "XK4"),
        play="pay:goods",
        gains="-1d -1s",
        then={"forced": "~pepper"},
    ),
    Case(
        pins="X6.4 XK4: nothing off VP",
        given=raid(12, "1d 1s 3v", "XK4"),
        play="pay:vp",
        gains="-2v",
    ),
    Case(
        pins="X6.4 XK4: nothing off the gold of the fourth raid",
        given=raid(16, "1g", "XK4"),
        play="pay:gold",
        gains="-1g",
    ),
    Case(
        pins="X6.4 a demand that comes to nothing counts as paid",
        given=raid(4, "3d 3v", "XK4 T7"),
        then={"stock 0": "3d 4v"},
    ),
    Case(
        pins="X6.4 in the base border a good less of any kind",
        given=Position(
            ruleset="mixed", variants="border.12=base", at="raid", robber=12, round=10, first=1,
            me=Side(stock="3d 1s 3v", display="XK4"), other=Side(stock="1g"),
        ),
        play="pay:goods -dates -salt",
        gains="-1d -1s",
    ),
)  # fmt: skip

HANDS = (
    Case(
        pins="X6.5 XT5: two cards in the hand",
        given=holding("XT5", hand="K1", markers="4", centre={4: "O2"}),
        play="c4",
        then={"hand 0": "K1 O2", "forced": "take"},
    ),
    Case(
        pins="X6.5 not a third",
        given=holding("XT5", "1d 1s 1g", hand="K1 K2", markers="4", centre={4: "O2"}),
        play="c4",
        legal="row1 row2 discard",
    ),
    Case(
        pins="X6.5 the Noble asks which",
        given=holding("XT5", hand="K1 K2", targis="1 7"),
        play="b1",
        legal="h1 h2",
        decision="which",
    ),
    Case(
        pins="X6.5 h1 was taken first",
        given=holding("XT5", hand="K1 K2", targis="1 7"),
        play="b1 h1",
        then={"hand 0": "K2", "tribe discard": "K1"},
    ),
    Case(
        pins="X6.5 the Noble asks also if one can only be discarded",
        given=holding("XT5", "1p 1g", hand="K1 K2", fresh=1, targis="1 7"),
        play="b1 h2",
        then={"hand 0": "K1", "tribe discard": "K2", "forced": "discard"},
    ),
    Case(
        pins="X6.5 W8 offers the cards that can be played",
        given=holding("XT5 W8", "3d 1p 1g", hand="K1 K3"),
        play="hand",
        legal="row1 row2",
        then={"forced": "h1"},
    ),
    Case(
        pins="X6.6 XK3 plays the hand card without the Noble",
        given=holding("", "2d 3p 1g", hand="K1", markers="4", centre={4: "XK3"}, targis="7"),
        play="c4 row1 row1",
        gains="-2d -3p -1g",
        then={"display 0": "XK3 K1", "hand 0": ""},
    ),
    Case(
        pins="X6.6 also one taken in this round",
        given=holding("", "2d 3p 1g", hand="K1", fresh=1, markers="4", centre={4: "XK3"}, targis="7"),
        play="c4 row1",
        legal="row1 row2 done",
    ),
    Case(
        pins="X6.6 XK3 may be declined",
        given=holding("", "2d 3p 1g", hand="K1", markers="4", centre={4: "XK3"}, targis="7"),
        play="c4 row1 done",
        gains="-2d -2p",
        then={"display 0": "XK3", "hand 0": "K1"},
    ),
    Case(
        pins="X6.6 D6 must play it, also one taken in this round",
        given=holding("", "9d 9s 9p 1g", hand="K3", fresh=1, targis="7 d1", dunes="D6 - -"),
        play="d1 ~dates ~salt",
        gains="-1d -1s -1p",
        then={"display 0": "K3"},
    ),
)

CASES = (*TOKENS, *FACING, *AT_RAIDS, *HANDS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_cards_of_the_expansion(case: Case) -> None:
    check(case)
