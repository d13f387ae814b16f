"""Fixed vectors of the randomness and the deal, which no version may change."""

from __future__ import annotations

import pytest
from targi_engine import State, Words, new_game

SEED = bytes(range(32))
OPENING = bytes(range(32, 64))


def names(state: State, cards: tuple[int, ...] | list[int]) -> str:
    return " ".join(state.ruleset.catalog.names[card] for card in cards)


def test_the_first_words_of_a_label() -> None:
    words = Words(SEED, "tribe")
    assert [f"{words.next():08x}" for _ in range(3)] == ["6c942d90", "5aaafea7", "3502fc2a"]


@pytest.mark.parametrize(
    ("ruleset", "begin"),
    [("base", "W9 K4 C1 W3 C2 O7 O2 W5"), ("mixed", "XW5 K6 XC1 W5 XC4 XO8")],
)
def test_the_tribe_deck_of_a_seed(ruleset: str, begin: str) -> None:
    state = new_game(ruleset, SEED)
    assert names(state, state.tribe.cards).startswith(f"{begin} ")


def test_the_goods_and_dune_decks_of_a_seed() -> None:
    base = new_game("base", SEED)
    goods = "salt dates+salt pepper salt gold salt+pepper"
    assert names(base, base.goods.cards[:6]) == goods
    expansion = new_game("expansion", SEED)
    assert names(expansion, expansion.dunes.cards[:6]) == "D6 D2 D6 D5 D1 D4"


def test_the_base_game_of_an_opening() -> None:
    state = new_game("base", SEED, OPENING)
    assert names(state, state.centre) == "salt C9 gold O2 salt K7 dates+salt W8 pepper"
    assert names(state, state.tribe.rest()[:6]) == "T8 T6 W2 O5 K9 C5"
    assert names(state, state.goods.rest()[:5]) == "gold salt+pepper dates 2salt vp"


def test_the_mixed_game_of_an_opening() -> None:
    state = new_game("mixed", SEED, OPENING)
    centre = "XC6 salt+pepper O8 2dates K3 gold W1 dates|salt|pepper XC3"
    assert names(state, state.centre) == centre
    assert names(state, state.tribe.rest()[:6]) == "C1 XT8 XK5 XT6 XW9 K6"
    assert names(state, state.dune_slots) == "D1 D6 D2"
    assert names(state, state.dunes.rest()[:5]) == "D2 D7 D3 D4 D9"
