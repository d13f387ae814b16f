"""What is still to be done: a state's stack of frames.

A frame is a small int: the number of a step in its low bits, the step's argument above them. The
top frame is the decision that is asked, or work that the engine does before it asks again. The
numbers are positions in `targi_engine.steps.STEPS`.
"""

from __future__ import annotations

from typing import Final

BITS: Final = 7
MASK: Final = 127

# Decisions.
PLACE: Final = 0
ACT: Final = 1
GAIN: Final = 2  # goods left to gain
CARD_GAIN: Final = 3  # goods left to gain from a goods card | kinds gained from it so far << 4
GIVE: Final = 4  # goods left to give
TRADE: Final = 5  # exchanges left << 1 | whether one was made
SILVER: Final = 6  # 0: equal goods, 1: any goods
MARKER: Final = 7  # reach (see board.REACHES)
MARKER_TO: Final = 8  # reach << 4 | cell it comes from
CELL: Final = 9  # whether the card leaves
BORDER: Final = 10
CARD: Final = 11  # place in the hand, or cell, << 4 | source (see sources.SOURCES)
WHICH: Final = 12  # source
COST: Final = 13
MODIFY: Final = 14
SAVE: Final = 15
GOLD: Final = 16
OPTIONAL: Final = 17
EXTRA_GOODS: Final = 18
ANY_GOODS: Final = 19
RAID: Final = 20
LOSE_CARD: Final = 21
BONUS: Final = 22
ARRANGE: Final = 23  # whether cards may move
ARRANGE_TO: Final = 24  # first cell, 0 to 11, << 1 | whether cards may move
TARGIA: Final = 25  # 0: the figure's, 1: a card's
DRAW: Final = 26
LEAVE: Final = 27
EXCHANGE: Final = 28  # optional << 8 | offers as a mask << 4 | times left
SYMBOL: Final = 29  # row << 2 | slot
DUNE_ROW: Final = 30  # slot
# Work.
PAY: Final = 31
LEAVE_CELL: Final = 32  # cell
DISCARD_SHOWN: Final = 33
GAIN_SHOWN: Final = 34  # place of the next card among those turned up << 2 | place that is left, plus 1
AWARD: Final = 35  # VP
AFTER_DUNE: Final = 36  # whether bonuses were taken << 2 | slot
TURN_UP: Final = 37
RAID_TURN: Final = 38  # seat
RAID_GOODS: Final = 39
RAID_PAID: Final = 40
NO_GOODS: Final = 41
LIMITS: Final = 42
DUNES_OFF: Final = 43
TURN: Final = 44  # seat
OPEN_ROUND: Final = 45  # whether a raid came before
CLOSE_ROUND: Final = 46
GAME_OVER: Final = 47
GET: Final = 48  # card whose gain comes after the action that it allowed

DECISIONS: Final = (
    *("place", "act", "gain", "gain", "give", "trade", "silver", "marker", "marker", "cell"),
    *("border", "card", "which", "cost", "modify", "save", "gold", "optional", "give", "give"),
    *("raid", "card", "bonus", "arrange", "arrange", "targia", "draw", "leave", "water", "symbol", "card"),
)
