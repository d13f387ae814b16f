"""Positions for the tests of the rules: a game at a chosen decision, written field by field.

    state = Position(me=Side(stock="2d 1g", targis="5 14"), robber=9).build()
    play(state, "b5 2dates>salt")

Stocks are written "2d 1s 1p 1g 4v 3w" (dates, salt, pepper, gold, VP, water), displays by rows
"C1 C2/T1", cards by id or by what a goods card shows ("2dates", "dates|salt|pepper"). Every card of the
ruleset lies in exactly one place: what a position does not name is left in the decks, in file order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal

from targi_engine import Ruleset, State, action_id, action_name, new_game
from targi_engine import frames as fr
from targi_engine.board import CORNERS, DUNE_BIT, FACING, bits
from targi_engine.deck import Deck
from targi_engine.player import EMPTY_DISPLAY, Player

SEED: Final = bytes(range(32))
LETTERS: Final = "dspgwv"  # in the order of a stock list
START: Final = "2d 2s 2p 1g 4v"
ROBBER_OF_ROUND: Final = (0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)
CARDS_OF_A_SYMBOL: Final = 9
# What lies in the centre of a position that names nothing else: the base game's checkerboard.
CENTRE: Final = ("dates", "C1", "salt", "T1", "pepper", "O1", "2dates", "W1", "2salt")

At = Literal["act", "place", "raid", "close"]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One seat's side of the table."""

    stock: str = START
    hand: str = ""
    fresh: int = 0  # how many of the hand were taken in this round
    display: str = ""
    targis: str = ""  # border cards and "d1" to "d3"
    markers: str = ""  # cells
    used: str = ""  # display cards whose token or gold is used
    targia: bool = False  # whether the Targia may be used
    got_goods: bool = False  # whether a goods card gave a good in this round
    quota: int = 3


@dataclass(frozen=True, kw_only=True)
class Position:
    """A game at a decision of `seat`."""

    at: At = "act"
    ruleset: str | Ruleset = "base"  # a Ruleset for cards of one's own
    variants: str = ""
    me: Side = field(default_factory=Side)  # the seat to move
    other: Side = field(default_factory=Side)
    seat: int = 0
    first: int | None = None  # seat with the first-player token; default: see `_first`
    round: int = 2
    robber: int | None = None  # default: where it stands in that round
    centre: Mapping[int, str] = field(default_factory=dict)  # cell to card, "?card" face down, "-" empty
    tribe: str = ""  # cards on top of the deck
    goods: str = ""
    dunes: str = ""  # face-up dunes, "-" for an empty slot
    dune_deck: str = ""
    tribe_discard: str = ""
    goods_discard: str = ""
    tribe_left: int | None = None  # cards in the deck; the rest is out of the game
    goods_left: int | None = None
    targia: int = 0  # where the Targia stands

    def build(self) -> State:
        """The state, with forced choices already taken."""
        state = new_game(self.ruleset, SEED, variants=self.variants)
        cards = _Cards(state)
        first = self._first() if self.first is None else self.first
        state.round = self.round
        state.first = first
        state.robber = ROBBER_OF_ROUND[self.round] if self.robber is None else self.robber
        state.targia = self.targia or state.targia
        _lay_centre(state, cards, self.centre)
        for seat, side in ((self.seat, self.me), (1 - self.seat, self.other)):
            _seat(state, cards, seat, side)
        tribe, goods = cards.all(self.tribe), cards.all(self.goods)
        state.tribe.discard = cards.all(self.tribe_discard)
        state.goods.discard = cards.all(self.goods_discard)
        cards.leave_nine_of_each()
        _fill_centre(state, cards)
        _deck(state.tribe, tribe + cards.left["tribe"], self.tribe_left)
        _deck(state.goods, goods + cards.left["goods"], self.goods_left)
        if state.ruleset.expanded:
            _lay_dunes(state, cards, self.dunes, self.dune_deck)
        state.joint = (state.players[0].targis & state.players[1].targis) >> (DUNE_BIT + 1)
        state.current_seat = self.seat
        state.stack = _STACKS[self.at](self, first)
        state.placed = _placed(state) if self.at == "place" else 0
        state.ply = 0
        state.advance()
        return state

    def _first(self) -> int:
        """The first player if nothing else is said: the seat to move, as far as the placements allow."""
        placed = len(_numbers(self.me.targis)) + len(_numbers(self.other.targis))
        return self.seat ^ (placed & 1) if self.at == "place" else self.seat


def _placed(state: State) -> int:
    return sum(len(bits(player.targis)) for player in state.players)


def _act_stack(position: Position, first: int) -> list[int]:
    stack = [fr.CLOSE_ROUND]
    if position.seat == first:
        stack.append(fr.TURN | (1 - first) << fr.BITS)
    return [*stack, fr.ACT]


def _raid_stack(position: Position, first: int) -> list[int]:
    after = fr.GAME_OVER if position.robber == CORNERS[-1] else fr.OPEN_ROUND | 1 << fr.BITS
    payers = (1 - first, first) if position.seat == first else (position.seat,)
    return [after, *(fr.RAID_TURN | seat << fr.BITS for seat in payers)]


_STACKS: Final[Mapping[At, Callable[[Position, int], list[int]]]] = {
    "act": _act_stack,
    "place": lambda position, first: [fr.PLACE],
    "raid": _raid_stack,
    "close": lambda position, first: [fr.CLOSE_ROUND],
}


