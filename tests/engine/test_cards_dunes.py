"""The ten dunes and the ten border cards of the expansion."""

from __future__ import annotations

import pytest
from positions import Position, Side
from rule_cases import Case, check

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "display", "markers", "targis", "used")


def dune(name: str, stock: str = "", **more: object) -> Position:
    """An action turn with Targis on 7 and on the dune."""
    side = {"targis": "7 d1", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"ruleset": "mixed", "other": OPEN, "dunes": f"{name} - -", **more}
    return Position(me=Side(stock=stock, **side), **rest)  # type: ignore[arg-type]


def at(place: int, stock: str = "", **more: object) -> Position:
    """An action turn with Targis on a border card and on 7."""
    return dune("D1", stock, **{"targis": f"{place} 7", **more})


DUNES = (
    Case(pins="D1 gives a date, a salt and a pepper", given=dune("D1"), play="d1", gains="+1d +1s +1p"),
    Case(pins="D2 gives six water", given=dune("D2"), play="d1", gains="+6w"),
    Case(pins="D3 gives a gold and a water", given=dune("D3"), play="d1", gains="+1g +1w"),
    Case(pins="D4 gives two VP", given=dune("D4"), play="d1", gains="+2v"),
    Case(
        pins="D5 turns up three goods cards, gains two and discards all three",
        given=dune("D5", goods="2pepper gold 3water vp", goods_discard="dates"),
        play="d1 leave2",
        gains="+2p +3w",
        then={"goods discard": "dates 2pepper gold 3water"},
    ),
    Case(
        pins="D5 offers the first of two equal cards to leave",
        given=dune("D5", goods="gold 2pepper gold"),
        play="d1",
        legal="leave1 leave2",
    ),
    Case(
        pins="D5 gains in the order of turning up",
        given=dune("D5", goods="dates|salt|pepper gold 2pepper"),
        play="d1 leave2",
        legal="+dates +salt +pepper",
        then={"turned up": "dates|salt|pepper gold 2pepper"},
    ),
    Case(
        pins="D5 serves B9.2",
        given=dune("D5", display="C8", goods="2pepper gold pepper"),
        play="d1 leave2",
        gains="+4p",
    ),
    Case(
        pins="D6 plays the hand card with two goods less",
        given=dune("D6", "2d 1s 1p", hand="W3"),
        play="d1 ~pepper ~pepper",
        gains="-2d -1s",
        then={"display 0": "W3", "dune discard": "D6"},
    ),
    Case(pins="D6 takes nothing off gold", given=dune("D6", "9d", hand="C5"), lacks="d1"),
    Case(
        pins="D7 uses a border card without a Targi and gives a water",
        given=dune("D7", targis="7 2 d1"),
        play="d1 b11",
        gains="+1p +1w",
    ),
    Case(
        pins="D7 uses no occupied card and not the Robber's",
        given=dune("D7", robber=13),
        play="d1",
        legal="b2 b11 b14 b15",
    ),
    Case(
        pins="D8 uses an open goods card as if a marker stood there",
        given=dune("D8", centre={1: "2dates", 3: "gold"}, tribe="XK8"),
        play="d1 c1",
        gains="+2d",
        then={"cell 1": "?XK8", "goods discard": "2dates"},
    ),
    Case(
        pins="D8 uses none with a marker",
        given=dune("D8", centre={1: "2dates", 3: "gold"}, other=Side(targis="3", markers="3")),
        play="d1",
        lacks="c3",
        offers="c1",
    ),
    Case(pins="D9 gives two VP for two water", given=dune("D9", "5w"), play="d1 2water>2vp", gains="-2w +2v"),
    Case(
        pins="D9 gives four VP for four water", given=dune("D9", "5w"), play="d1 4water>4vp", gains="-4w +4v"
    ),
    Case(
        pins="D9 is used once",
        given=dune("D9", "9w"),
        play="d1 4water>4vp",
        gains="-4w +4v",
        decision="act",
        lacks="d1",
    ),
    Case(
        pins="D10 becomes a displayed card of a VP for three goods",
        given=dune("D10", "1d 1s 1p"),
        play="d1 -dates -salt sym:targia",
        gains="-1d -1s -1p",
        then={"display 0": "D10:targia", "score 0": 1},
    ),
    Case(
        pins="D10: row, three goods, symbol",
        given=dune("D10", "3d 1s", display="K1"),
        play="d1",
        legal="row1 row2",
        decision="card",
    ),
    Case(pins="D10 needs a free place", given=dune("D10", "2d"), lacks="d1"),
)

