"""Who plays whom next. Pure: bots, what is known of them, past meetings and a random source in, pairings out.

A pairing is worth what it can teach: the variance that is left in the difference of the two, times how
open their result is, less for each time that they met lately. So those about whom little is known and
those who are close come first, and nobody meets one opponent for long while there is another.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

__all__ = ["UNKNOWN", "Candidate", "Estimate", "Pairing", "choose"]

CHANCE = 0.3
"""Share of a pairing's worth that is left to chance: equal standings must not make equal schedules."""
REACH = 32
"""Opponents above it in rating that are looked at for one bot: the others teach less anyway."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a player's strength, in rating points."""

    rating: float
    error: float
    """Standard error of the rating."""


UNKNOWN = Estimate(1500.0, 300.0)
"""A player without results: the prior of the fit."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A connected bot that wants rated pairs."""

    bot: str
    owner: str
    free: int
    """Pairs that it can take now."""
    rulesets: tuple[str, ...]
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    """By ruleset; a missing one is UNKNOWN."""
    house: bool = False
    """Bots of the house may meet each other although they have one owner."""

    def estimate(self, ruleset: str) -> Estimate:
        """What is known of it in a ruleset."""
        return self.estimates.get(ruleset, UNKNOWN)

    def may_meet(self, other: Candidate) -> bool:
        """Whether the two may play a rated pair."""
        return self.owner != other.owner or (self.house and other.house)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pair that is to be played; the first bot has seat 0 of game 1."""

    ruleset: str
    bots: tuple[str, str]


@dataclass(slots=True)
class _Option:
    """A possible pairing and what it was worth when it was looked at last; the highest worth sorts first."""

    worth: float
    ruleset: str
    bots: tuple[str, str]
    value: float
    """Worth of a first meeting."""

    def __lt__(self, other: _Option) -> bool:
        return (-self.worth, self.ruleset, self.bots) < (-other.worth, other.ruleset, other.bots)


def choose(
    candidates: Iterable[Candidate], met: Mapping[frozenset[str], int], rng: random.Random
) -> list[Pairing]:
    """Pairings until nobody who is free has an opponent; `met` counts late meetings of two bots.

    Equal arguments, the state of `rng` included, give equal pairings.
    """
    waiting = sorted((c for c in candidates if c.free > 0), key=lambda c: c.bot)
    free = {c.bot: c.free for c in waiting}
    meetings = Counter(met)
    options = list(_options(waiting, rng))
    for option in options:
        option.worth = _worth(option, meetings)
    heapq.heapify(options)
    return list(_taken(options, free, meetings, rng))


def _options(waiting: list[Candidate], rng: random.Random) -> Iterator[_Option]:
    for ruleset in sorted({ruleset for c in waiting for ruleset in c.rulesets}):
        ranked = sorted(
            (c for c in waiting if ruleset in c.rulesets), key=lambda c: (c.estimate(ruleset).rating, c.bot)
        )
        for place, lower in enumerate(ranked):
            above = (c for c in islice(ranked, place + 1, None) if lower.may_meet(c))
            for upper in islice(above, REACH):
                value = _value(lower.estimate(ruleset), upper.estimate(ruleset))
                chance = 1 - CHANCE * rng.random()
                yield _Option(0.0, ruleset, (lower.bot, upper.bot), value * chance)


def _value(one: Estimate, other: Estimate) -> float:
    """What a first meeting teaches: variance of the difference, times the variance of its result."""
    expected = 1 / (1 + 10 ** ((other.rating - one.rating) / 400))
    return (one.error**2 + other.error**2) * 4 * expected * (1 - expected)


def _worth(option: _Option, meetings: Counter[frozenset[str]]) -> float:
    return option.value / (1 + meetings[frozenset(option.bots)])


def _taken(
    options: list[_Option], free: dict[str, int], meetings: Counter[frozenset[str]], rng: random.Random
) -> Iterator[Pairing]:
    """Takes the best option again and again; one that lost worth since it was looked at goes back."""
    while options:
        option = heapq.heappop(options)
        if min(free[bot] for bot in option.bots) < 1:
            continue
        now = _worth(option, meetings)
        if now == option.worth:
            for bot in option.bots:
                free[bot] -= 1
            meetings[frozenset(option.bots)] += 1
            seats = option.bots if rng.random() < 0.5 else option.bots[::-1]
            yield Pairing(option.ruleset, (seats[0], seats[1]))
        option.worth = _worth(option, meetings)
        heapq.heappush(options, option)
