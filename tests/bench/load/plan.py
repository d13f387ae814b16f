"""What a run is to be: how many matches over how many bots, in how many processes, and at what pace."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Literal

from load.errors import BadPlan
from targi_engine import RULESETS

__all__ = ["ClientPlan", "Pacing", "Plan", "Role"]

Role = Literal["load", "idle", "think"]


@dataclass(frozen=True)
class Pacing:
    """When turns are answered.

    Closed loop: a think time after each is asked, `think_ms` in the mean. Open loop (`rate` over 0): each
    match has a Poisson process of planned times, fixed when it starts; together `rate` answers a second.
    """

    think_ms: float = 0.0
    think_model: Literal["fixed", "exponential"] = "fixed"
    rate: float = 0.0

    def __post_init__(self) -> None:
        if min(self.think_ms, self.rate) < 0:
            raise BadPlan("--think-ms and --rate cannot be negative")
        if self.rate and self.think_ms:
            raise BadPlan("an open loop has no think time: its answers are planned by --rate alone")


@dataclass(frozen=True)
class Plan:
    """A run of the load tool."""

    matches: int = 64
    bots: int = 2
    processes: int = 2
    pacing: Pacing = Pacing()
    seconds: float = 10.0
    ruleset: str = "base"
    idle: int = 0
    halt_ply: int = 0
    """Matches stand still from this ply on, with the turn open; 0: they are played to their end."""

    def __post_init__(self) -> None:
        for wrong, words in (
            (self.matches < 1, "--matches must be at least 1"),
            (self.bots < 2, "--bots must be at least 2: a match needs two"),
            (self.seconds <= 0, "--seconds must be over 0"),
            (self.idle < 0, "--idle cannot be negative"),
            (
                not 1 <= self.processes <= self.bots,
                f"--processes must be from 1 to the number of bots, {self.bots}: a bot lives in one process",
            ),
            (
                2 * self.matches % self.bots != 0,
                f"{self.matches} matches have {2 * self.matches} seats, which {self.bots} bots cannot share "
                f"equally: take another number of --bots",
            ),
            (self.ruleset not in RULESETS, f"no ruleset {self.ruleset}: there are {', '.join(RULESETS)}"),
        ):
            if wrong:
                raise BadPlan(words)

    @property
    def capacity(self) -> int:
        """Matches that each bot plays at once."""
        return 2 * self.matches // self.bots


@dataclass(frozen=True)
class ClientPlan:
    """What one client process does: some bots of one role."""

    role: Role
    address: str
    tokens: tuple[str, ...]
    first: int
    """Number of its first bot among all."""
    capacity: int = 1
    ruleset: str = "base"
    options: dict[str, Any] = dataclasses.field(default_factory=dict)  # by role: JSON values
    """What the role needs to know besides."""

    def encode(self) -> str:
        """One line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def decode(cls, line: str) -> ClientPlan:
        """What `encode` made."""
        values = json.loads(line)
        return cls(**{**values, "tokens": tuple(values["tokens"])})
