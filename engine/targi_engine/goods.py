"""What a player holds: goods, gold, water and victory points, as places in a stock list.

A stock is a list of six counts in the order of `KINDS`. The first three are goods; gold and water
are not (B5.6, X4.1).
"""

from __future__ import annotations

from typing import Final

DATES: Final = 0
SALT: Final = 1
PEPPER: Final = 2
GOLD: Final = 3
WATER: Final = 4
VP: Final = 5

GOODS: Final = ("dates", "salt", "pepper")
KINDS: Final = ("dates", "salt", "pepper", "gold", "water", "vp")
SYMBOLS: Final = ("camel_rider", "targia", "oasis", "well", "camp")

GOODS_LIMIT: Final = 10
GOLD_LIMIT: Final = 3
WATER_LIMIT: Final = 10
HAND_LIMIT: Final = 1
