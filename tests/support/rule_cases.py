"""Table cases for the tests of the rules: a position, actions, and what must hold afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from positions import LETTERS, Position, legal, names, play, stock
from targi_engine import State
from targi_engine.board import bits


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one row of a table pins.

    `gains` and `theirs` are the changes of the two stocks ("+1d -2s"), of the seat that moves first and of
    the other; kinds that are not named stay as they were. None leaves a thing unchecked.
    """

    pins: str  # rule or card ids and the behaviour, also the id of the test
    given: Position
    play: str = ""
    gains: str | None = None
    theirs: str | None = None
    legal: str | None = None  # exactly these actions
    offers: str = ""  # among others these
    lacks: str = ""  # none of these
    decision: str | None = None
    then: Mapping[str, object] = field(default_factory=dict)  # facts, see FACTS


def check(case: Case) -> None:
    """Plays a case; fails where the state is not as the case says."""
    state = case.given.build()
    seat = case.given.seat
    before = [list(player.stock) for player in state.players]
    play(state, case.play)
    found = legal(state)
    for wanted, of in ((case.gains, seat), (case.theirs, 1 - seat)):
        if wanted is not None:
            _same(f"the change of seat {of}", change(before[of], state.players[of].stock), _sorted(wanted))
    if case.legal is not None:
        _same("legal", found, set(case.legal.split()))
    _same("not offered", set(case.offers.split()) - found, set())
    _same("wrongly offered", set(case.lacks.split()) & found, set())
    if case.decision is not None:
        _same("decision", state.decision, case.decision)
    for fact, value in case.then.items():
        _same(fact, read(state, fact), value)


def _same(what: str, found: object, wanted: object) -> None:
    assert found == wanted, f"{what} is {found!r}, not {wanted!r}"


def _sorted(changes: str) -> str:
    """Changes of a stock in the order of its kinds."""
    return change([0] * len(LETTERS), stock(changes))


def change(before: list[int], after: list[int]) -> str:
    """The difference of two stocks, in notation."""
    parts = (f"{b - a:+d}{letter}" for letter, a, b in zip(LETTERS, before, after, strict=True) if a != b)
    return " ".join(parts)


def card_names(state: State, cards: list[int] | tuple[int, ...]) -> str:
    return " ".join(state.ruleset.catalog.names[card] for card in cards)


def display(state: State, seat: int) -> str:
    """A display as in a position: rows with "/" between them, empty rows at the end left out."""
    cells = state.players[seat].display
    rows = [card_names(state, [card for card in cells[at : at + 4] if card]) for at in (0, 4, 8)]
    return "/".join(rows).rstrip("/")


def cell(state: State, number: int) -> str:
    """A cell of the centre as in a position."""
    if state.bare >> number & 1:
        return "-"
    name = card_names(state, [state.centre[number]])
    return f"?{name}" if state.down >> number & 1 else name


def places(mask: int) -> str:
    return " ".join(str(bit) if bit < 17 else f"d{bit - 16}" for bit in bits(mask))


FACTS: Final[Mapping[str, Callable[[State, int], object]]] = {
    "stock": lambda s, n: change([0] * 6, s.players[n].stock).replace("+", ""),
    "hand": lambda s, n: card_names(s, s.players[n].hand),
    "fresh": lambda s, n: s.players[n].fresh,
    "display": display,
    "tokens": lambda s, n: card_names(s, s.players[n].tokens),
    "targis": lambda s, n: places(s.players[n].targis),
    "markers": lambda s, n: places(s.players[n].markers),
    "score": lambda s, n: s.scores()[n],
    "cell": cell,
    "tribe discard": lambda s, n: card_names(s, s.tribe.discard),
    "goods discard": lambda s, n: card_names(s, s.goods.discard),
    "dune discard": lambda s, n: card_names(s, s.dunes.discard),
    "dunes": lambda s, n: " ".join(s.ruleset.catalog.names[card] if card else "-" for card in s.dune_slots),
    "tribe left": lambda s, n: s.tribe.left(),
    "goods left": lambda s, n: s.goods.left(),
    "turned up": lambda s, n: card_names(s, s.shown),
    "robber": lambda s, n: s.robber,
    "targia": lambda s, n: s.targia,
    "round": lambda s, n: s.round,
    "first": lambda s, n: s.first,
    "seat": lambda s, n: s.current_seat,
    "over": lambda s, n: s.is_over,
    "forced": lambda s, n: names(tuple(action for _, action in s.forced)),
}
"""By name, with the seat or cell that follows it ("hand 0", "cell 4")."""


def read(state: State, fact: str) -> object:
    """A fact of a state by its name."""
    name, _, number = fact.rpartition(" ")
    if number.isdigit():
        return FACTS[name](state, int(number))
    return FACTS[fact](state, 0)
