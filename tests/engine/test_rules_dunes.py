"""X5: dunes."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check, read

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "display", "markers", "targis", "used")


def on_dune(dune: str, stock: str = "", **more: object) -> Position:
    """An action turn with a Targi on the dune in slot 2 and one on 7."""
    side = {"targis": "7 d2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"dunes": f"- {dune} -", "other": OPEN, **more}
    return Position(ruleset="expansion", me=Side(stock=stock, **side), **rest)  # type: ignore[arg-type]


PLACING = (
    Case(
        pins="X5.1 a Targi may go on a face-up dune",
        given=Position(ruleset="expansion", at="place", robber=2, dunes="D1 - D3"),
        offers="@d1 @d3",
        lacks="@d2",
    ),
    Case(
        pins="X5.1 not on one that holds a Targi",
        given=Position(
            ruleset="expansion", at="place", robber=2, dunes="D1 D2 D3", me=Side(targis="d1"),
            other=Side(targis="d2"),
        ),
        offers="@d3",
        lacks="@d1 @d2",
    ),
    Case(
        pins="X5.1 dunes cast no line, several own Targis may stand on several",
        given=Position(
            ruleset="expansion", at="place", robber=4, first=1, dunes="D1 D2 D3",
            me=Side(targis="5 d1"), other=Side(targis="3 9 13"),
        ),
        play="@d3",
        then={"targis 0": "5 d1 d3", "markers 0": "", "markers 1": "8"},
    ),
)  # fmt: skip

USING = (
    Case(
        pins="X5.2 a dune is used once, then it is discarded",
        given=on_dune("D2"),
        play="d2",
        gains="+6w",
        lacks="d2",
        then={"dunes": "- - -", "dune discard": "D2", "targis 0": "7"},
    ),
    Case(
        pins="X5.2 skipped it is discarded at the end of the turn, and the Targi stays",
        given=on_dune("D2"),
        play="end",
        gains="",
        then={"dunes": "- - -", "dune discard": "D2", "targis 0": "7 d2", "seat": 1},
    ),
    Case(
        pins="X5.2 a dune on which nobody stands stays",
        given=on_dune("D2", dunes="D1 D2 -"),
        play="d2 b7",
        then={"dunes": "D1 - -"},
    ),
    Case(pins="X5.2 D6 is not offered without a hand card", given=on_dune("D6", "9d"), lacks="d2"),
    Case(pins="X5.2 nor with one that cannot be paid", given=on_dune("D6", "1s", hand="XC8"), lacks="d2"),
    Case(
        pins="X5.2 D8 is not offered without an open goods card",
        given=on_dune("D8", centre=dict.fromkeys(range(9), "-")),
        lacks="d2",
    ),
    Case(pins="X5.2 D9 is not offered without two water", given=on_dune("D9", "1w"), lacks="d2"),
    Case(pins="X5.2 D10 is not offered without three goods", given=on_dune("D10", "1d 1s 9w 9g"), lacks="d2"),
    Case(
        pins="X5.2 D7 is not offered without a border card that can be used",
        given=on_dune("D7", robber=3, targis="2 7 11 15 d2 d1", other=Side(targis="6 13 14"), tribe_left=0),
        lacks="d2",
    ),
    Case(
        pins="X5.2 D9 must be used once chosen",
        given=on_dune("D9", "4w"),
        play="d2",
        legal="2water>2vp 4water>4vp",
    ),
    Case(
        pins="X5.2 D8 must be used once chosen",
        given=on_dune("D8", centre={1: "gold", 3: "2dates"}, other=Side(targis="3 6", markers="1")),
        play="d2",
        decision="cell",
        offers="c3",
        lacks="c1 end",
    ),
)

JOINT = (
    Case(
        pins="X5.3 XC5 lets its owner join an opposing Targi on a dune",
        given=Position(
            ruleset="expansion", at="place", robber=2, dunes="D1 D2 -", me=Side(targis="d1 7", display="XC5"),
            other=Side(targis="d2 6"),
        ),
        offers="@d2",
        lacks="@d1",
    ),
    Case(
        pins="X5.3 but not the opponent",
        given=Position(
            ruleset="expansion", at="place", robber=2, dunes="D1 D2 -", me=Side(targis="d1 7"),
            other=Side(targis="d2 6", display="XC5"),
        ),
        lacks="@d2",
    ),
    Case(
        pins="X5.3 both use the dune, the first leaves it there",
        given=on_dune("D2", other=Side(stock="", targis="3 d2", display="XC5")),
        play="d2 b7 end",
        gains="+1d +6w",
        offers="d2",
        then={"dunes": "- D2 -", "dune discard": "", "seat": 1},
    ),
    Case(
        pins="X5.3 it is discarded after the second player's turn",
        given=on_dune("D2", other=Side(stock="", targis="3 d2", display="XC5"), round=4, dunes="D1 D2 -"),
        play="d2 b7 end d2 b3 end",
        theirs="+1s +6w",
        decision="place",
        then={"dunes": "D1 - -", "dune discard": "D2"},
    ),
    Case(
        pins="X5.3 it lies there until then although nobody used it",
        given=on_dune("D2", other=Side(stock="", targis="3 d2", display="XC5"), dunes="D1 D2 -"),
        play="end end",
        decision="place",
        then={"dunes": "D1 - -", "dune discard": "D2"},
    ),
    Case(
        pins="X5.3 a dune for the display goes to the first, the other gets nothing",
        given=on_dune("D10", "3d", other=Side(stock="3d", targis="3 d2", display="XC5")),
        play="d2 sym:well b7",
        lacks="d2",
        theirs="",
        then={"display 0": "D10:well", "dunes": "- - -", "seat": 1},
    ),
)  # fmt: skip

DISPLAYED = (
    Case(
        pins="X5.5 a displayed dune takes a place, for three goods of any kind",
        given=on_dune("D10", "2d 2s", display="XO1"),
        play="d2 row1 -dates -dates sym:camp",
        gains="-2d -1s",
        then={"display 0": "XO1 D10:camp", "dune discard": "", "dunes": "- - -"},
    ),
    Case(
        pins="X5.5 its goods are a price: no discount touches them",
        given=on_dune("D10", "2d", display="XC3 XT4 XO3"),
        lacks="d2",
    ),
    Case(
        pins="X5.5 it has a symbol",
        given=on_dune("D10", "3d", display="XC1 XC2 XC4"),
        play="d2 row1 sym:camel_rider",
        then={"score 0": 1 + 2 + 1 + 1 + 4},
    ),
    Case(
        pins="X5.5 it may be the twelfth card",
        given=Position(
            ruleset="expansion", first=1, dunes="- D10 -", other=Side(),
            me=Side(stock="3d", targis="7 d2", display="XC1 XC2 XC3 XC4/XT1 XT2 XT3 XT4/XO1 XO2 XO3"),
        ),
        play="d2 sym:oasis +dates end",
        then={"over": True, "display 0": "XC1 XC2 XC3 XC4/XT1 XT2 XT3 XT4/XO1 XO2 XO3 D10:oasis"},
    ),
    Case(
        pins="X5.5 it is lost at the fourth raid to the dune discard",
        given=Position(
            ruleset="expansion", at="raid", round=12, robber=16, first=1,
            me=Side(stock="", display="D10:oasis"),
            other=Side(),
        ),
        then={"display 0": "", "dune discard": "D10", "over": True},
    ),
    Case(
        pins="X5.6 XC4 brings its good after the dune's effect",
        given=on_dune("D9", "4w", display="XC4"),
        play="d2 4water>4vp",
        decision="gain",
        gains="-4w +4v",
    ),
    Case(
        pins="X5.6 also when XC4 was laid by that very dune",
        given=on_dune("D6", "1d 1s 1p", hand="XC4"),
        play="d2 ~dates ~salt +pepper",
        gains="",
        then={"display 0": "XC4", "hand 0": ""},
    ),
    Case(
        pins="X5.6 D7: the border card's action first, then its water",
        given=on_dune("D7", hand="XO1"),
        play="d2 b1",
        decision="gain",
        gains="+1w",
        then={"hand 0": "", "forced": "discard"},
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", (*PLACING, *USING, *JOINT, *DISPLAYED), ids=lambda case: case.pins)
def test_a_dune(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("slot", [1, 2, 3])
def test_a_dune_that_both_were_placed_on_serves_both(slot: int) -> None:
    """X5.3: whichever slot it lies in; it goes after the second player's turn."""
    dunes = " ".join("D2" if at == slot else "-" for at in (1, 2, 3))
    given = Position(
        ruleset="expansion", at="place", robber=4, first=1, dunes=dunes,
        me=Side(stock="", targis="2 7", display="XC5"), other=Side(stock="", targis=f"3 6 d{slot}"),
    )  # fmt: skip
    state = play(given.build(), f"@d{slot} d{slot} end")
    assert (read(state, "stock 1"), read(state, "dunes")) == ("6w", dunes)
    play(state, f"d{slot} end")
    assert read(state, "stock 0") == "6w"
    assert read(state, "dune discard") == "D2"


def test_no_dune_is_turned_up_when_none_is_left() -> None:
    """X5.4: the deck is not made anew from its discard."""
    given = Position(ruleset="expansion", round=4, me=Side(targis="7 2"), other=OPEN)
    state = given.build()
    state.dunes.cards = state.dunes.cards[:0]
    state.dunes.discard = [state.ruleset.catalog.names.index("D4")]
    play(state, "end end")
    assert (state.decision, read(state, "dunes"), read(state, "dune discard")) == ("place", "- - -", "D4")
    assert not {"@d1", "@d2", "@d3"} & legal(state)
