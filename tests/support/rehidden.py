"""Another game that looks the same: all that nobody has seen lies elsewhere, or is another card."""

from __future__ import annotations

import random

from targi_engine import State
from targi_engine.deck import Deck


def rehidden(state: State, rng: random.Random) -> State:
    """A copy with other decks, face-down cells, seeds, and in `mixed` other cards in the game."""
    other = state.clone()
    rules = other.ruleset
    other.seed = rng.randbytes(32)
    other.opening = None if state.opening is None else rng.randbytes(32)
    outside = _outside(other) if rules.mixed else []
    _redraw(other, other.tribe, True, 1 if rules.open_top else 0, outside, rng)
    _redraw(other, other.goods, False, 0, [], rng)
    _redraw(other, other.dunes, False, 0, [], rng, cells=False)
    return other


def _outside(state: State) -> list[int]:
    """The tribe cards of `mixed` that are in neither deck, centre, hands, displays nor discard."""
    held = {*state.tribe.rest(), *state.tribe.discard, *state.centre, *state.shown}
    held.update(card for player in state.players for card in (*player.hand, *player.display))
    return [card for card in state.ruleset.catalog.tribe if card not in held]


def _redraw(
    state: State,
    deck: Deck,
    tribe: bool,
    seen: int,
    outside: list[int],
    rng: random.Random,
    *,
    cells: bool = True,
) -> None:
    """Mix the undealt rest with the face-down cards that were drawn since the same shuffle."""
    is_tribe = state.ruleset.catalog.tribe_cards
    hidden = [
        cell
        for cell in range(9)
        if cells and (state.down & ~state.known) >> cell & 1 and is_tribe[state.centre[cell]] == tribe
    ]
    for epoch in range(deck.shuffles + 1):
        places = [cell for cell in hidden if state.epochs[cell] == epoch]
        first = deck.at + seen if epoch == deck.shuffles else len(deck.cards)
        cards = [*(state.centre[cell] for cell in places), *deck.cards[first:]]
        if epoch == 0:
            cards = _others(state, cards, outside, rng)
        rng.shuffle(cards)
        for cell in places:
            state.centre[cell] = cards.pop()
        deck.cards = (*deck.cards[:first], *cards)


def _others(state: State, cards: list[int], outside: list[int], rng: random.Random) -> list[int]:
    """As many cards of each symbol, some of them perhaps from outside of the game."""
    if not outside:
        return cards
    symbols = state.ruleset.catalog.symbols
    chosen: list[int] = []
    for symbol in range(5):
        there = [card for card in cards if symbols[card] == symbol]
        chosen += rng.sample(there + [card for card in outside if symbols[card] == symbol], len(there))
    return chosen
