"""Counting what games have exercised: decisions, actions, border cards, effects, endings.

The counter looks at states from outside; play without one pays nothing for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from targi_engine.actions import BORDER, CELL, DUNE, TARGIA, action_name
from targi_engine.board import PLACES
from targi_engine.possible import possible
from targi_engine.record import Record
from targi_engine.rounds import FOURTH_RAID, TWELFTH_CARD
from targi_engine.ruleset import Ruleset
from targi_engine.state import State

if TYPE_CHECKING:
    from targi_engine.player import Player

GROUPS: Final = ("decision", "action", "border", "laid", "used", "ending")
ENDINGS: Final[dict[int, str]] = {TWELFTH_CARD: "twelfth card", FOURTH_RAID: "fourth raid"}


class Row(NamedTuple):
    """How often one thing came up."""

    group: str  # one of GROUPS
    name: str
    times: int


class Coverage:
    """Counts by group and name.

    `decision`: asked decisions; `action`: actions, forced ones too; `border`: visits to border cards by
    name; `laid`: kinds of effect on cards laid; `used`: kinds of effect of tokens and dunes used;
    `ending`: why games ended.
    """

    __slots__ = ("counts", "games", "rulesets")

    def __init__(self) -> None:
        self.games: int = 0
        self.rulesets: set[Ruleset] = set()
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, record: Record, rules: Ruleset | None = None) -> None:
        """Replay a record and count it; raises what replaying raises."""
        states = record.states(rules)
        state = next(states)
        self.begin(state)
        for action, _ in record.actions:
            before = state.clone()
            state = next(states)
            self._count(before, action, state)
        if record.termination != "normal":
            self.counts["ending", record.termination] += 1

    def begin(self, state: State) -> None:
        """A game begins: count what its deal forced."""
        self.games += 1
        self.rulesets.add(state.ruleset)
        self._count_actions(state, state.forced)

    def apply(self, state: State, action: int) -> None:
        """Apply an action to a state and count it; raises IllegalAction."""
        before = state.clone()
        state.apply(action)
        self._count(before, action, state)

    def rows(self) -> tuple[Row, ...]:
        """All that the rulesets seen could show, with how often it came up, in the order of GROUPS."""
        names = dict.fromkeys((*_possible(self.rulesets), *sorted(self.counts)))
        ordered = sorted(names, key=lambda key: GROUPS.index(key[0]))
        return tuple(Row(group, name, self.counts[group, name]) for group, name in ordered)

    def missing(self) -> tuple[Row, ...]:
        """The rows that never came up."""
        return tuple(row for row in self.rows() if not row.times)

    def _count(self, before: State, action: int, after: State) -> None:
        self.counts["decision", before.decision] += 1
        self._count_actions(before, ((before.current_seat, action), *after.forced))
        kinds = after.ruleset.catalog.effect_kinds
        for old, new in zip(before.players, after.players, strict=True):
            self._count_each("laid", [kinds[card] for card in _laid(old, new)])
            self._count_each("used", [kinds[card] for card in old.tokens if card in _spent(old, new)])
        if DUNE <= action < TARGIA and before.decision == "act":
            self._count_each("used", [kinds[before.dune_slots[action - DUNE]]])
        if after.is_over:
            self.counts["ending", ENDINGS[after.end_reason]] += 1

    def _count_actions(self, before: State, actions: tuple[tuple[int, int], ...]) -> None:
        border = [card.text("card") for card in before.ruleset.cards["border"]]
        for _, action in actions:
            self.counts["action", action_name(action)] += 1
            if BORDER <= action < CELL:
                self.counts["border", border[PLACES[action - BORDER] - 1]] += 1

    def _count_each(self, group: str, names: list[str]) -> None:
        for name in filter(None, names):
            self.counts[group, name] += 1


def _laid(old: Player, new: Player) -> list[int]:
    return [card for card in new.display if card and card not in old.display]


def _spent(old: Player, new: Player) -> set[int]:
    return {card for card in old.tokens if card not in new.tokens and card in new.display}


def _possible(rulesets: set[Ruleset]) -> Iterator[tuple[str, str]]:
    """What can come up under some rulesets."""
    for rules in sorted(rulesets, key=repr):
        yield from possible(rules)
    yield from (("ending", words) for words in ENDINGS.values())
