"""What holds at every decision of every game: nothing negative, no card lost or doubled, no dead end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from targi_engine import State
from targi_engine.board import ALL_PLACES, bits
from targi_engine.goods import GOLD

Positions = Callable[[str, int], Iterator[State]]
GAMES = 25


def all_cards(state: State) -> Counter[int]:
    """Every card of the game by number, wherever it lies; a displayed dune counts as the dune."""
    cards = [*state.centre, *state.shown, *state.dune_slots]
    for deck in (state.tribe, state.goods, state.dunes):
        cards += [*deck.rest(), *deck.discard]
    for player in state.players:
        cards += [*player.hand, *player.display]
    dune_of = state.ruleset.catalog.dune_of
    return Counter(dune_of.get(card, card) for card in cards if card)


def test_no_card_is_lost_or_doubled(ruleset_name: str, positions: Positions) -> None:
    for game in range(GAMES):
        start: Counter[int] | None = None
        for state in positions(ruleset_name, game):
            now = all_cards(state)
            start = start or now
            assert now == start


def test_nothing_is_ever_negative_or_above_its_limit(ruleset_name: str, positions: Positions) -> None:
    for game in range(GAMES):
        for state in positions(ruleset_name, game):
            for player in state.players:
                assert min(player.stock) >= 0
                assert 0 <= player.fresh <= len(player.hand)
                assert set(player.tokens) | set(player.stored) <= set(player.display)
                # X4.4 lets goods grow beyond the limit between two turns; without water they cannot.
                if state.decision in ("place", "raid") and ruleset_name == "base":
                    assert player.goods() <= 10
                    assert player.stock[GOLD] <= 3
                    assert len(player.hand) <= 1


def test_rows_are_filled_from_the_left(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 3):
        for player in state.players:
            for row in range(3):
                cards = player.display[4 * row : 4 * row + 4]
                assert 0 not in cards[: sum(card != 0 for card in cards)]


def test_figures_obey_the_placement(ruleset_name: str, positions: Positions) -> None:
    for game in range(GAMES):
        for state in positions(ruleset_name, game):
            one, other = state.players
            assert not one.targis & other.targis & ALL_PLACES
            for player in state.players:
                assert len(bits(player.targis)) <= 3
                assert len(bits(player.markers)) <= 2
                assert state.decision != "place" or not player.markers
