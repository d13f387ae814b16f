"""A bot that plays at random, but leans towards laying cards: it saves up for them and uses dunes and tokens.

It is not strong. Its games reach what games of an even random player hardly ever do: full displays, the
twelfth card, permanent effects that work together, and the rules for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from targi_engine import Observation, PlayerView
from targi_sdk.bot import Action, Bot, Turn

from targi_bots.table import CELLS_FACING, COLUMNS, ROWS, displayed, gives, missing, shortfall, tribe_cards

__all__ = ["BuilderBot"]

STRAY = 0.02
"""Share of decisions that are taken evenly at random, so that nothing is out of reach."""
SHARPNESS = 5
"""How much more a welcome place is drawn than another: the power that its welcome is raised to."""
DUNE_VISIT = 8
"""How welcome a dune is."""
PLANNED_CARDS = 2
"""So many cards are saved up for at once."""
SCARCE_ROUNDS = 12
"""From this round on, what is not laid any more is turned into points."""


class BuilderBot(Bot):
    """Weighs the actions by how far they lead to another card on the table, then draws one."""

    version = "1.0"
    rulesets = ("base", "expansion", "mixed")
    in_process = True

    def choose(self, turn: Turn) -> Action:
        weigh = WEIGHTS.get(turn.decision)
        if weigh is None or turn.rng.random() < STRAY:
            return turn.rng.choice(turn.legal)
        table = _Table(turn.observation, turn.seat)
        weights = [weigh(table, turn.name(action)) for action in turn.legal]
        return turn.rng.choices(turn.legal, weights)[0]


class _Table:
    """The position as the builder sees it."""

    def __init__(self, view: Observation, seat: int) -> None:
        self.view = view
        self.me: PlayerView = view.players[seat]
        self.cards = tribe_cards(view.ruleset)
        self.goods: Mapping[str, int] = {
            "dates": self.me.dates,
            "salt": self.me.salt,
            "pepper": self.me.pepper,
        }
        self.wanted = self._plan()

    def lacks(self, card: str) -> int:
        """Goods, gold and water that are missing for a card."""
        return shortfall(self.cards[card], self.me)

    def cell(self, cell: int) -> float:
        """How welcome the card in a cell is."""
        card = self.view.centre[cell]
        if card.card is None or not card.face_up:
            return 0.0
        if card.deck == "goods":
            return 2.2 * sum(gives(card.card).values()) + 4 * ("gold" in gives(card.card))
        return (8.0, 5.0, 2.0, 0.5)[min(self.lacks(card.card), 3)]

    def needs(self, kind: str) -> int:
        """How many of a good or of gold are missing for the card that the player saves up for."""
        have = self.me.gold + self.me.stored_gold if kind == "gold" else self.goods[kind]
        return max(0, self.wanted[kind] - have)

    def spare(self, good: str) -> int:
        """How many of a good the player can do without."""
        return self.goods[good] - self.wanted[good]

    def _plan(self) -> Counter[str]:
        """What the nearest cards cost together: those in the hand and face up in the centre."""
        face_up = [card.card for card in self.view.centre if card.face_up and card.card in self.cards]
        cards = [self.cards[card] for card in (*self.me.hand, *face_up) if card]
        cheapest = (min(card.costs, key=self._missing) for card in cards if card.costs)
        costs = sorted(cheapest, key=self._missing)
        plan: Counter[str] = Counter()
        for cost in costs[:PLANNED_CARDS]:
            plan.update(cost)
        return plan

    def _missing(self, cost: Mapping[str, int]) -> int:
        return missing(cost, self.me)


def _place(table: _Table, action: str) -> float:
    if action.startswith("@d"):
        return float(DUNE_VISIT**SHARPNESS)
    place = int(action[1:])
    return (VISITS[place](table) + _crossings(table, place)) ** SHARPNESS


def _crossings(table: _Table, place: int) -> float:
    """How welcome the cells are on which a Targi would put markers, or might."""
    across = COLUMNS if place in ROWS else ROWS
    lines = [CELLS_FACING[other] for other in table.me.targis if other in across]
    cells = [cell for cell in CELLS_FACING[place] if any(cell in line for line in lines)]
    if lines:
        return sum(table.cell(cell) for cell in cells)
    return 0.5 * max(table.cell(cell) for cell in CELLS_FACING[place])


def _good_visit(good: str) -> Callable[[_Table], float]:
    return lambda table: 2.0 + 3 * table.needs(good)


def _noble_visit(table: _Table) -> float:
    return 8.0 if any(table.lacks(card) <= 1 for card in table.me.hand) else 0.2


def _trader_visit(table: _Table) -> float:
    return 1.0 + 6.0 * (max(table.goods.values()) >= 3 and table.me.gold == 0)


def _water_hole_or_silver(table: _Table) -> float:
    return 2.0 if table.view.round >= SCARCE_ROUNDS else 0.3


VISITS: Mapping[int, Callable[[_Table], float]] = {
    1: _noble_visit,
    2: _good_visit("dates"),
    3: _good_visit("salt"),
    5: _trader_visit,
    6: _good_visit("pepper"),
    7: _good_visit("dates"),
    9: lambda table: 0.7,
    10: _water_hole_or_silver,
    11: _good_visit("pepper"),
    13: lambda table: 3.0,
    14: lambda table: 4.0,
    15: _good_visit("salt"),
}
"""Border card to how welcome a visit is."""


def _act(table: _Table, action: str) -> float:
    if action[0] == "c" and action[1:].isdigit():
        return _use_cell(table, int(action[1:]))
    if action[0] == "b" and action[1:].isdigit():
        return _use_border(table, int(action[1:]))
    return ACTS.get(action, 40.0)


def _use_cell(table: _Table, cell: int) -> float:
    card = table.view.centre[cell]
    if card.deck == "goods" or card.card is None:
        return 100.0
    if table.lacks(card.card) == 0:
        return 110.0
    return 0.05 if table.me.hand else 2.0


def _use_border(table: _Table, place: int) -> float:
    if place == 1:
        return 110.0 if any(table.lacks(card) == 0 for card in table.me.hand) else 0.02
    if place == 10:
        return 5.0 if table.view.round >= SCARCE_ROUNDS else 0.02
    if place == 14:
        return 10.0
    return 5.0 if place in (5, 9) else 100.0


ACTS = {
    "end": 0.1,
    "hand": 60.0,
    "targia": 30.0,
    "water>dates": 0.5,
    "water>salt": 0.5,
    "water>pepper": 0.5,
    "water>gold": 3.0,
}
"""Weights of actions at `act`; dunes, wells and tokens have another."""


def _card(table: _Table, action: str) -> float:
    if action.startswith("row"):
        return 40.0 + 40.0 * (len(table.me.display[int(action[3:]) - 1]) > 0)
    return {"take": 30.0, "discard": 0.5, "reject": 2.0}.get(action, 0.5)


def _trade(table: _Table, action: str) -> float:
    if action == "done":
        return 2.0
    gives_up, _, wanted = action.partition(">")
    cheap = table.spare(gives_up[1:]) >= int(gives_up[0])
    return (20.0 if cheap else 0.2) if table.needs(wanted) else 0.1


def _gain(table: _Table, action: str) -> float:
    return 0.2 + table.needs(action[1:])


def _give(table: _Table, action: str) -> float:
    return 0.1 + table.goods[action[1:]] ** 2


def _raid(table: _Table, action: str) -> float:
    return {"pay:vp": 10.0 if table.me.vp > 1 else 1.0, "pay:gold": 0.5, "pay:card": 0.2}.get(action, 1.0)


def _symbol(table: _Table, action: str) -> float:
    symbol = action.removeprefix("sym:")
    shown = [displayed(table.cards, card).symbol for row in table.me.display for card in row]
    return 1.0 + shown.count(symbol)


WEIGHTS: Mapping[str, Callable[[_Table, str], float]] = {
    "place": _place,
    "act": _act,
    "card": _card,
    "trade": _trade,
    "gain": _gain,
    "give": _give,
    "raid": _raid,
    "symbol": _symbol,
}
"""Decision to how its actions are weighed; the others are drawn evenly."""
