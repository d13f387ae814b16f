"""B5.4: decks that are made anew from their discards."""

from __future__ import annotations

import pytest
from positions import SEED, Position, Side, play
from rule_cases import Case, card_names, check, read
from targi_engine.randomness import Words


def marker(cell: int, card: str, stock: str = "", **more: object) -> Position:
    """An action turn with an own marker on a card, and a Targi that keeps the turn open."""
    side = {key: value for key, value in more.items() if key in ("hand", "fresh", "display")}
    rest = {key: value for key, value in more.items() if key not in side}
    return Position(
        me=Side(stock=stock, targis="7", markers=str(cell), **side),  # type: ignore[arg-type]
        centre={cell: card},
        **rest,  # type: ignore[arg-type]
    )


DECKS = (
    Case(
        pins="B5.4 a deck is not made anew before a card is needed",
        given=marker(1, "O2", goods="gold", goods_discard="vp 2pepper", goods_left=1),
        play="c1",
        then={"cell 1": "?gold", "goods left": 0, "goods discard": "vp 2pepper"},
    ),
    Case(
        pins="B5.4 an empty goods deck is made anew from its discard when a card is needed",
        given=marker(1, "O2", goods_discard="vp", goods_left=0),
        play="c1",
        then={"cell 1": "?vp", "goods left": 0, "goods discard": ""},
    ),
    Case(
        pins="B5.4 so is the tribe deck",
        given=marker(0, "gold", tribe_discard="O2", tribe_left=0),
        play="c0",
        then={"cell 0": "?O2", "tribe left": 0, "tribe discard": ""},
    ),
    Case(
        pins="B5.4 without deck and discard the cell stays empty",
        given=marker(0, "gold", tribe_left=0),
        play="c0",
        gains="+1g",
        then={"cell 0": "-"},
    ),
    Case(
        pins="B5.4 an empty cell stays empty although the discard grows",
        given=Position(
            me=Side(stock="", targis="7", markers="0 1", hand="K4"),
            other=Side(targis="3"),
            centre={0: "gold", 1: "O2"},
            goods="vp",
            tribe_left=0,
        ),
        play="c0 c1 end b3",
        decision="place",
        then={"cell 0": "-", "cell 1": "vp", "tribe discard": "O2"},
    ),
    Case(
        pins="B5.4 a tribe card turned up is discarded when refused",
        given=Position(me=Side(targis="14 7"), tribe="O2 K1", tribe_discard="C7"),
        play="b14 discard",
        then={"tribe discard": "C7 O2"},
    ),
    Case(
        pins="B5.4 a goods card turned up is discarded when it was gained",
        given=Position(me=Side(targis="13 7"), goods="2pepper", goods_discard="vp"),
        play="b13",
        then={"goods discard": "vp 2pepper"},
    ),
    Case(
        pins="B5.4 the card just gained from the centre may come up in the deck made anew",
        given=Position(me=Side(targis="7 13", markers="0"), centre={0: "gold"}, goods_left=0, tribe="K1"),
        play="c0 b13",
        gains="+2g",
        then={"goods discard": "gold", "goods left": 0},
    ),
)


@pytest.mark.parametrize("case", DECKS, ids=lambda case: case.pins)
def test_a_deck(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("kind", ["goods", "tribe"])
def test_a_deck_is_made_anew_by_shuffling_its_discard(kind: str) -> None:
    """B5.4: with the seed and the label of its k-th reshuffle, in the order of discarding."""
    discards = {"goods": "vp 2pepper gold dates", "tribe": "K1 K2 K3 O2"}
    given = Position(
        me=Side(targis="7", markers="1" if kind == "goods" else "0"),
        goods_discard=discards["goods"],
        tribe_discard=discards["tribe"],
        goods_left=0,
        tribe_left=0,
        centre={0: "salt", 1: "O1"},
    )
    state = given.build()
    deck = state.goods if kind == "goods" else state.tribe
    discard = list(deck.discard)
    play(state, "c1 take" if kind == "goods" else "c0")
    expected = Words(SEED, f"{kind}:1").shuffled(discard)
    cell = 1 if kind == "goods" else 0
    assert read(state, f"cell {cell}") == f"?{card_names(state, expected[:1])}"
    assert list(deck.rest()) == expected[1:]
