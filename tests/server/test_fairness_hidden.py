"""What one game of a pair shows says nothing about what is hidden in the other."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest
from scipy.stats import chi2
from targi_engine import RULESETS, State, new_game
from targi_server import fairness

PAIRS = 1_000
UNLIKELY = 1e-6
"""Chance that a uniform shuffle fails one of the checks below; the pairs are fixed, so it is drawn once."""


def draw(*parts: object) -> bytes:
    return hashlib.sha256(repr(parts).encode()).digest()


def pairs(ruleset: str) -> Iterator[tuple[State, State]]:
    """The deals of both games of a thousand pairs."""
    for number in range(PAIRS):
        nonces = draw("a", number), draw("b", number)
        opening = fairness.opening_seed(draw("S0", number), *nonces)
        yield (
            new_game(ruleset, fairness.game_seed(1, draw("S1", number), *nonces), opening),
            new_game(ruleset, fairness.game_seed(2, draw("S2", number), *nonces), opening),
        )


def hidden(state: State, deck: str) -> tuple[int, ...]:
    """Cards of a deck that nobody has seen, the next one first."""
    found = getattr(state, deck)
    at = found.at + (1 if deck == "tribe" and state.ruleset.open_top else 0)
    return tuple(found.cards[at:])


def uniform(places: Counter[int], among: int) -> bool:
    """Chi-square test: the counted places may come from `among` equally likely ones."""
    expected = places.total() / among
    statistic = sum((places[place] - expected) ** 2 / expected for place in range(among))
    return bool(chi2.sf(statistic, among - 1) > UNLIKELY)


@pytest.mark.parametrize("deck", ["tribe", "goods"])
def test_hidden_cards_of_game_2_lie_anywhere_whatever_game_1_showed(deck: str) -> None:
    """For the card that was first, in the middle or last in game 1, its place in game 2 is uniform.

    The base game's tribe cards are all different; of equal goods cards one is taken at random.
    """
    places: dict[int, Counter[int]] = {0: Counter(), 1: Counter(), 2: Counter()}
    size = 0
    for first, second in pairs("base"):
        one, two = hidden(first, deck), hidden(second, deck)
        assert sorted(one) == sorted(two)
        size = len(one)
        for which, at in enumerate((0, size // 2, size - 1)):
            alike = [place for place, card in enumerate(two) if card == one[at]]
            places[which][alike[draw(deck, *one)[0] % len(alike)]] += 1
    for counted in places.values():
        assert counted.total() == PAIRS
        assert uniform(counted, size)


@pytest.mark.parametrize("deck", ["tribe", "goods"])
def test_hidden_orders_of_both_games_agree_as_often_as_chance_has_it(deck: str) -> None:
    """Places with the same card in both games are as many as two independent shuffles have."""
    agreements, expected = 0, 0.0
    for first, second in pairs("base"):
        one, two = hidden(first, deck), hidden(second, deck)
        agreements += sum(a == b for a, b in zip(one, two, strict=True))
        expected += sum(count * count for count in Counter(one).values()) / len(one)
    # The count is a sum of nearly independent rare events: its variance is about its mean.
    assert abs(agreements - expected) < 5 * expected**0.5


@pytest.mark.parametrize("ruleset", RULESETS)
def test_both_games_show_the_same_at_their_start(ruleset: str) -> None:
    for number, (first, second) in enumerate(pairs(ruleset)):
        if number == 50:
            break
        assert first.observation(None) == second.observation(None)
