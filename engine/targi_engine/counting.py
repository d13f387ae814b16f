"""What cards count: symbols, cards, rows, goods. One class a kind of `what` in the card files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from targi_engine.goods import GOLD, SYMBOLS, WATER
from targi_engine.player import DISPLAY, ROW_CELLS, ROWS

if TYPE_CHECKING:
    from targi_engine.catalog import Catalog
    from targi_engine.player import Player


class Counter:
    """Counts something that a player has."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        """The number now."""
        raise NotImplementedError


class CardsOfSymbol(Counter):
    """Displayed cards of a symbol."""

    __slots__ = ("symbol",)

    def __init__(self, symbol: int) -> None:
        self.symbol = symbol

    def count(self, catalog: Catalog, me: Player) -> int:
        return sum(catalog.symbols[card] == self.symbol for card in me.display if card)


class Cards(Counter):
    """Displayed cards."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return me.powers.cards


class FreeCells(Counter):
    """Empty places of the display."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return DISPLAY - me.powers.cards


class FullRows(Counter):
    """Rows of four cards."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return sum(me.display[ROW_CELLS * row + ROW_CELLS - 1] != 0 for row in range(ROWS))


class DifferentRows(Counter):
    """Rows of four different symbols."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return sum(symbols_in_row(catalog, me, row) == ROW_CELLS for row in range(ROWS))


class CardsOfVp(Counter):
    """Displayed cards that print exactly so many VP."""

    __slots__ = ("vp",)

    def __init__(self, vp: int) -> None:
        self.vp = vp

    def count(self, catalog: Catalog, me: Player) -> int:
        return sum(catalog.vp[card] == self.vp for card in me.display if card)


class CardsOfKind(Counter):
    """Displayed cards of kind permanent (X6.7)."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return sum(catalog.permanent[card] for card in me.display if card)


class GoodsHeld(Counter):
    """Dates, salt and pepper held."""

    __slots__ = ()

    def count(self, catalog: Catalog, me: Player) -> int:
        return me.goods()


class Held(Counter):
    """Gold (in hand, without a card's) or water held."""

    __slots__ = ("kind",)

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def count(self, catalog: Catalog, me: Player) -> int:
        return me.stock[self.kind]


def symbols_in_row(catalog: Catalog, me: Player, row: int) -> int:
    """How many different symbols a full row shows; 0 for a row that is not full."""
    cards = me.display[ROW_CELLS * row : ROW_CELLS * (row + 1)]
    return len({catalog.symbols[card] for card in cards}) if cards[-1] else 0


DIFFERENT_ROWS: Final = DifferentRows()

COUNTERS: Final[Mapping[str, Counter]] = {
    **{f"symbol:{name}": CardsOfSymbol(symbol) for symbol, name in enumerate(SYMBOLS)},
    "cards": Cards(),
    "free_cells": FreeCells(),
    "full_rows": FullRows(),
    "different_rows": DIFFERENT_ROWS,
    "cards_of_vp:1": CardsOfVp(1),
    "kind:permanent": CardsOfKind(),
    "goods": GoodsHeld(),
    "gold": Held(GOLD),
    "water": Held(WATER),
}
