"""Randomness as the notation fixes it: words, shuffles, labels, openings."""

from __future__ import annotations

import hashlib

import pytest
from positions import Position, Side, play
from rule_cases import card_names
from targi_engine import SeedError, State, Words, new_game, ruleset

SEED = bytes(range(32))
OPENING = bytes(range(32, 64))


def test_words_are_sha256_of_seed_label_and_counter() -> None:
    stream = Words(SEED, "tribe")
    found = [stream.next() for _ in range(20)]
    digests = b"".join(hashlib.sha256(SEED + b"tribe" + n.to_bytes(8, "big")).digest() for n in range(3))
    assert found == [int.from_bytes(digests[4 * n : 4 * n + 4], "big") for n in range(20)]
    assert [f"{word:08x}" for word in found[:3]] == ["6c942d90", "5aaafea7", "3502fc2a"]


def given(*words: int) -> Words:
    """A stream that begins with given words (a compiled class takes no subclass here)."""
    stream = Words(SEED, "")
    stream._words = list(reversed(words))
    return stream


@pytest.mark.parametrize(
    ("words", "limit", "number"),
    [
        ((7,), 5, 2),
        ((2**32 - 1, 9), 5, 4),
        ((2**32 - 2,), 5, 4),
        ((2**32 - 1,), 2, 1),
        ((2**32 - 1, 2**32 - 1, 3), 3, 0),
    ],
)
def test_below_skips_the_words_past_the_last_full_range(
    words: tuple[int, ...], limit: int, number: int
) -> None:
    assert given(*words).below(limit) == number


def test_a_shuffle_swaps_from_the_end() -> None:
    # Places 3, 2 and 1 change with 0, 1 and 1: 13 11 12 10, 13 12 11 10, unchanged.
    assert given(0, 1, 1).shuffled([10, 11, 12, 13]) == [13, 12, 11, 10]


def dealt(state: State) -> tuple[str, str, str]:
    """Centre, next tribe cards, next goods cards."""
    return (
        card_names(state, state.centre),
        card_names(state, state.tribe.rest()[:6]),
        card_names(state, state.goods.rest()[:5]),
    )


def test_the_deal_of_a_seed() -> None:
    centre, tribe, goods = dealt(new_game("base", SEED))
    assert centre == "salt W9 dates+salt K4 pepper C1 salt W3 gold"
    assert tribe.startswith("C2 O7 O2 W5 ")
    assert goods.startswith("salt+pepper ")


def test_the_deal_of_a_seed_and_an_opening() -> None:
    assert dealt(new_game("base", SEED, OPENING)) == (
        "salt C9 gold O2 salt K7 dates+salt W8 pepper",
        "T8 T6 W2 O5 K9 C5",
        "gold salt+pepper dates 2salt vp",
    )


def test_the_decks_of_the_expansion() -> None:
    state = new_game("expansion", SEED)
    dunes = [*state.dune_slots, *state.dunes.rest()]
    assert card_names(state, dunes[:6]) == "D6 D2 D6 D5 D1 D4"


def test_the_tribe_deck_of_mixed() -> None:
    """Nine of the eighteen cards of each symbol, by the label of the symbol."""
    state = new_game("mixed", SEED)
    deck = [*(state.centre[cell] for cell in (0, 2, 4, 6, 8)), *state.tribe.rest()]
    assert card_names(state, deck[:6]) == "XW5 K6 XC1 W5 XC4 XO8"
    symbols = [state.ruleset.catalog.symbols[card] for card in deck]
    assert [symbols.count(symbol) for symbol in range(5)] == [9] * 5


def test_the_deal_of_mixed_with_an_opening() -> None:
    state = new_game("mixed", SEED, OPENING)
    assert card_names(state, state.centre) == "XC6 salt+pepper O8 2dates K3 gold W1 dates|salt|pepper XC3"
    assert card_names(state, state.tribe.rest()[:6]) == "C1 XT8 XK5 XT6 XW9 K6"
    assert card_names(state, state.dune_slots) == "D1 D6 D2"
    assert card_names(state, state.dunes.rest()[:5]) == "D2 D7 D3 D4 D9"


def test_mixed_games_of_one_opening_draw_the_unseen_cards_anew() -> None:
    one, other = (new_game("mixed", bytes([n] * 32), OPENING) for n in (1, 2))
    assert (one.centre, one.tribe.rest()[0]) == (other.centre, other.tribe.rest()[0])
    assert set(one.tribe.rest()) != set(other.tribe.rest())
    for state in (one, other):
        cards = [*state.tribe.rest(), *(state.centre[cell] for cell in (0, 2, 4, 6, 8))]
        symbols = [state.ruleset.catalog.symbols[card] for card in cards]
        assert [symbols.count(symbol) for symbol in range(5)] == [9] * 5


def test_games_from_one_opening_share_what_is_seen_and_nothing_else() -> None:
    one, other = (new_game("base", bytes([n] * 32), OPENING) for n in (1, 2))
    assert one.centre == other.centre
    assert one.tribe.rest() != other.tribe.rest()
    assert one.goods.rest() != other.goods.rest()
    assert sorted(one.tribe.rest()) == sorted(other.tribe.rest())


def test_a_reshuffle_uses_the_seed_and_its_number() -> None:
    """B5.4: labels goods:1 and goods:2, of the discard in the order of discarding."""
    me = Side(stock="", targis="13 7", markers="1")
    given = Position(me=me, goods="gold", goods_left=1, goods_discard="dates salt pepper")
    state = given.build()
    discard = [*state.goods.discard, state.goods.rest()[0]]
    play(state, "b13")
    assert (state.goods.discard, state.goods.shuffles) == (discard, 0)
    play(state, "c1")
    first = Words(SEED, "goods:1").shuffled(discard)
    assert (list(state.goods.rest()), state.goods.shuffles) == (first[1:], 1)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(SeedError, match=f"{length} bytes"):
        new_game("base", bytes(length))
    with pytest.raises(SeedError, match="opening"):
        new_game("base", SEED, bytes(length))


def test_the_card_set_is_named_by_its_hash() -> None:
    """The effective set of the base game, as records name it."""
    expected = "393372d49a22d51acd27faf79bd24f036c622a9b096691f8971b176535fa8a84"
    assert ruleset("base").cards_hash == expected


def test_a_seed_plays_the_same_game_again() -> None:
    states = [new_game("base", SEED) for _ in range(2)]
    for _ in range(60):
        action = states[0].legal_actions()[-1]
        for state in states:
            state.apply(action)
    assert states[0].observation(None) == states[1].observation(None)
