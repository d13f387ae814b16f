"""Effects that count in the final scoring: one class a kind of effect (B9.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine.counting import DIFFERENT_ROWS, Counter
from targi_engine.goods import SYMBOLS
from targi_engine.player import ROW_CELLS

if TYPE_CHECKING:
    from targi_engine.catalog import Catalog
    from targi_engine.player import Player

DIFFERENT_VP: Final = 2  # what a row of four different symbols scores (B8.3)


class EndEffect:
    """No points; also the contract of the others."""

    __slots__ = ()

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        """VP of the card that lies in a display cell (0 to 11), as the displays are now."""
        return 0


class EndPer(EndEffect):
    """`end_per`: VP per so many of something, rounded down."""

    __slots__ = ("counter", "per", "vp")

    def __init__(self, counter: Counter, per: int, vp: int) -> None:
        self.counter = counter
        self.per = per
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        return self.counter.count(catalog, me) // self.per * self.vp


class MoreCards(EndEffect):
    """`end_if` more_cards: VP with more display cards than the opponent (C5)."""

    __slots__ = ("vp",)

    def __init__(self, vp: int) -> None:
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        return self.vp if me.powers.cards > other.powers.cards else 0


class LastOfFullRow(EndEffect):
    """`end_if` last_of_full_row: VP as the fourth card of a full row (C6)."""

    __slots__ = ("vp",)

    def __init__(self, vp: int) -> None:
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        return self.vp if cell % ROW_CELLS == ROW_CELLS - 1 else 0


class CardsAtLeast(EndEffect):
    """`end_if` cards_at_least: VP with so many display cards or more (K5)."""

    __slots__ = ("cards", "vp")

    def __init__(self, cards: int, vp: int) -> None:
        self.cards = cards
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        return self.vp if me.powers.cards >= self.cards else 0


class AllSymbols(EndEffect):
    """`end_if` all_symbols: VP with all five symbols in the display (XK8)."""

    __slots__ = ("vp",)

    def __init__(self, vp: int) -> None:
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        shown = {catalog.symbols[card] for card in me.display if card}
        return self.vp if len(shown) == len(SYMBOLS) else 0


class DifferentRows(EndEffect):
    """`different_rows`: what some rows of four different symbols score above the usual 2 (T5)."""

    __slots__ = ("rows", "vp")

    def __init__(self, rows: int, vp: int) -> None:
        self.rows = rows
        self.vp = vp

    def points(self, catalog: Catalog, me: Player, other: Player, cell: int) -> int:
        return min(self.rows, DIFFERENT_ROWS.count(catalog, me)) * (self.vp - DIFFERENT_VP)


NO_POINTS: Final = EndEffect()
