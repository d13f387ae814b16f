"""What is done to an arena and its bots, and when: from a seed, before anything runs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["KINDS", "Fault", "Shape", "plan"]

MEAN_GAP_S = 5.0
LEAST_GAP_S = 1.0
LOOK_AGAIN_S = 0.1
FIRST_S = 4.0
"""Time for the first matches to start."""
KILL_EACH_S = 21.0
"""A child that dies five times within a minute ends the arena, so none is killed more often than this."""
LONG_SHARE = 0.15
LONG_S = (20.0, 40.0)
"""Some dead bots stay away for longer than their budget: they lose, and nobody else does."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table of faults."""

    weight: int
    """How often it is drawn."""
    on: str
    """What it hits: "worker", "supervisor", "redis" or "bot"."""
    lasts_s: tuple[float, float]
    """Shortest and longest time until it is healed."""


KINDS: dict[str, Kind] = {
    "worker-kill": Kind(5, "worker", (0.0, 0.0)),
    "worker-stop": Kind(5, "worker", (1.0, 8.0)),
    "supervisor-kill": Kind(3, "supervisor", (0.0, 3.0)),
    "redis-kill": Kind(4, "redis", (0.0, 2.0)),
    "redis-stop": Kind(3, "redis", (0.5, 6.0)),
    "bot-kill": Kind(7, "bot", (0.1, 3.0)),
    "bot-stop": Kind(6, "bot", (1.0, 8.0)),
    "cut": Kind(6, "bot", (0.0, 0.0)),
    "loss-up": Kind(4, "bot", (2.0, 6.0)),
    "loss-down": Kind(4, "bot", (2.0, 6.0)),
    "stall-up": Kind(3, "bot", (1.0, 6.0)),
    "stall-down": Kind(3, "bot", (1.0, 6.0)),
    "latency": Kind(5, "bot", (5.0, 15.0)),
    "skew": Kind(4, "worker", (0.0, 0.0)),
    "bot-skew": Kind(2, "bot", (0.0, 0.0)),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """How many there are of what can be hit."""

    workers: int
    supervisors: int
    bots: int
    redis: int = 1

    def count(self, role: str) -> int:
        """Of one role."""
        return {"worker": self.workers, "supervisor": self.supervisors, "redis": self.redis}.get(
            role, self.bots
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault."""

    at_s: float
    """After the begin."""
    kind: str
    target: int
    """Number of the process that it hits, among those of its role."""
    lasts_s: float
    size: float
    """0 to 1: how bad, where that is a matter of degree."""


def plan(seed: int, seconds: float, shape: Shape) -> tuple[Fault, ...]:
    """Faults by time. Equal arguments give equal plans."""
    return tuple(_faults(random.Random(seed), seconds, shape))


def _faults(rng: random.Random, seconds: float, shape: Shape) -> Iterator[Fault]:
    free_at: dict[tuple[str, int], float] = {}
    at_s = FIRST_S
    while at_s < seconds:
        fault = _drawn(rng, at_s, shape)
        target = KINDS[fault.kind].on, fault.target
        if free_at.get(target, 0.0) <= at_s:
            killed = fault.kind.endswith("-kill") and target[0] != "bot"
            free_at[target] = at_s + max(fault.lasts_s + 1, KILL_EACH_S if killed else 0.0)
            yield fault
            at_s += max(LEAST_GAP_S, rng.expovariate(1 / MEAN_GAP_S))
        else:
            at_s += LOOK_AGAIN_S


def _drawn(rng: random.Random, at_s: float, shape: Shape) -> Fault:
    (name,) = rng.choices(list(KINDS), [kind.weight for kind in KINDS.values()])
    kind = KINDS[name]
    lasts_s = rng.uniform(*kind.lasts_s)
    if name == "bot-kill" and rng.random() < LONG_SHARE:
        lasts_s = rng.uniform(*LONG_S)
    return Fault(at_s, name, rng.randrange(shape.count(kind.on)), lasts_s, rng.random())
