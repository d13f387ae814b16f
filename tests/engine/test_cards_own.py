"""Cards of one's own: parameters that no packaged card has, and several cards of one effect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

import pytest
from positions import Position, Side
from rule_cases import Case, check
from targi_engine import CardSet, Ruleset, parse_cards, ruleset

OPEN = Side(targis="3 6")
SIDE = ("hand", "fresh", "markers", "targis", "used")
Edits = Mapping[str, Mapping[str, object]]


def permanent(effect: Mapping[str, object]) -> Mapping[str, object]:
    return {"kind": "permanent", "effect": effect}


def immediate(effect: Mapping[str, object]) -> Mapping[str, object]:
    return {"kind": "immediate", "effect": effect}


def end(effect: Mapping[str, object]) -> Mapping[str, object]:
    return {"kind": "end", "effect": effect}


# The edited cards of the base set, by id.
TRIBE: Edits = {
    "C1": permanent({"kind": "limit", "of": "goods", "amount": 13}),
    "C2": permanent({"kind": "limit", "of": "goods", "amount": 15}),
    "C3": {"cost": [{"gold": 2}]},
    "C5": permanent({"kind": "discount", "on": "symbol", "symbol": "camp", "goods": 2}),
    "T1": permanent({"kind": "play_hand", "extra_goods": 0}),
    "T2": permanent({"kind": "raid_bonus", "vp": 3}),
    "T3": permanent({"kind": "raid_discount", "goods": 1}),
    "T4": permanent({"kind": "raid_discount", "goods": 1}),
    "O1": immediate({"kind": "gain_per", "what": "full_rows", "per": 1, "get": {"gold": 2, "vp": 1}}),
    "O2": immediate({"kind": "opponent_targis", "targis": 1}),
    "O3": immediate({"kind": "reveal", "cards": 3, "keep": 3}),
    "W1": end({"kind": "end_per", "what": "goods", "per": 4, "vp": 3}),
    "W2": end({"kind": "different_rows", "rows": 3, "vp": 6}),
    "W3": end({"kind": "end_if", "test": "cards_at_least", "count": 2, "vp": 5}),
    "K1": {"kind": "token", "effect": {"kind": "place_facing_opponent"}},
    "K2": {"kind": "token", "effect": {"kind": "place_facing_opponent"}},
    "K3": {"kind": "token", "effect": {"kind": "pay_gold_with_water", "water": 2}},
    "K5": {"kind": "stored", "effect": {"kind": "stored_gold", "gold": 1}},
    "K9": {"kind": "token", "effect": {"kind": "gain", "get": {"gold": 1, "goods_of_choice": 1}}},
}


def edited(name: str, edits: Edits) -> CardSet:
    """A packaged card set with some tribe cards or dunes changed."""
    text = resources.files("targi_engine").joinpath("data", f"{name}.json").read_text("utf-8")
    data = json.loads(text)
    for card in (*data["tribe"], *data.get("dunes", ())):
        card.update(edits.get(card["id"], {}))
    for card in data["goods"]:
        if card.get("gives") == {"vp": 1}:
            card["gives"] = {"goods_of_choice": 2}
    return parse_cards(json.dumps(data), f"own-{name}.json")


@cache
def own() -> Ruleset:
    """The base game with the cards above."""
    return ruleset("base", base=edited("base", TRIBE))


@cache
def own_expansion() -> Ruleset:
    """`mixed` with the cards above and two dunes of one's own."""
    pay = {"kind": "to_display", "pay": {"any_goods": 1}, "vp": 3}
    offers = [
        {"pay": {"water": 2}, "get": {"vp": 1}},
        {"pay": {"water": 2}, "get": {"vp": 2}},
        {"pay": {"water": 4}, "get": {"vp": 4}},
    ]
    dunes = {
        "D9": {"effect": {"kind": "exchange", "offers": offers, "times": 2, "optional": True}},
        "D10": {"effect": pay},
    }
    return ruleset("mixed", base=edited("base", TRIBE), expansion=edited("expansion", dunes))


def holding(display: str, stock: str = "", rules: Ruleset | None = None, **more: object) -> Position:
    """An action turn with a display; the seat stands on 7 and 2."""
    side = {"targis": "7 2", **{k: more.pop(k) for k in list(more) if k in SIDE}}
    rest = {"other": OPEN, **more}
    me = Side(stock=stock, display=display, **side)  # type: ignore[arg-type]
    return Position(ruleset=rules or own(), me=me, **rest)  # type: ignore[arg-type]


def lay(card: str, stock: str, display: str = "", **more: object) -> Position:
    """A card in the centre under an own marker, with a full hand."""
    side = {"hand": "W9", "markers": "1", "targis": "7"}
    return holding(display, stock, **{**side, "centre": {1: card}, **more})  # type: ignore[arg-type]


def raid(corner: int, stock: str, display: str, rules: Ruleset) -> Position:
    """A raid that the seat to move pays last."""
    round_ = {4: 4, 8: 7, 12: 10}[corner]
    me = Side(stock=stock, display=display)
    return Position(
        ruleset=rules, at="raid", robber=corner, round=round_, first=1, me=me, other=Side(stock="")
    )