class _Cards:
    """The cards of a ruleset that have not been laid anywhere yet."""

    def __init__(self, state: State) -> None:
        catalog = state.ruleset.catalog
        self.names = catalog.names
        self.symbols = catalog.symbols
        self.left = {
            "tribe": list(catalog.tribe),
            "goods": [card for card in catalog.goods for _ in range(catalog.copies[card])],
            "dunes": [card for card in catalog.dunes for _ in range(catalog.copies[card])],
        }
        self.taken: list[int] = []
        self.shown = {card: dunes for dunes, five in catalog.displayed.items() for card in five}

    def take(self, name: str) -> int:
        """The number of a card that is laid now; it must not lie anywhere else."""
        card = self.names.index(name)
        source = self.shown.get(card, card)
        for pile in self.left.values():
            if source in pile:
                pile.remove(source)
                self.taken.append(card)
                return card
        raise AssertionError(f"no {name} is left for this position")

    def all(self, names: str) -> list[int]:
        return [self.take(name) for name in names.split()]

    def leave_nine_of_each(self) -> None:
        """In `mixed` nine cards of a symbol are in the game: the named ones, and the first of the others."""
        laid = [self.symbols[card] for card in self.taken]
        rest = self.left["tribe"]
        self.left["tribe"] = []
        for card in rest:
            if laid.count(self.symbols[card]) < CARDS_OF_A_SYMBOL:
                laid.append(self.symbols[card])
                self.left["tribe"].append(card)


def _lay_centre(state: State, cards: _Cards, named: Mapping[int, str]) -> None:
    state.down = state.bare = state.known = 0
    state.centre = [0] * 9
    for cell, text in named.items():
        if text == "-":
            state.bare |= 1 << cell
            continue
        state.down |= text.startswith("?") << cell
        state.centre[cell] = cards.take(text.removeprefix("?"))


def _fill_centre(state: State, cards: _Cards) -> None:
    """Cards for the cells that a position does not name: the usual ones, or some that are left."""
    for cell in range(9):
        if state.centre[cell] or state.bare >> cell & 1:
            continue
        usual = cards.names.index(CENTRE[cell]) if CENTRE[cell] in cards.names else 0
        pile = cards.left["tribe" if cell % 2 else "goods"]
        state.centre[cell] = pile.pop(pile.index(usual) if usual in pile else -1)


def _deck(deck: Deck, order: list[int], left: int | None) -> None:
    deck.cards = tuple(order if left is None else order[:left])
    deck.at = 0
    deck.shuffles = 0


def _lay_dunes(state: State, cards: _Cards, face_up: str, deck: str) -> None:
    names = face_up.split() or ["-", "-", "-"]
    state.dune_slots = [0 if name == "-" else cards.take(name) for name in names]
    order = cards.all(deck) + cards.left["dunes"]
    state.dunes.cards = tuple(order)
    state.dunes.at = 0
    state.dunes.discard = []


def _numbers(text: str) -> list[int]:
    """Border cards and dunes as bits of a mask of Targis."""
    return [DUNE_BIT + int(part[1:]) if part.startswith("d") else int(part) for part in text.split()]


def _seat(state: State, cards: _Cards, seat: int, side: Side) -> None:
    me: Player = state.players[seat]
    me.stock = stock(side.stock)
    me.hand = tuple(cards.all(side.hand))
    me.fresh = side.fresh
    state.set_display(me, _display(cards, side.display))
    catalog = state.ruleset.catalog
    kept = [card for card in me.display if card and catalog.names[card] not in side.used.split()]
    me.tokens = tuple(card for card in kept if catalog.tokens[card])
    me.stored = tuple(card for card in kept if catalog.gold_on[card])
    bonus = me.powers.bonus
    me.ready = (bonus[0], bonus[1], bonus[2])
    numbers = _numbers(side.targis)
    me.targis = sum(1 << number for number in numbers)
    me.faced = sum(FACING[number] for number in numbers)
    me.markers = sum(1 << int(cell) for cell in side.markers.split())
    me.targia = side.targia
    me.got_goods = side.got_goods
    me.quota = side.quota


def _display(cards: _Cards, text: str) -> tuple[int, ...]:
    cells = list(EMPTY_DISPLAY)
    for row, names in enumerate(text.split("/")):
        for column, card in enumerate(cards.all(names)):
            cells[4 * row + column] = card
    return tuple(cells)


@cache
def _amounts(text: str) -> tuple[int, ...]:
    counts = [0] * len(LETTERS)
    for part in text.split():
        counts[LETTERS.index(part[-1])] += int(part[:-1])
    return tuple(counts)


def stock(text: str) -> list[int]:
    """A stock list of a text: "2d 1g"; "+1d -2s" gives the changes."""
    return list(_amounts(text))


def names(actions: tuple[int, ...]) -> str:
    """Actions in notation, space-separated."""
    return " ".join(map(action_name, actions))


def legal(state: State) -> set[str]:
    """The legal actions in notation."""
    return set(map(action_name, state.legal_actions()))


def play(state: State, text: str) -> State:
    """Walks by notation; every action must be legal."""
    for name in text.split():
        assert name in legal(state), f"{name} is not among {names(state.legal_actions())}"
        state.apply(action_id(name))
    return state


def idle(state: State, goal: Callable[[State], bool]) -> State:
    """Lets both players end every action turn at once, or else choose the first action, up to a goal."""
    end = action_id("end")
    while not goal(state):
        actions = state.legal_actions()
        state.apply(end if end in actions else actions[0])
    return state
