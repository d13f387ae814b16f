"""A chain of actions, walked on a copy of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from targi_engine import IllegalAction, State

__all__ = ["Step", "Walk", "steps_of", "walk"]


class Step(NamedTuple):
    """One action that was carried out; a forced one carries the ply of the asked one before it."""

    ply: int
    seat: int
    action: int
    forced: bool


class Walk(NamedTuple):
    """What a chain comes to.

    `state` is the position after the links that count, `taken` their number, `steps` they and what the engine
    took by itself. `illegal` says that an illegal link ended it, `turn_ended` that the own turn is over.
    """

    state: State
    taken: int
    steps: tuple[Step, ...]
    illegal: bool
    turn_ended: bool


def walk(state: State, actions: Sequence[int | None]) -> Walk:
    """Follow the links from `state`, which stays as it is; None stands for an action that is none.

    A chain stops where its own turn ends, before the first decision at which a card is visible that was not
    when it was sent, and at an illegal link. Raises whatever the engine raises but IllegalAction.
    """
    now = state.clone()
    steps: list[Step] = []
    for taken, action in enumerate(actions):
        if taken and _stops(state, now):
            return Walk(now, taken, tuple(steps), False, _turn_ended(state, now))
        ply, seat = now.ply, now.current_seat
        if action is None or not _applied(now, action):
            return Walk(now, taken, tuple(steps), True, _turn_ended(state, now))
        steps += steps_of(now, ply, seat, action)
    return Walk(now, len(actions), tuple(steps), False, _turn_ended(state, now))


def steps_of(state: State, ply: int, seat: int, action: int) -> list[Step]:
    """The action that was just applied at `ply`, with what the engine took by itself after it."""
    forced = [Step(ply, by, taken, True) for by, taken in state.forced]
    return [Step(ply, seat, action, False), *forced]


def _stops(sent: State, now: State) -> bool:
    return now.reveals != sent.reveals or _turn_ended(sent, now)


def _turn_ended(sent: State, now: State) -> bool:
    return now.is_over or now.turn != sent.turn


def _applied(state: State, action: int) -> bool:
    try:
        state.apply(action)
    except IllegalAction:
        return False
    return True
