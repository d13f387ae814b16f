"""The deck of `mixed`: nine cards of every symbol, each card as likely, an opening's rest drawn anew.

Chi-square values of fixed seeds; a bound is passed by chance once in a thousand draws of other seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest
from targi_engine import State, new_game, ruleset

GAMES = 1_000
RULES = ruleset("mixed")
CARDS = RULES.catalog.tribe
SYMBOLS = 5
OF_A_SYMBOL = 9
CARDS_OF_A_SYMBOL = 18
# What chi-square passes once in a thousand draws, by degrees of freedom.
AT_MOST = {3: 16.27, 4: 18.47, 5: 20.52, 9: 27.88, 85: 131.04, 89: 135.98}


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def seen(state: State) -> list[int]:
    """The tribe cards that the deal lays open: in the centre, and the top of the deck (X1.4)."""
    return [card for card in (*state.centre, *state.tribe.rest()[:1]) if card in CARDS]


def hidden(state: State) -> tuple[int, ...]:
    """The tribe cards in the deck below its top, in order."""
    return state.tribe.rest()[1:]


@cache
def pairs() -> tuple[tuple[State, State], ...]:
    """Two games of each opening, every one with a seed of its own."""
    return tuple(
        (new_game(RULES, seed(2 * n), seed(10_000 + n)), new_game(RULES, seed(2 * n + 1), seed(10_000 + n)))
        for n in range(GAMES)
    )


@cache
def games(opening: bool) -> tuple[State, ...]:
    """Games without an opening, or with one each."""
    return (
        tuple(one for one, _ in pairs()) if opening else tuple(new_game(RULES, seed(n)) for n in range(GAMES))
    )


def deviation(counts: Iterable[int], expected: float) -> float:
    """The sum of squares of chi-square, every count expected alike."""
    return sum((count - expected) * (count - expected) for count in counts) / expected


@pytest.mark.parametrize("opening", [False, True])
def test_every_deck_has_nine_different_cards_of_each_symbol(opening: bool) -> None:
    for state in games(opening):
        deck = [*seen(state), *hidden(state)]
        assert len(deck) == len(set(deck)) == SYMBOLS * OF_A_SYMBOL
        symbols = Counter(RULES.catalog.symbols[card] for card in deck)
        assert set(symbols.values()) == {OF_A_SYMBOL}


@pytest.mark.parametrize("opening", [False, True])
def test_every_card_is_as_often_in_the_game(opening: bool) -> None:
    """A card is in with 1/2; nine of eighteen without putting back spread less than free draws, by 17/9."""
    counts = Counter(card for state in games(opening) for card in (*seen(state), *hidden(state)))
    found = deviation((counts[card] for card in CARDS), GAMES / 2)
    spread = (1 - OF_A_SYMBOL / CARDS_OF_A_SYMBOL) * CARDS_OF_A_SYMBOL / (CARDS_OF_A_SYMBOL - 1)
    assert found / spread < AT_MOST[SYMBOLS * (CARDS_OF_A_SYMBOL - 1)]


@pytest.mark.parametrize("opening", [False, True])
@pytest.mark.parametrize("place", [0, 1, 20, 39])
def test_every_card_is_as_likely_at_a_place_of_the_deck(opening: bool, place: int) -> None:
    counts = Counter(state.tribe.rest()[place] for state in games(opening))
    assert deviation((counts[card] for card in CARDS), GAMES / len(CARDS)) < AT_MOST[len(CARDS) - 1]


def independence(table: Sequence[Sequence[float]]) -> float:
    """Chi-square of a contingency table against rows and columns that know nothing of each other."""
    rows = [sum(row) for row in table]
    columns = [sum(row[c] for row in table) for c in range(len(table[0]))]
    whole = sum(rows)
    cells = (
        (found, rows[r] * columns[c] / whole) for r, row in enumerate(table) for c, found in enumerate(row)
    )
    return sum((found - expected) * (found - expected) / expected for found, expected in cells)


def test_games_of_one_opening_see_the_same() -> None:
    for one, other in pairs():
        assert seen(one) == seen(other)


def test_what_is_hidden_in_one_game_of_an_opening_tells_nothing_of_the_other() -> None:
    """Per symbol and number of its cards seen: being in the deck of the one against that of the other.

    Only cards that the opening leaves open count; among those of one number seen all are as likely.
    One card of a symbol and pair is looked at, so that the draws are independent of each other.
    """
    tables: dict[int, list[list[float]]] = {}
    for number, (one, other) in enumerate(pairs()):
        open_cards = set(seen(one))
        for symbol, cards in enumerate(RULES.catalog.by_symbol):
            free = [card for card in cards if card not in open_cards]
            card = free[(number + symbol) % len(free)]
            table = tables.setdefault(len(free), [[0, 0], [0, 0]])
            table[card in hidden(one)][card in hidden(other)] += 1
    full = [table for table in tables.values() if min(map(sum, table)) > 20]
    assert len(full) >= 3
    assert sum(map(independence, full)) < AT_MOST[len(full)]


def test_where_a_card_lies_in_one_game_of_an_opening_tells_nothing_of_the_other() -> None:
    """Quarters of the deck in which cards lie that are hidden in both; one card a pair."""
    table = [[0.0] * 4 for _ in range(4)]
    for number, (one, other) in enumerate(pairs()):
        decks = hidden(one), hidden(other)
        both = sorted(set(decks[0]) & set(decks[1]))
        card = both[number % len(both)]
        first, second = (4 * deck.index(card) // len(deck) for deck in decks)
        table[first][second] += 1
    assert independence(table) < AT_MOST[9]
