"""A bot that looks at the position after each of its actions and takes the one it likes best.

An action that begins a chain (a card to pay, goods to choose) is judged by the best way to finish the chain.
Liking is a sum in victory points: what counts already, what goods and gold will buy, rows that may become
full, and what the figures on the board still promise.
"""

from __future__ import annotations

from collections.abc import Sequence

from targi_engine import Observation, PlayerView, State
from targi_sdk.bot import Action, Bot, Turn

from targi_bots.table import CELLS_FACING, TribeCard, displayed, gives, shortfall, tribe_cards

__all__ = ["GreedyBot", "liking"]

CHAIN_DEPTH = 5
"""So many further decisions of a chain are looked through."""
NOT_CHAINS = frozenset({"place", "act", "raid", "trade", "arrange"})
"""Decisions at which the position is judged as it stands."""
UNORDERED = frozenset({"gain", "give", "save"})
"""Decisions that come several times in a row, where only what was chosen matters, not in which order."""

GOODS_VALUE = (0.0, 0.5, 1.0, 1.4, 1.7, 1.9, 2.0)
"""Of so many goods of one kind; more are worth nothing more."""
GOLD_VALUE = (0.0, 1.0, 1.8, 2.3)
WATER_VALUE = 0.1
"""Of one water, beyond the half point that it scores."""
GOODS_KEPT, EXCESS_GOOD = 10, 0.6
"""Goods beyond the limit go back at the end of the turn: what each of them is worth less."""
SAME_PROMISE = (0.0, 0.1, 0.6, 1.6)
"""Of a row that holds so many cards of one symbol and no other."""
DIFFERENT_PROMISE = (0.0, 0.1, 0.5, 1.1)
"""Of a row that holds so many cards, all different."""
PERMANENT_VALUE = 0.12
"""Of a card with a lasting effect, for each round that is left."""
TOKEN_VALUE = 0.4
HAND_VALUE = 0.4
LAY_VALUE = 0.6
"""Of a card that can be laid, beyond its points: it opens effects and fills a row."""
PRICE = 0.27
"""Of one good, gold or water of a cost."""
LACK = 0.35
"""Part of a card's value that each missing good takes away."""
VISIT_VALUE = {
    1: 0.3,
    2: 0.5,
    3: 0.5,
    5: 0.3,
    6: 0.5,
    7: 0.5,
    9: 0.3,
    10: 0.3,
    11: 0.5,
    13: 0.6,
    14: 0.8,
    15: 0.5,
}
"""Of a Targi that may still use its border card."""
DUNE_VISIT = 0.8
CROSSING_SHARE = 0.3
"""Part of a cell's value for a Targi that looks at it while others are still to be placed."""
OPPONENT_SHARE = 0.5
"""How much the opponent's prospects count against the own ones."""
LAST_ROUND = 12
ROW_CELLS = 4


class GreedyBot(Bot):
    """Looks one action ahead, in one guess of the hidden cards."""

    version = "1.0"
    rulesets = ("base", "expansion", "mixed")
    in_process = True

    def choose(self, turn: Turn) -> Action:
        state = turn.state()
        return max(turn.legal, key=lambda action: _value(state, action, turn.seat, CHAIN_DEPTH))


def _value(state: State, action: Action, seat: int, depth: int) -> float:
    """How much the seat likes the position after an action and the best end of its chain."""
    after = state.clone()
    after.apply_unchecked(action)
    if after.current_seat != seat or after.decision in NOT_CHAINS or depth == 0:
        return liking(after.observation(seat), seat)
    further = after.legal_actions()
    if after.decision == state.decision in UNORDERED:
        further = tuple(one for one in further if one >= action) or further
    return max(_value(after, one, seat, depth - 1) for one in further)


def liking(view: Observation, seat: int) -> float:
    """How much a seat likes a position, in victory points; when the game is over only the result counts."""
    scores = view.scores()
    lead = scores[seat] - scores[1 - seat]
    if view.is_over:
        return 100.0 * (view.outcome().result == ("1-0", "0-1")[seat]) + lead
    outlook = _Outlook(view)
    return lead + outlook.of(seat) - OPPONENT_SHARE * outlook.of(1 - seat)


class _Outlook:
    """What the two sides may still make of what they have."""

    def __init__(self, view: Observation) -> None:
        self.view = view
        self.players = view.players
        self.centre = view.centre
        self.cards = tribe_cards(view.ruleset)
        self.left = LAST_ROUND - view.round

    def of(self, seat: int) -> float:
        """The prospects of a side, in victory points."""
        player = self.players[seat]
        future = min(1.0, 0.3 + self.left / 4)
        value = future * (_stock(player) + HAND_VALUE * len(player.hand) + self._display(player))
        return value + self._figures(player) if self._still_acts(seat) else value

    def _still_acts(self, seat: int) -> bool:
        """Whether the figures of a seat may still act in this round: the first player's turn comes first."""
        return self.view.decision == "place" or self.view.current_seat == seat or seat != self.view.first

    def _display(self, player: PlayerView) -> float:
        """What rows that are begun may become, lasting effects and tokens; full rows are in the score."""
        value = TOKEN_VALUE * len(player.tokens)
        for row in player.display:
            cards = [displayed(self.cards, name) for name in row]
            value += PERMANENT_VALUE * self.left * sum(card.kind == "permanent" for card in cards)
            value += _promise(cards)
        return value

    def _figures(self, player: PlayerView) -> float:
        """What the figures on the board still promise."""
        value = sum(VISIT_VALUE[place] for place in player.targis) + DUNE_VISIT * len(player.dune_targis)
        value += sum(self._cell(player, cell) for cell in player.markers)
        if self.view.decision == "place":
            seen = (max(self._cell(player, cell) for cell in CELLS_FACING[place]) for place in player.targis)
            value += CROSSING_SHARE * sum(seen)
        return value

    def _cell(self, player: PlayerView, cell: int) -> float:
        """What the card in a cell is worth to a player who may use it."""
        card = self.centre[cell]
        if card.card is None or not card.face_up:
            return 0.0
        if card.deck == "goods":
            return 0.5 * sum(gives(card.card).values()) + 0.3 * ("gold" in gives(card.card))
        return _laying(self.cards[card.card], player)


def _stock(player: PlayerView) -> float:
    goods = player.dates, player.salt, player.pepper
    value = sum(_upto(GOODS_VALUE, count) for count in goods) + _upto(GOLD_VALUE, player.gold)
    excess = max(0, sum(goods) - GOODS_KEPT)
    return value + player.stored_gold + WATER_VALUE * player.water - EXCESS_GOOD * excess


def _upto(values: Sequence[float], count: int) -> float:
    return values[min(count, len(values) - 1)]


def _promise(row: Sequence[TribeCard]) -> float:
    """What a row may become: one symbol, or all different."""
    symbols = {card.symbol for card in row}
    if len(row) == ROW_CELLS or not row:
        return 0.0
    if len(symbols) == 1:
        return SAME_PROMISE[len(row)]
    return DIFFERENT_PROMISE[len(row)] if len(symbols) == len(row) else 0.0


def _laying(card: TribeCard, player: PlayerView) -> float:
    """What laying a card is worth: its points and more, less its cost, less for what is missing of it."""
    price = min((sum(cost.values()) for cost in card.costs), default=0)
    value = card.vp + LAY_VALUE - PRICE * price + 0.5
    return max(0.3, value * (1 - LACK * shortfall(card, player)))