CASES = (
    Case(pins="of limits the highest holds", given=holding("C1 C2", "16d"), play="end", gains="-1d"),
    Case(pins="a limit of 13", given=holding("C1", "16d"), play="end", gains="-3d"),
    Case(
        pins="a discount of two, and discounts each count",
        given=lay("K4", "1g", "C5 K6"),
        play="c1 row1",
        gains="-1g",
    ),
    Case(
        pins="the hand card is played by the fewest extra goods",
        given=holding("W8 T1", "1d 1g", hand="K4"),
        play="hand row1",
        gains="-1d -1g",
        then={"display 0": "W8 T1 K4"},
    ),
    Case(
        pins="a gain for every full row",
        given=lay("O1", "1p 1g", "K4 C4 T5 O4/K6 C6 T6 O8"),
        play="c1 row3",
        gains="-1p +3g +2v",
    ),
    Case(
        pins="three goods cards turned up, all gained, in order",
        given=lay("O3", "2d 1s 2p", goods="gold 2dates pepper gold"),
        play="c1 row1",
        gains="-1s -1p +1g",
        then={"goods discard": "2dates pepper gold"},
    ),
    Case(
        pins="a goods card with two goods of choice",
        given=holding("T8 O7", markers="0", centre={0: "dates|salt|pepper+dates|salt|pepper"}),
        play="c0 +dates +salt",
        gains="+2d +2s",
        decision="act",
    ),
    Case(
        pins="two of one good of choice bring one bonus",
        given=holding("T8", markers="0", centre={0: "dates|salt|pepper+dates|salt|pepper"}),
        play="c0 +dates +dates",
        gains="+3d",
    ),
    Case(
        pins="two cards with gold: each gold of a cost is asked for",
        given=lay("C3", "2g", "W9 K5", hand="K4"),
        play="c1 row1 from:card",
        legal="from:card from:purse",
        gains="",
    ),
    Case(
        pins="gold from a card and from the purse",
        given=lay("C3", "2g", "W9 K5", hand="K4"),
        play="c1 row1 from:card from:purse",
        gains="-1g",
    ),
    Case(
        pins="without a purse all gold comes from cards",
        given=lay("C3", "", "W9 K5", hand="K4"),
        play="c1 row1",
        gains="",
        then={"forced": "from:card from:card", "display 0": "W9 K5 C3"},
    ),
    Case(
        pins="a bonus of three VP at a raid",
        given=raid(8, "2d 3v", "T2", own()),
        play="pay:goods",
        gains="-2d +3v",
    ),
    Case(
        pins="two goods less at a raid of any goods",
        given=raid(12, "2d 1s 9v", "T3 T4", own()),
        play="pay:goods -salt",
        gains="-1s",
    ),
    Case(
        pins="a raid whose goods are all spared asks nothing",
        given=raid(8, "2d 9v", "T3 T4", own()),
        then={"stock 0": "2d 9v"},
        decision="place",
    ),
    Case(
        pins="two goods less at a raid of named goods",
        given=raid(12, "1d 1s 1p 9v", "T3 T4", own_expansion()),
        play="pay:goods ~dates ~pepper",
        gains="-1s",
    ),
    Case(
        pins="water pays all the gold of a cost",
        given=holding("K3", "5w", own_expansion(), markers="1", centre={1: "C3"}, hand="W9", targis="7"),
        play="c1 row1",
        gains="-4w",
        then={"forced": "pay:water-gold", "display 0": "K3 C3"},
    ),
    Case(
        pins="a token with gold and a good",
        given=holding("K9", "", own_expansion()),
        play="t:gain +salt",
        gains="+1g +1s",
        lacks="t:gain",
    ),
    Case(
        pins="two tokens for facing: lines cross on one cell for both, X6.3",
        given=Position(
            ruleset=own(),
            at="place",
            robber=4,
            first=1,
            me=Side(display="K1 K2", targis="13 11"),
            other=Side(targis="1 6 3"),
        ),
        play="@14",
        then={"markers 0": "3 6", "markers 1": "3 5"},
    ),
    Case(
        pins="a dune for the display at another price",
        given=holding("", "1d 1s", own_expansion(), targis="7 d1", dunes="D10 - -"),
        play="d1 -salt sym:well",
        gains="-1s",
        then={"display 0": "D10:well", "score 0": 3},
    ),
    Case(
        pins="an exchange with all offers may stop after the first",
        given=holding("", "8w", own_expansion(), targis="7 d1", dunes="D9 - -"),
        play="d1 4water>4vp",
        legal="2water>2vp 4water>4vp 2water>vp done",
        gains="-4w +4v",
    ),
    Case(
        pins="an exchange ends after its last time",
        given=holding("", "9w", own_expansion(), targis="7 d1", dunes="D9 - -"),
        play="d1 2water>vp 2water>2vp",
        decision="act",
        gains="-4w +3v",
    ),
    Case(
        pins="the opponent places one Targi",
        given=Position(
            ruleset=own(),
            first=1,
            round=4,
            me=Side(stock="1d 1s 1g", targis="7", markers="1"),
            other=Side(),
            centre={1: "O2"},
        ),
        play="c1 row1 end @1 @2 @3 @5",
        decision="act",
    ),
)

ENDS = (
    ("three VP for four goods", "W1", "8d 1s", 6),
    ("three rows of four different symbols score six each", "W2 K4 C8 T2/W6 K7 C6 T6/W5 K8 C7 T7", "", 12),
    ("five VP with two cards", "W3 K8", "", 5),
    ("nothing with one", "W3", "", 0),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_a_card_of_ones_own(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("display", "held", "vp"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_an_end_effect_of_ones_own(display: str, held: str, vp: int) -> None:
    assert holding(display, held).build().outcome().breakdown[0].effects == vp
