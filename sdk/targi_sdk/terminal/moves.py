"""Actions in words, as the player on a seat sees them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from targi_engine import Observation, action_name
from targi_engine.meanings import counts_words, symbol_words
from targi_engine.player import ROW_CELLS

from targi_sdk.cards.sheet import cost_words
from targi_sdk.terminal.faces import faces_of

__all__ = ["action_words", "decision_words"]

WATER_RATES = {"dates": 2, "salt": 2, "pepper": 2, "gold": 3}
"""Good or gold to the water that buys it (X4.2)."""


def action_words(view: Observation, action: int) -> str:
    """What an action that is legal in a position does."""
    name = action_name(action)
    if name in FIXED:
        return FIXED[name]
    for pattern, words in PATTERNS:
        if found := pattern.fullmatch(name):
            return words(view, *found.groups())
    return name


def decision_words(view: Observation) -> str:
    """What is asked in a position."""
    pending = view.pending
    words = DECISIONS[view.decision]
    about = f" {faces_of(view.ruleset).short(pending.card)}" if pending.card else ""
    left = f" ({pending.left} left)" if pending.left > 1 else ""
    raid = f": {faces_of(view.ruleset).demand(view.robber)}" if view.decision == "raid" else ""
    return f"{words}{about}{left}{raid}"


DECISIONS: Mapping[str, str] = {
    "place": "place a Targi",
    "act": "your action turn",
    "gain": "take a good",
    "give": "give a good",
    "trade": "the Trader",
    "silver": "the Silversmith",
    "marker": "move a marker",
    "cell": "a goods card of the centre",
    "border": "a border card",
    "card": "the card",
    "which": "which hand card",
    "cost": "which cost of",
    "modify": "how to pay for",
    "save": "which good less to pay for",
    "gold": "which gold to pay for",
    "optional": "the extra of",
    "raid": "a raid",
    "bonus": "choose what to take",
    "arrange": "rearrange the display",
    "targia": "the Targia",
    "draw": "the goods card that was turned up",
    "leave": "which card gives nothing",
    "water": "water for VP",
    "symbol": "the symbol of",
}
"""Decision to what is asked."""

FIXED: Mapping[str, str] = {
    "targia": "use the Targia",
    "hand": "play the hand card without the Noble",
    "t:gain": "use a token: take what it gives",
    "t:move_marker": "use a token: move a marker",
    "t:free_border_card": "use a token: use a border card without a Targi",
    "end": "end the turn",
    "take": "take it into the hand",
    "discard": "discard it",
    "reject": "pay 1 water, discard it, turn up the next one",
    "done": "leave it at that",
    "pay:as-printed": "as printed",
    "pay:any-goods": "in any goods, with a token",
    "pay:water-gold": "water for the gold, with a token",
    "from:card": "the gold on a card",
    "from:purse": "gold of your own",
    "extra": "pay the extra too",
    "plain": "pay the plain cost",
    "pay:goods": "pay goods",
    "pay:gold": "pay gold",
    "pay:vp": "pay victory points",
    "pay:card": "give the last card of a row",
    "get:3goods": "three goods of your choice",
    "get:gold": "a gold",
    "get:vp": "a victory point",
    "targia:take": "take a good of your choice",
    "targia:draw": "pay a good and turn up a goods card",
    "keep": "take what it gives",
    "redraw": "pay a good and turn up another one",
    "gold>2vp": "1 gold for 2 VP",
    "2gold>4vp": "2 gold for 4 VP",
    "2any>vp": "2 goods of any kind for 1 VP",
    "4any>3vp": "4 goods of any kind for 3 VP",
}
"""Notation to words, where the position does not matter."""


def _place(view: Observation, number: str) -> str:
    return f"a Targi on {faces_of(view.ruleset).border(int(number))}"


def _visit(view: Observation, number: str) -> str:
    return f"use {faces_of(view.ruleset).border(int(number))}"


def _dune(view: Observation, slot: str) -> str:
    return faces_of(view.ruleset).mark(view.dunes[int(slot) - 1] or "")


def _cell(view: Observation, cell: str) -> str:
    card = view.centre[int(cell)]
    if card.card is None or not card.face_up:
        return "the marker on a face-down card" if card.deck else "the marker on an empty cell"
    return faces_of(view.ruleset).short(card.card)


def _water(view: Observation, good: str) -> str:
    return f"{WATER_RATES[good]} water for {counts_words({good: 1})}"


def _trade(view: Observation, count: str, good: str, number: str, kind: str) -> str:
    return f"{counts_words({good: int(count)})} for {counts_words({kind: int(number or 1)})}"


def _row(view: Observation, row: str) -> str:
    display = view.players[view.current_seat].display[int(row) - 1]
    if view.robber == FOURTH_RAID and view.pending.card is None:
        return f"give {_marked(view, display[-1])}, the last card of row {row}"
    return f"lay it in row {row}: {' '.join(_marked(view, card) for card in display) or 'empty'}"


FOURTH_RAID = 16
"""The corner where the last card of a row can be given (X7.1)."""


def _marked(view: Observation, card: str) -> str:
    return faces_of(view.ruleset).mark(card)


def _held(view: Observation, place: str) -> str:
    return faces_of(view.ruleset).short(view.players[view.current_seat].hand[int(place) - 1])


def _cost(view: Observation, number: str) -> str:
    face = faces_of(view.ruleset).face(view.pending.card or "")
    return cost_words({"cost": [face["cost"][int(number) - 1]]}) if face else f"cost {number}"


def _arranged(view: Observation, place: str) -> str:
    row, cell = divmod(int(place) - 1, ROW_CELLS)
    cards = view.players[view.current_seat].display[row]
    where = f"row {row + 1}, place {cell + 1}"
    return f"{_marked(view, cards[cell])} ({where})" if cell < len(cards) else f"the free place ({where})"


def _left(view: Observation, place: str) -> str:
    return f"all but {_marked(view, view.revealed[int(place) - 1])}"


Words = Callable[..., str]
PATTERNS: tuple[tuple[re.Pattern[str], Words], ...] = (
    (re.compile(r"@(\d+)"), _place),
    (re.compile(r"@d(\d)"), lambda view, slot: f"a Targi on the dune {_dune(view, slot)}"),
    (re.compile(r"b(\d+)"), _visit),
    (re.compile(r"c(\d)"), _cell),
    (re.compile(r"d(\d)"), lambda view, slot: f"use the dune {_dune(view, slot)}"),
    (re.compile(r"water>(\w+)"), _water),
    (re.compile(r"well>(\w+)"), lambda view, good: f"1 water for {counts_words({good: 1})}, by a card"),
    (re.compile(r"\+(\w+)"), lambda view, good: f"take {counts_words({good: 1})}"),
    (re.compile(r"-(\w+)"), lambda view, good: f"give {counts_words({good: 1})}"),
    (re.compile(r"~(\w+)"), lambda view, good: f"{counts_words({good: 1})} less"),
    (re.compile(r"(\d)(\w+)>(\d?)(\w+)"), _trade),
    (re.compile(r"row(\d)"), _row),
    (re.compile(r"h(\d)"), _held),
    (re.compile(r"cost(\d)"), _cost),
    (re.compile(r"x(\d+)"), _arranged),
    (re.compile(r"leave(\d)"), _left),
    (re.compile(r"sym:(\w+)"), lambda view, symbol: symbol_words(symbol)),
)
"""Notations to the words for their parts."""
