"""The effects of the expansion's tribe cards: where each works, and where it must not."""

from __future__ import annotations

import pytest
from positions import Position, Side
from rule_cases import Case, check

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "markers", "targis", "used", "targia")


def holding(display: str, stock: str = "", **more: object) -> Position:
    """An action turn with a display; the seat stands on 7 and 2."""
    side = {"targis": "7 2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"ruleset": "mixed", "other": OPEN, **more}
    return Position(me=Side(stock=stock, display=display, **side), **rest)  # type: ignore[arg-type]


def lay(card: str, stock: str, display: str = "", **more: object) -> Position:
    """A card in the centre under an own marker, with a full hand."""
    side = {"hand": "W2", "markers": "4", "targis": "7"}
    return holding(display, stock, **{**side, "centre": {4: card}, **more})


IMMEDIATE = (
    Case(
        pins="XC1 turns up two goods cards and gains both",
        given=lay("XC1", "1d 1g", goods="vp 2pepper 3water", goods_discard="gold"),
        play="c4 row1",
        gains="-1d -1g +2p +3w",
        then={"goods discard": "gold 2pepper 3water"},
    ),
    Case(
        pins="XC1 already displayed turns up nothing",
        given=lay("XK4", "1d 1g", "XC1", goods="2pepper 3water"),
        play="c4 row1",
        gains="-1d -1g",
        decision="act",
    ),
    Case(
        pins="XC2 gains what an open goods card of the centre shows, and the card stays",
        given=lay("XC2", "2s 2p", centre={4: "XC2", 0: "2dates", 2: "?gold", 1: "XT3"}),
        play="c4 row1 c0",
        gains="+2d -2s -2p",
        then={"cell 0": "2dates", "goods discard": ""},
    ),
    Case(
        pins="XC2 gains no card with a marker, face down, or of a tribe",
        given=lay(
            "XC2", "2s 2p", other=Side(targis="3", markers="8"),
            centre={
                4: "XC2", 0: "2dates", 2: "?gold", 8: "vp", 6: "-", 1: "XT3", 3: "XT2", 5: "XO3", 7: "XO2"
            },
        ),
        play="c4 row1",
        gains="+2d -2s -2p",
        then={"forced": "plain c0"},
    ),
    Case(
        pins="XT1 uses one of the Targia's options",
        given=lay("XT1", "2d 2s", goods="vp gold"),
        play="c4 row1 targia:draw",
        gains="-2d -2s +1g",
    ),
    Case(
        pins="XT1 does not use up the Targia herself",
        given=lay("XT1", "2d 1s", targia=True),
        play="c4 row1 +dates",
        offers="targia",
    ),
    Case(
        pins="XT2 swaps two cards of the display",
        given=lay("XT2", "2s 1p 1g", "K1 K2"),
        play="c4 row1 x1 x3",
        decision="act",
        then={"display 0": "XT2 K2 K1"},
    ),
    Case(
        pins="XT2 moves none, and may be declined",
        given=lay("XT2", "2s 1p 1g", "K1 K2"),
        play="c4 row1",
        legal="x1 x2 x3 done",
    ),
    Case(
        pins="XT2 offers only cards for the swap",
        given=lay("XT2", "2s 1p 1g", "K1 K2"),
        play="c4 row1 x1",
        legal="x2 x3",
    ),
    Case(
        pins="XO1 gives a date, a salt and a pepper",
        given=lay("XO1", "1d 1g"),
        play="c4 row1",
        gains="-1g +1s +1p",
    ),
    Case(pins="XO1 discarded gives nothing", given=lay("XO1", "1d 1g"), play="c4 discard", gains=""),
    Case(
        pins="XO2 gives a VP token for every Oasis card, itself counted",
        given=lay("XO2", "2s 1p", "O1 K1 O2"),
        play="c4 row1",
        gains="-2s -1p +3v",
    ),
    Case(
        pins="XO2 counts no other symbol",
        given=lay("XO2", "2s 1p", "C1 K1"),
        play="c4 row1",
        gains="-2s -1p +1v",
    ),
    Case(pins="XW1 gives four water", given=lay("XW1", "2d 1s"), play="c4 row1", gains="-2d -1s +4w"),
    Case(pins="XW1 taken gives nothing", given=lay("XW1", "2d 1s", hand=""), play="c4 take", gains=""),
    Case(
        pins="XW2 exchanges two water for a VP up to three times",
        given=lay("XW2", "1s 1p 1g 8w"),
        play="c4 row1 2water>vp 2water>vp 2water>vp",
        gains="-1s -1p -1g -6w +3v",
        decision="act",
    ),
    Case(
        pins="XW2 may stop at any point",
        given=lay("XW2", "1s 1p 1g 8w"),
        play="c4 row1 done",
        gains="-1s -1p -1g",
        decision="act",
    ),
    Case(
        pins="XW2 asks nothing of who has one water",
        given=lay("XW2", "1s 1p 1g 1w"),
        play="c4 row1",
        gains="-1s -1p -1g",
        decision="act",
    ),
    Case(
        pins="XW3 gives two water for every Well card, itself counted",
        given=lay("XW3", "1d 2p", "W1 K1"),
        play="c4 row1",
        gains="-1d -2p +4w",
    ),
    Case(pins="XW3 alone gives two", given=lay("XW3", "1d 2p", "K1"), play="c4 row1", gains="-1d -2p +2w"),
    Case(pins="XK1 gives a gold", given=lay("XK1", "2d 1s"), play="c4 row1", gains="-2d -1s +1g"),
    Case(pins="XK1 discarded gives none", given=lay("XK1", "2d 1s"), play="c4 discard", gains=""),
    Case(pins="XK2 gives three water", given=lay("XK2", "1s 1p 1g"), play="c4 row1", gains="-1s -1p -1g +3w"),
    Case(
        pins="XK2 already displayed gives none",
        given=lay("K5", "1d 1p", "XK2"),
        play="c4 row1",
        gains="-1d -1p",
    ),
    Case(
        pins="XK3 plays the hand card for its cost",
        given=lay("XK3", "3d 3p", hand="K5"),
        play="c4 row1 row1",
        gains="-3d -3p",
        then={"display 0": "XK3 K5"},
    ),
    Case(
        pins="XK3 does nothing with a hand card that cannot be paid",
        given=lay("XK3", "2d 2p", hand="K5"),
        play="c4 row1",
        decision="act",
        then={"display 0": "XK3", "hand 0": "K5"},
    ),
    Case(
        pins="XK3 does not use K7's discount",
        given=lay("XK3", "3d 2p", "K7", hand="K5"),
        play="c4 row1",
        decision="act",
        then={"hand 0": "K5"},
    ),
)  # fmt: skip

DISCOUNTS = (
    Case(
        pins="XC3 takes a salt off a cost", given=lay("O5", "1s 1p", "XC3"), play="c4 row1", gains="-1s -1p"
    ),
    Case(
        pins="XC3 takes nothing off a cost without salt",
        given=lay("K5", "1d", "XC3"),
        play="c4",
        then={"display 0": "XC3"},
    ),
    Case(pins="XT4 takes a pepper off a cost", given=lay("O5", "2s", "XT4"), play="c4 row1", gains="-2s"),
    Case(
        pins="XT4 takes nothing off a cost without pepper",
        given=lay("W5", "1d 1s", "XT4"),
        play="c4",
        then={"display 0": "XT4"},
    ),
    Case(pins="XO3 takes a date off a cost", given=lay("K5", "1p", "XO3"), play="c4 row1", gains="-1p"),
    Case(
        pins="XO3 takes nothing off a cost without dates",
        given=lay("O5", "1s 1p", "XO3"),
        play="c4",
        then={"display 0": "XO3"},
    ),
    Case(
        pins="X6.7 XO6: any goods in place of the printed ones, as many",
        given=lay("K3", "5p", "XO6"),
        play="c4 row1",
        gains="-5p",
        then={"display 0": "XO6 K3", "forced": "pay:any-goods -pepper -pepper -pepper -pepper -pepper"},
    ),
    Case(
        pins="X6.7 XO6: named discounts first, then a good less for every point of the others",
        given=lay("K3", "3p", "XO6 XO3 K6"),
        play="c4 row1",
        gains="-3p",
        then={"display 0": "XO6 XO3 K6 K3"},
    ),
    Case(
        pins="X6.7 XO6: not if nothing would be left",
        given=holding("XO6 K6 K7", "1d 1p", hand="K5", targis="1 7"),
        play="b1 row1",
        decision="save",
        then={"forced": "pay:as-printed"},
    ),
    Case(
        pins="X6.7 XO6: W8's extra good comes on top",
        given=holding("XO6 W8", "3d", hand="K5"),
        play="hand row1",
        gains="-3d",
        then={"forced": "pay:any-goods -dates -dates -dates", "display 0": "XO6 W8 K5"},
    ),
    Case(
        pins="X6.7 XO6: not without a good for W8's extra",
        given=holding("XO6 W8", "2d", hand="K5"),
        lacks="hand",
    ),
    Case(
        pins="XO6 leaves the gold of the cost as it is",
        given=lay("K4", "1p", "XO6"),
        play="c4",
        then={"display 0": "XO6", "tribe discard": "K4"},
    ),
    Case(
        pins="XO6 works once", given=lay("K3", "5p", "XO6", used="XO6"), play="c4", then={"display 0": "XO6"}
    ),
    Case(
        pins="XW7 pays the gold with two water each",
        given=lay("K4", "1d 3w", "XW7"),
        play="c4 row1",
        gains="-1d -2w",
        then={"forced": "pay:water-gold"},
    ),
    Case(
        pins="XW7 is used by choice",
        given=lay("K4", "1d 1g 3w", "XW7"),
        play="c4 row1",
        legal="pay:as-printed pay:water-gold",
        decision="modify",
    ),
    Case(
        pins="XW7 pays no cost without gold and works once",
        given=lay("K5", "1d 1p 9w", "XW7"),
        play="c4 row1",
        gains="-1d -1p",
        then={"forced": "pay:as-printed"},
    ),
    Case(
        pins="XW7 whose token is used pays none",
        given=lay("K4", "1d 3w", "XW7", used="XW7"),
        play="c4",
        then={"display 0": "XW7"},
    ),
    Case(
        pins="X6.7 XO6 and XW7 are not used on one card",
        given=lay("K4", "1p 3w", "XO6 XW7"),
        play="c4",
        then={"display 0": "XO6 XW7", "tribe discard": "K4"},
    ),
)


@pytest.mark.parametrize("case", (*IMMEDIATE, *DISCOUNTS), ids=lambda case: case.pins)
def test_an_effect_when_a_card_is_laid(case: Case) -> None:
    check(case)
