"""The vocabulary of actions: one list for all rulesets, ids append-only.

The id of an action is its place in `ACTIONS`. A new action goes to the end; none is ever moved,
renamed or reused. The constants below are ids, named for what the action does; a block of like
actions has one constant for its first id.
"""

from __future__ import annotations

from typing import Final

from targi_engine.board import PLACES
from targi_engine.errors import UnknownAction
from targi_engine.goods import GOODS, SYMBOLS

VOCABULARY: Final = 1

_PAIRS: Final = tuple((give, get) for give in GOODS for get in GOODS if give != get)

ACTIONS: Final[tuple[str, ...]] = (
    *(f"@{place}" for place in PLACES),
    *(f"@d{slot}" for slot in (1, 2, 3)),
    *(f"b{place}" for place in PLACES),
    *(f"c{cell}" for cell in range(9)),
    *(f"d{slot}" for slot in (1, 2, 3)),
    "targia",
    "hand",
    *(f"water>{kind}" for kind in (*GOODS, "gold")),
    *(f"well>{good}" for good in GOODS),
    *("t:gain", "t:move_marker", "t:free_border_card"),
    "end",
    *(f"+{good}" for good in GOODS),
    *(f"-{good}" for good in GOODS),
    *(f"3{good}>gold" for good in GOODS),
    *(f"2{give}>{get}" for give, get in _PAIRS),
    *(f"1{give}>{get}" for give, get in _PAIRS),
    *(f"2{good}>vp" for good in GOODS),
    *(f"4{good}>3vp" for good in GOODS),
    *("gold>2vp", "2gold>4vp", "2any>vp", "4any>3vp"),
    *("row1", "row2", "row3", "take", "discard", "reject"),
    *("h1", "h2", "cost1", "cost2"),
    *("pay:as-printed", "pay:any-goods", "pay:water-gold"),
    *(f"~{good}" for good in GOODS),
    *("from:card", "from:purse", "extra", "plain"),
    *("pay:goods", "pay:gold", "pay:vp", "pay:card"),
    *("get:3goods", "get:gold", "get:vp"),
    *(f"x{cell}" for cell in range(1, 13)),
    *("targia:take", "targia:draw", "keep", "redraw"),
    *("leave1", "leave2", "leave3"),
    *("2water>2vp", "4water>4vp", "2water>vp"),
    *(f"sym:{symbol}" for symbol in SYMBOLS),
    "done",
)

PLACE: Final = 0  # twelve border cards, then three dunes
PLACE_DUNE: Final = 12
BORDER: Final = 15
CELL: Final = 27
DUNE: Final = 36
TARGIA: Final = 39
HAND: Final = 40
WATER_FOR: Final = 41  # dates, salt, pepper, gold
WELL_FOR: Final = 45
TOKEN_GAIN: Final = 48
END: Final = 51
GAIN: Final = 52
GIVE: Final = 55
TRADE: Final = 58  # 3 for gold, then 2 for 1, then 1 for 1
SILVER: Final = 73  # 2 equal, 4 equal, gold, 2 gold, 2 any, 4 any
ROW: Final = 83
TAKE: Final = 86
DISCARD: Final = 87
REJECT: Final = 88
WHICH: Final = 89
COST: Final = 91
AS_PRINTED: Final = 93
SAVE: Final = 96
FROM_CARD: Final = 99
FROM_PURSE: Final = 100
EXTRA: Final = 101
PLAIN: Final = 102
PAY_GOODS: Final = 103
PAY_GOLD: Final = 104
PAY_VP: Final = 105
PAY_CARD: Final = 106
GET_GOODS: Final = 107
GET_GOLD: Final = 108
GET_VP: Final = 109
ARRANGE: Final = 110
TARGIA_TAKE: Final = 122
TARGIA_DRAW: Final = 123
KEEP: Final = 124
REDRAW: Final = 125
LEAVE: Final = 126
WATER_2_FOR_2: Final = 129
WATER_4_FOR_4: Final = 130
WATER_2_FOR_1: Final = 131
SYMBOL: Final = 132
DONE: Final = 137

_IDS: Final[dict[str, int]] = {name: number for number, name in enumerate(ACTIONS)}


def action_name(action: int) -> str:
    """The notation of an action id; raises UnknownAction."""
    if not 0 <= action < len(ACTIONS):
        raise UnknownAction(f"no action has the id {action}: ids run from 0 to {len(ACTIONS) - 1}")
    return ACTIONS[action]


def action_id(text: str) -> int:
    """The id of an action's notation; raises UnknownAction."""
    number = _IDS.get(text)
    if number is None:
        raise UnknownAction(f"{text!r} is no action: `targi actions` lists the {len(ACTIONS)} that exist")
    return number
