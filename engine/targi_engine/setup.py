"""The deal (B2, X1), with or without an opening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from targi_engine import frames
from targi_engine.board import CELLS
from targi_engine.catalog import Catalog
from targi_engine.deck import Deck, new_deck
from targi_engine.goods import SYMBOLS
from targi_engine.player import new_player
from targi_engine.randomness import Words, check_seed
from targi_engine.rounds import RUNNING, TARGIA_START
from targi_engine.ruleset import Ruleset
from targi_engine.ruleset import ruleset as find_ruleset
from targi_engine.state import State

# Dates, salt, pepper, gold, water, VP at the start (B2.2, X1.7).
BASE_STOCK: Final = (2, 2, 2, 1, 0, 4)
EXPANSION_STOCK: Final = (1, 1, 1, 1, 2, 4)
EASY_STOCK: Final = (2, 2, 2, 1, 2, 4)
OPEN_DUNES: Final = 3
OF_A_SYMBOL: Final = 9  # tribe cards of a symbol in a game


def new_game(
    ruleset: Ruleset | str,
    seed: bytes,
    opening: bytes | None = None,
    *,
    variants: Mapping[str, str] | str = "",
) -> State:
    """A new game, up to its first choice.

    `ruleset` is a Ruleset, or a name that `variants` go with; `seed` and `opening` have 32 bytes.
    Raises UnknownRuleset, UnknownVariant, SeedError.
    """
    rules = find_ruleset(ruleset, variants) if isinstance(ruleset, str) else ruleset
    check_seed(seed)
    if opening is not None:
        check_seed(opening, "opening")
    state = bare_table(rules, bytes(seed), None if opening is None else bytes(opening))
    _deal(state)
    state.push(frames.OPEN_ROUND, 0)
    state.advance()
    return state


def bare_table(rules: Ruleset, seed: bytes, opening: bytes | None) -> State:
    """A state with nothing dealt and nothing asked yet."""
    state = State()
    state.ruleset = rules
    state.seed = seed
    state.opening = opening
    state.ply = 0
    state.round = 1
    state.first = 0
    state.current_seat = 0
    state.turn = 0
    state.asked = False
    state.reveals = 0
    state.robber = 1
    state.targia = TARGIA_START if rules.expanded else 0
    stock = (EASY_STOCK if rules.easy_start else EXPANSION_STOCK) if rules.expanded else BASE_STOCK
    state.players = (new_player(0, list(stock)), new_player(1, list(stock)))
    state.centre = [0] * CELLS
    state.down = 0
    state.known = 0
    state.bare = 0
    state.epochs = [0] * CELLS
    state.dune_slots = [0, 0, 0]
    state.joint = 0
    state.placed = 0
    state.stack = []
    state.payment = None
    state.shown = ()
    state.reached = ()
    state.end_reason = RUNNING
    state._legal = ()
    state._forced = []
    return state


def _deal(state: State) -> None:
    """Shuffle with the opening (or the seed), deal what is visible, shuffle the rest with the seed."""
    rules = state.ruleset
    catalog = rules.catalog
    source = state.seed if state.opening is None else state.opening
    state.tribe = new_deck("tribe", Words(source, "tribe").shuffled(_tribe_cards(rules, source)))
    state.goods = new_deck("goods", Words(source, "goods").shuffled(catalog.deck_of_goods))
    state.dunes = new_deck("dunes", Words(source, "dunes").shuffled(catalog.deck_of_dunes))
    # B2.1 and X1.3: a checkerboard, goods on the even cells in the base game, on the odd ones else.
    for cell in range(CELLS):
        goods = cell % 2 == (1 if rules.expanded else 0)
        state.centre[cell] = (state.goods if goods else state.tribe).draw(state.seed)
    if rules.expanded:
        state.dune_slots = [state.dunes.draw(state.seed) for _ in range(OPEN_DUNES)]  # X1.5
    state.reveals = CELLS + (OPEN_DUNES + 1 if rules.expanded else 0)
    if state.opening is not None:
        _reshuffle_rest(state)


def _tribe_cards(rules: Ruleset, source: bytes) -> Sequence[int]:
    """The tribe cards of a game before shuffling; in `mixed` 9 of the 18 of every symbol."""
    catalog = rules.catalog
    if not rules.mixed:
        return catalog.tribe
    chosen: list[int] = []
    for symbol, name in enumerate(SYMBOLS):
        chosen += Words(source, f"mixed:{name}").shuffled(catalog.by_symbol[symbol])[:OF_A_SYMBOL]
    return chosen


def _reshuffle_rest(state: State) -> None:
    """Shuffle with the seed what the opening has not laid open."""
    catalog = state.ruleset.catalog
    seed = state.seed
    open_top = state.ruleset.open_top
    state.goods = _rest_of("goods", seed, state.goods.rest())
    state.dunes = _rest_of("dunes", seed, state.dunes.rest())
    top = state.tribe.rest()[:1] if open_top else ()
    rest = state.tribe.rest()[len(top) :]
    if state.ruleset.mixed:
        dealt = [card for card in (*state.centre, *top) if catalog.symbols[card] >= 0]
        rest = _missing_cards(catalog, seed, dealt)
    shuffled = Words(seed, "tribe:rest").shuffled(sorted(rest))
    state.tribe = new_deck("tribe", (*top, *shuffled))


def _rest_of(label: str, seed: bytes, cards: Sequence[int]) -> Deck:
    # Card numbers rise in file order, copies are equal: sorting puts a rest back into that order.
    return new_deck(label, Words(seed, f"{label}:rest").shuffled(sorted(cards)))


def _missing_cards(catalog: Catalog, seed: bytes, dealt: Sequence[int]) -> tuple[int, ...]:
    """For `mixed`: per symbol, as many of the cards not dealt as are missing to nine."""
    rest: list[int] = []
    for symbol, name in enumerate(SYMBOLS):
        others = [card for card in catalog.by_symbol[symbol] if card not in dealt]
        missing = OF_A_SYMBOL - sum(catalog.symbols[card] == symbol for card in dealt)
        rest += Words(seed, f"mixed:{name}:rest").shuffled(others)[:missing]
    return tuple(rest)
