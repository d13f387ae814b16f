"""Cards turned up by an effect: they lie in front of the player until gained, laid, taken or discarded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from targi_engine import frames
from targi_engine.actions import KEEP, LEAVE, REDRAW
from targi_engine.step import ACT_ON, Step

if TYPE_CHECKING:
    from targi_engine.state import State

_KEEP_ONLY: Final = (KEEP,)
_KEEP_OR_REDRAW: Final = (KEEP, REDRAW)


def turn_up_goods(state: State) -> None:
    """Turn up the top goods card, if there is one (B5.4)."""
    card = state.goods.draw(state.seed)
    if card:
        state.reveals += 1
        state.shown = (*state.shown, card)


def turn_up_tribe(state: State) -> None:
    """Turn up the top tribe card, if there is one; in the expansion it was known already (X1.4)."""
    card = state.draw_tribe()
    if card:
        if not state.ruleset.open_top:
            state.reveals += 1
        state.shown = (*state.shown, card)


def discard_shown(state: State) -> None:
    """Discard what was turned up, in that order (B5.4)."""
    tribe = state.ruleset.catalog.tribe_cards
    for card in state.shown:
        (state.tribe if tribe[card] else state.goods).discard.append(card)
    state.shown = ()


class DiscardShown(Step):
    """Work: what was turned up is discarded."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        discard_shown(state)
        return ACT_ON


class GainShown(Step):
    """Work: gain the turned-up goods cards one after the other, but for one that is left (B5.4)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        argument = state.stack.pop() >> frames.BITS
        at = argument >> 2
        left = (argument & 3) - 1
        if at == left:
            at += 1
        if at < len(state.shown):
            state.push(frames.GAIN_SHOWN, (at + 1) << 2 | argument & 3)
            state.ruleset.catalog.faces[state.shown[at]].gain(state, state.me())
        return ACT_ON


class ChooseLeft(Step):
    """`leave`: which turned-up card is not gained (D5); of equal cards only the first is offered."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        shown = state.shown
        return tuple(LEAVE + at for at, card in enumerate(shown) if card not in shown[:at])

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        state.push(frames.GAIN_SHOWN, action - LEAVE + 1)


class TurnUp(Step):
    """Work: the Targia turns up a goods card (X3.1)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        state.stack.pop()
        turn_up_goods(state)
        state.push(frames.DRAW, 0)
        return ACT_ON


class Draw(Step):
    """`draw`: gain the turned-up card, or pay a good and turn up another instead (X3.1)."""

    __slots__ = ()

    def legal(self, state: State) -> tuple[int, ...]:
        return _KEEP_OR_REDRAW if state.me().goods() else _KEEP_ONLY

    def apply(self, state: State, action: int) -> None:
        state.stack.pop()
        if action == KEEP:
            state.push(frames.DISCARD_SHOWN, 0)
            state.push(frames.GAIN_SHOWN, 0)
        else:
            discard_shown(state)
            state.push(frames.TURN_UP, 0)
            state.push(frames.GIVE, 1)
