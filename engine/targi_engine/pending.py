"""What the decision that is asked is about: the card in question, what is still to be paid, chosen or gained.

All of it is public: it follows from the actions since the last one that everybody saw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from targi_engine import frames
from targi_engine.sources import PLACE_BITS, PLACE_MASK, SOURCES

if TYPE_CHECKING:
    from targi_engine.state import State


class Pending(NamedTuple):
    """The running effect or chain, as far as it is not on the table."""

    card: str | None  # the tribe card or dune that is decided on, or paid
    needs: tuple[int, int, int]  # dates, salt, pepper of its cost that are not settled
    gold: int  # gold of its cost, from wherever
    water: int  # water of its cost
    points: int  # goods that discounts still take off
    extra: int  # goods of any kind that are asked besides
    left: int  # goods still to gain or to give, exchanges still allowed
    row: int | None  # row of the display that was chosen for it, 0 to 2
    chosen: int | None  # cell of the centre, or of the display (0 to 11), that was chosen first


NOTHING: Final = Pending(None, (0, 0, 0), 0, 0, 0, 0, 0, None, None)

_LEFT: Final[Mapping[int, Callable[[int], int]]] = {
    frames.GAIN: lambda argument: argument,
    frames.CARD_GAIN: lambda argument: argument & 15,
    frames.GIVE: lambda argument: argument,
    frames.TRADE: lambda argument: argument >> 1,
    frames.EXCHANGE: lambda argument: argument & 15,
}
_CHOSEN: Final[Mapping[int, Callable[[int], int]]] = {
    frames.MARKER_TO: lambda argument: argument & 15,
    frames.ARRANGE_TO: lambda argument: argument >> 1,
}


def pending_of(state: State) -> Pending:
    """What the decision of a state is about; `NOTHING` when the game is over."""
    if not state.stack:
        return NOTHING
    frame, argument = state.stack[-1] & frames.MASK, state.stack[-1] >> frames.BITS
    found = NOTHING
    if state.payment is not None:
        paid = state.payment
        needs = (paid.needs[0], paid.needs[1], paid.needs[2])
        gold = paid.gold + paid.purse + paid.stored
        asked = paid.extra + paid.any_goods
        row = paid.row if paid.card else None  # a raid is paid in the same way (X6.4)
        found = Pending(None, needs, gold, paid.water, paid.points, asked, 0, row, None)
    if frame == frames.SYMBOL:
        found = found._replace(row=argument >> 2)
    card = _card(state, frame, argument)
    return found._replace(
        card=state.ruleset.catalog.names[card] if card else None,
        left=_LEFT[frame](argument) if frame in _LEFT else 0,
        chosen=_CHOSEN[frame](argument) if frame in _CHOSEN else None,
    )


def _card(state: State, frame: int, argument: int) -> int:
    """The card in question, 0 if there is none."""
    if frame == frames.CARD:
        return SOURCES[argument & PLACE_MASK].card(state, state.me(), argument >> PLACE_BITS)
    if frame in (frames.DUNE_ROW, frames.SYMBOL):
        return state.dune_slots[argument & 3]
    return 0 if state.payment is None else state.payment.card
