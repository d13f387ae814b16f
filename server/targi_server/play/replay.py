"""From the log of a match to its position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from targi_engine import State, new_game, ruleset

from targi_server.match.entries import Entry
from targi_server.match.model import MatchHeader
from targi_server.play.chain import Step, steps_of

__all__ = ["Chain", "answers", "charged", "clocks", "follow", "start"]


@dataclass(frozen=True, slots=True)
class Chain:
    """Actions of the log that were one answer, and what the engine took by itself after each."""

    ply: int
    """Of the first action."""
    taken: int
    """Number of actions, without the forced ones."""
    steps: tuple[Step, ...]
    charged_ms: int


def start(header: MatchHeader) -> tuple[State, tuple[Step, ...]]:
    """The position before the first decision, and what the engine took by itself to get there."""
    state = new_game(ruleset(header.ruleset, header.variants), header.seed, header.opening)
    return state, tuple(Step(0, seat, action, True) for seat, action in state.forced)


def follow(state: State, entries: Sequence[Entry]) -> list[Chain]:
    """Carry out entries of the log on `state`. Raises what the engine raises where they do not replay."""
    chains = []
    for answer in answers(entries):
        ply = state.ply
        steps: list[Step] = []
        for item in answer:
            before, seat = state.ply, state.current_seat
            state.apply(item.action)
            steps += steps_of(state, before, seat, item.action)
        chains.append(Chain(ply, len(answer), tuple(steps), answer[0].charged_ms))
    return chains


def charged(chains: Iterable[Chain]) -> list[tuple[Step, int]]:
    """All steps with the time charged for each, in ms; that of a chain belongs to its first."""
    return [
        (step, 0 if place else chain.charged_ms) for chain in chains for place, step in enumerate(chain.steps)
    ]


def clocks(header: MatchHeader, entries: Iterable[Entry]) -> tuple[int, int]:
    """Time left on both clocks after these entries of the log."""
    left = [header.base_ms, header.base_ms]
    for item in entries:
        left[item.seat] += header.increment_ms * item.turn_ended - item.charged_ms
    return left[0], left[1]


def answers(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Entries by the answer that brought them."""
    found: list[list[Entry]] = []
    for item in entries:
        if item.chained and found:
            found[-1].append(item)
        else:
            found.append([item])
    return found
