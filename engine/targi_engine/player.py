"""One seat's side of the table, and what its display lets it do."""

from __future__ import annotations

from typing import Final

from targi_engine.actions import ROW
from targi_engine.gains import Get
from targi_engine.goods import GOLD, GOODS_LIMIT, HAND_LIMIT, WATER_LIMIT

DISPLAY: Final = 12  # cells of a display: three rows of four
ROWS: Final = 3
ROW_CELLS: Final = 4
EMPTY_DISPLAY: Final[tuple[int, ...]] = (0,) * DISPLAY
TARGIS: Final = 3


class Powers:
    """What the cards of a display do as long as they lie there; built anew when the display changes.

    A finished object is never changed, so clones share it. `any_*` tell at one look whether a
    group of powers matters at all.
    """

    __slots__ = (
        "any_bonus",
        "bonus",
        "border_gets",
        "cards",
        "dune_gets",
        "goods_limit",
        "hand_limit",
        "immune",
        "joins_dunes",
        "named_less",
        "no_goods",
        "noble_less",
        "on_robber",
        "play_hand",
        "raid_less",
        "raid_vp",
        "rows",
        "symbol_less",
        "targia_both",
        "trade_any",
        "trade_first",
        "water_limit",
        "wells",
    )

    def __init__(self) -> None:
        self.cards: int = 0  # cards in the display
        self.rows: tuple[int, ...] = ()  # the row actions that are open (B5.5)
        self.symbol_less: list[int] = [0, 0, 0, 0, 0]  # goods off the cost of a symbol (B9.1)
        self.noble_less: int = 0  # goods off a card played with Noble (K7)
        self.named_less: list[int] = [0, 0, 0]  # dates, salt, pepper off every cost
        self.bonus: list[int] = [0, 0, 0]  # B9.2, by good
        self.any_bonus: bool = False
        self.no_goods: int = 0  # B9.3
        self.border_gets: tuple[tuple[int, Get], ...] = ()  # border card (see BORDER_KINDS), gain
        self.dune_gets: tuple[Get, ...] = ()  # gains after a dune
        self.trade_any: bool = False  # B9.10
        self.trade_first: bool = False
        self.wells: int = 0  # well exchanges a turn
        self.play_hand: int = -1  # extra goods for playing the hand card without Noble; -1: not at all
        self.on_robber: bool = False  # B9.7
        self.joins_dunes: bool = False  # X5.3
        self.targia_both: bool = False
        self.raid_vp: int = 0  # B9.12
        self.raid_less: int = 0  # X6.4
        self.immune: bool = False  # B9.13
        self.goods_limit: int = GOODS_LIMIT  # B7.1
        self.water_limit: int = WATER_LIMIT  # X4.1
        self.hand_limit: int = HAND_LIMIT  # B5.3


def open_rows(display: tuple[int, ...]) -> tuple[int, ...]:
    """The actions for the rows that take a card: of several empty rows only the first (B5.5)."""
    rows: list[int] = []
    empty = False
    for row in range(ROWS):
        first = display[ROW_CELLS * row]
        if display[ROW_CELLS * row + ROW_CELLS - 1] or (empty and not first):
            continue
        rows.append(ROW + row)
        empty = empty or not first
    return tuple(rows)


class Player:
    """Stock, hand, display and figures of one seat."""

    __slots__ = (
        "display",
        "faced",
        "fresh",
        "got_goods",
        "hand",
        "markers",
        "next_quota",
        "powers",
        "quota",
        "ready",
        "seat",
        "stock",
        "stored",
        "targia",
        "targia_used",
        "targis",
        "tokens",
        "welled",
    )

    seat: int
    stock: list[int]  # see targi_engine.goods
    hand: tuple[int, ...]  # cards in the order of taking
    fresh: int  # how many of the hand, from its end, were taken in this round (B4.2)
    display: tuple[int, ...]  # 12 cells row by row, 0 where empty
    powers: Powers
    tokens: tuple[int, ...]  # display cards whose token is unused
    stored: tuple[int, ...]  # display cards that still hold their gold (B9.9)
    targis: int  # mask of border cards and dunes
    faced: int  # mask of border cards that face own Targis
    markers: int  # mask of cells
    quota: int  # Targis in this round
    next_quota: int  # Targis in the next round (B9.11)
    ready: tuple[int, ...]  # B9.2 bonuses not yet used in this round, by good
    got_goods: bool  # whether a goods card gave a good in this round (B9.3)
    welled: int  # well exchanges in this turn
    targia: bool  # whether the Targia may be used in this round (X3.1)
    targia_used: int  # her options used: 1 take, 2 draw

    def clone(self) -> Player:
        """A copy that shares nothing that changes."""
        new = Player()
        new.seat = self.seat
        new.stock = self.stock[:]
        new.hand = self.hand
        new.fresh = self.fresh
        new.display = self.display
        new.powers = self.powers
        new.tokens = self.tokens
        new.stored = self.stored
        new.targis = self.targis
        new.faced = self.faced
        new.markers = self.markers
        new.quota = self.quota
        new.next_quota = self.next_quota
        new.ready = self.ready
        new.got_goods = self.got_goods
        new.welled = self.welled
        new.targia = self.targia
        new.targia_used = self.targia_used
        return new

    def goods(self) -> int:
        """How many goods the player holds."""
        stock = self.stock
        return stock[0] + stock[1] + stock[2]

    def gold(self) -> int:
        """Gold that can go into a cost: purse and stored (B9.9)."""
        return self.stock[GOLD] + len(self.stored)


def new_player(seat: int, stock: list[int]) -> Player:
    """A player at the start of a game (B2.2)."""
    new = Player()
    new.seat = seat
    new.stock = stock
    new.hand = ()
    new.fresh = 0
    new.display = EMPTY_DISPLAY
    new.powers = Powers()
    new.powers.rows = open_rows(EMPTY_DISPLAY)
    new.tokens = ()
    new.stored = ()
    new.targis = 0
    new.faced = 0
    new.markers = 0
    new.quota = TARGIS
    new.next_quota = TARGIS
    new.ready = (0, 0, 0)
    new.got_goods = False
    new.welled = 0
    new.targia = False
    new.targia_used = 0
    return new
