"""What nobody has seen: the undealt decks and the face-down cards of the centre.

Hands, displays and discards are public, so both seats miss the same cards. A reshuffle parts a deck
in two: the face-down cards drawn before it are none of the discards that the new deck was made of.
Each part is a pool: the places that hold its cards, and the cards that can lie there.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, NamedTuple

from targi_engine.board import CELLS
from targi_engine.catalog import GOODS_BACK, TRIBE_BACK
from targi_engine.goods import SYMBOLS
from targi_engine.setup import OF_A_SYMBOL

if TYPE_CHECKING:
    from targi_engine.catalog import Catalog
    from targi_engine.deck import Deck
    from targi_engine.state import State

TRIBE: Final = 0
GOODS: Final = 1
DUNES: Final = 2
LABELS: Final = ("tribe", "goods", "dunes")
BACKS: Final = (TRIBE_BACK, GOODS_BACK, GOODS_BACK)


class Pool(NamedTuple):
    """Hidden cards of one deck, drawn or to be drawn between two of its reshuffles."""

    deck: int  # TRIBE, GOODS or DUNES
    cells: tuple[int, ...]  # face-down cells that hold some of the cards
    in_deck: int  # how many of the cards lie in the deck
    cards: tuple[int, ...]  # ascending; `surplus` more than the places
    surplus: bool  # `mixed`: nine of the cards of each symbol are not in the game


def shuffle(rng: random.Random, cards: list[int]) -> None:
    """Shuffle in place, with `rng.random()` alone, so that every Python version does the same."""
    draw = rng.random
    for i in range(len(cards) - 1, 0, -1):
        j = int(draw() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


def deal(pool: Pool, catalog: Catalog, rng: random.Random) -> list[int]:
    """One way the cards can lie, each equally likely: those of the cells first, then the deck's."""
    cards = list(pool.cards)
    if pool.surplus:
        cards = []
        for symbol in range(len(SYMBOLS)):
            group = [card for card in pool.cards if catalog.symbols[card] == symbol]
            shuffle(rng, group)
            cards += group[OF_A_SYMBOL:]
    shuffle(rng, cards)
    return cards


def only_decks(state: State) -> bool:
    """Whether nothing is hidden but the rest of each deck, as nearly always but in `mixed`."""
    return not state.down & ~state.known and not state.ruleset.mixed


def hidden_pools(state: State) -> tuple[Pool, ...]:
    """The pools of a state, tribe before goods before dunes, older before younger."""
    tribe = state.ruleset.catalog.tribe_cards
    unknown = state.down & ~state.known
    cells = [cell for cell in range(CELLS) if unknown >> cell & 1] if unknown else []
    tribe_cells = [cell for cell in cells if tribe[state.centre[cell]]]
    goods_cells = [cell for cell in cells if not tribe[state.centre[cell]]]
    seen_top = 1 if state.ruleset.open_top else 0  # X1.4
    return (
        *_deck_pools(state, TRIBE, state.tribe, tribe_cells, seen_top),
        *_deck_pools(state, GOODS, state.goods, goods_cells, 0),
        Pool(DUNES, (), state.dunes.left(), tuple(sorted(state.dunes.rest())), False),
    )


def _deck_pools(state: State, number: int, deck: Deck, cells: list[int], seen: int) -> list[Pool]:
    if not cells and not (number == TRIBE and state.ruleset.mixed):  # nearly always
        rest = deck.rest()[seen:]
        return [Pool(number, (), len(rest), tuple(sorted(rest)), False)]
    pools: list[Pool] = []
    epochs = {state.epochs[cell] for cell in cells} | {deck.shuffles}
    for epoch in sorted(epochs):
        held = tuple(cell for cell in cells if state.epochs[cell] == epoch)
        rest = deck.rest()[seen:] if epoch == deck.shuffles else ()
        cards = (*(state.centre[cell] for cell in held), *rest)
        surplus = number == TRIBE and epoch == 0 and state.ruleset.mixed
        if surplus:
            cards += _outside(state)
        pools.append(Pool(number, held, len(rest), tuple(sorted(cards)), surplus))
    return pools


def _outside(state: State) -> tuple[int, ...]:
    """The tribe cards of `mixed` that are not in the game."""
    inside = {*state.tribe.rest(), *state.tribe.discard, *state.centre, *state.shown}
    for me in state.players:
        inside.update(me.hand)
        inside.update(me.display)
    return tuple(card for card in state.ruleset.catalog.tribe if card not in inside)


def veiled(state: State, pools: tuple[Pool, ...]) -> list[int]:
    """The centre with backs in the place of hidden cards."""
    centre = state.centre[:]
    for pool in pools:
        for cell in pool.cells:
            centre[cell] = BACKS[pool.deck]
    return centre


def hide(state: State, pools: tuple[Pool, ...]) -> None:
    """Put backs in the place of all hidden cards, and forget the seeds."""
    state.seed = b""
    state.opening = None
    decks = (state.tribe, state.goods, state.dunes)
    for deck, back, seen in zip(decks, BACKS, (state.ruleset.open_top, False, False), strict=True):
        rest = deck.rest()
        top = rest[:1] if seen else ()
        deck.cards = top + (back,) * (len(rest) - len(top))
        deck.at = 0
    state.centre = veiled(state, pools)


def fill(state: State, pools: tuple[Pool, ...], rng: random.Random) -> None:
    """Put cards in the place of the backs, at random, and draw a seed for later reshuffles."""
    catalog = state.ruleset.catalog
    decks = (state.tribe, state.goods, state.dunes)
    for pool in pools:
        cards = deal(pool, catalog, rng)
        for cell in pool.cells:
            state.centre[cell] = cards.pop()
        if pool.in_deck:
            deck = decks[pool.deck]
            top = deck.cards[: len(deck.cards) - pool.in_deck]
            deck.cards = (*top, *cards)
    state.seed = rng.getrandbits(256).to_bytes(32, "big")