BORDER = (
    Case(
        pins="border card 1: discarding a hand card brings a water and a good",
        given=at(1, hand="XK8"),
        play="b1 +salt",
        gains="+1w +1s",
        then={"tribe discard": "XK8"},
    ),
    Case(
        pins="border card 1: playing it brings nothing",
        given=at(1, "1d 1p", hand="K5"),
        play="b1 row1",
        gains="-1d -1p",
        decision="act",
    ),
    Case(
        pins="border card 5: three equal goods for a gold",
        given=at(5, "3d"),
        play="b5 3dates>gold",
        gains="-3d +1g",
    ),
    Case(
        pins="border card 9: a marker moves to a neighbour along an edge",
        given=at(9, markers="0"),
        play="b9",
        legal="c1 c3",
    ),
    Case(
        pins="border card 9: only markers with such a neighbour are offered",
        given=at(9, markers="0 8", centre={1: "?2dates", 3: "?gold"}),
        play="b9",
        legal="c5 c7",
        then={"forced": "c8"},
    ),
    Case(
        pins="border card 10: two goods of any kind for a VP",
        given=at(10, "1d 1s"),
        play="b10",
        legal="-dates -salt",
        then={"forced": "2any>vp"},
    ),
    Case(
        pins="border card 10: four goods of any kind for 3 VP",
        given=at(10, "2d 1s 1p"),
        play="b10 4any>3vp -dates -dates -salt",
        gains="-2d -1s -1p +3v",
    ),
    Case(
        pins="border card 10: gold as in the base game",
        given=at(10, "2g"),
        play="b10 2gold>4vp",
        gains="-2g +4v",
    ),
    Case(
        pins="border card 10: the VP come after the last good",
        given=at(10, "2d 2s"),
        play="b10 2any>vp -dates",
        gains="-1d",
        decision="give",
    ),
    Case(pins="border card 13: three water", given=at(13), play="b13", gains="+3w"),
    Case(
        pins="border card 14: for a water the next card",
        given=at(14, "2w", tribe="XK8 XO4"),
        play="b14 reject",
        gains="-1w",
        legal="take discard reject",
        then={"turned up": "XO4", "tribe discard": "XK8"},
    ),
    Case(
        pins="border card 14: not without water",
        given=at(14, tribe="XK8 XO4"),
        play="b14",
        legal="take discard",
    ),
)


def raid(corner: int, stock: str, display: str = "") -> Position:
    """A raid that the seat to move pays last."""
    return Position(
        ruleset="mixed",
        at="raid",
        robber=corner,
        round={4: 4, 8: 7, 12: 10, 16: 12}[corner],
        first=1,
        me=Side(stock=stock, display=display),
        other=Side(stock=""),
    )


RAIDS = (
    Case(
        pins="border card 4: a date",
        given=raid(4, "1d 1s 9v"),
        play="pay:goods",
        gains="-1d",
    ),
    Case(
        pins="border card 8: a date and a salt, by themselves",
        given=raid(8, "2d 2s 9v"),
        play="pay:goods",
        gains="-1d -1s",
    ),
    Case(
        pins="border card 12: one of each good",
        given=raid(12, "2d 2s 2p 9v"),
        play="pay:goods",
        gains="-1d -1s -1p",
    ),
    Case(
        pins="border card 4: other goods do not pay it",
        given=raid(4, "9s 9p"),
        then={"stock 0": "9s 9p", "stock 1": "1v"},
    ),
    Case(
        pins="border card 12: two VP pay it",
        given=raid(12, "3d 3s 3p 3v"),
        play="pay:vp",
        gains="-2v",
    ),
    Case(
        pins="border card 16: a gold or a tribe card",
        given=raid(16, "1g 9v", "K1"),
        legal="pay:gold pay:card",
    ),
)


@pytest.mark.parametrize("case", (*DUNES, *BORDER, *RAIDS), ids=lambda case: case.pins)
def test_a_card(case: Case) -> None:
    check(case)
