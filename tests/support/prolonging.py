"""A bot that makes games long: of what it may do it takes what leads to most decisions."""

from __future__ import annotations

import random
from typing import Final

from targi_engine import ACTIONS, Ruleset, State, new_game
from targi_engine.actions import DONE, END, ROW, TAKE

LAST_ROUND: Final = 12
LAST_PLACES: Final = 11
"""With so many cards it lays no more: the twelfth ends the game."""
WHIM: Final = 0.05
"""How often it takes any action, so that games differ."""

# Beginnings of actions, the liked ones first; what begins otherwise comes after `AS_IT_COMES`.
ORDER: Final = (
    *("@5", "@d", "@13", "@14", "@1", "c", "d1", "d2", "d3", "t:", "b13", "b", "row", "take"),
    *("reject", "targia:draw", "redraw", "get:3goods", "pay:any-goods", "extra", "from:card", "h1"),
    *("1", "water>dates", "water>salt", "water>pepper", "well>", "targia", "hand", "4any", "2any", "2", "x"),
    *("pay:goods", "~", "+", "-"),
)
AS_IT_COMES: Final = len(ORDER)
LAST: Final = {DONE: AS_IT_COMES + 1, END: AS_IT_COMES + 2}
TRADER_LAST: Final = "b5"
"""The Trader exchanges one for one as many goods as are held, so everything else comes before."""


def _rank(action: int) -> int:
    name = ACTIONS[action]
    if name == TRADER_LAST:
        return ORDER.index("targia") - 1
    found = (at for at, start in enumerate(ORDER) if name.startswith(start))
    return LAST.get(action, next(found, AS_IT_COMES))


RANKS: Final = tuple(_rank(action) for action in range(len(ACTIONS)))


def prolong(legal: tuple[int, ...], cards: int, round_: int, rng: random.Random) -> int:
    """The action that it takes with so many cards in its display; of those that it likes equally any."""
    if rng.random() < WHIM:
        return rng.choice(legal)
    if cards >= LAST_PLACES and round_ < LAST_ROUND:
        legal = tuple(action for action in legal if not ROW <= action < TAKE) or legal
    best = min(RANKS[action] for action in legal)
    return rng.choice([action for action in legal if RANKS[action] == best])


def long_game(rules: Ruleset, number: int) -> State:
    """The end of a game that both seats prolong."""
    state = new_game(rules, number.to_bytes(32, "big"))
    rng = random.Random(number)
    while not state.is_over:
        cards = state.players[state.current_seat].powers.cards
        state.apply_unchecked(prolong(state.legal_actions(), cards, state.round, rng))
    return state
