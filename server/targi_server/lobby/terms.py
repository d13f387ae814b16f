"""What an offer offers: rules, clock, and seeds where a challenger gave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from targi_engine import RULES, RULESETS, VOCABULARY, UnknownVariant, ruleset

from targi_server.echo import MOST_ECHOED, echoed
from targi_server.errors import Invalid
from targi_server.fairness import SECRET_BYTES
from targi_server.match.model import Kind
from targi_server.settings import Settings

__all__ = ["Terms", "Times", "terms"]

LONGEST_BASE_MS: Final = 86_400_000
LONGEST_INCREMENT_MS: Final = 3_600_000


class Times(NamedTuple):
    """Clock and disconnect budget of a match, in ms."""

    base_ms: int
    increment_ms: int
    budget_ms: int

    @classmethod
    def of(cls, settings: Settings) -> Times:
        """Those of the server's rated matches."""
        return cls(settings.base_ms, settings.increment_ms, settings.disconnect_budget_ms)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered."""

    kind: Kind
    ruleset: str
    variants: str
    cards_hash: str
    rules: int
    vocabulary: int
    base_ms: int
    increment_ms: int
    budget_ms: int
    hold_allowed: bool = False
    seeds: tuple[bytes, ...] = field(default=(), repr=False)
    """Given by the challenger, one a game; empty: the server's scheme."""
    opening: bytes | None = field(default=None, repr=False)
    """Given by the challenger."""

    @property
    def games(self) -> int:
        """How many matches follow."""
        return 1 if self.kind is Kind.SINGLE else 2

    def encode(self) -> list[object]:
        """Its fields in their order, as JSON has them."""
        seeds, opening = [seed.hex() for seed in self.seeds], (self.opening or b"").hex()
        changed = {"seeds": seeds, "opening": opening}
        return [changed.get(f.name, getattr(self, f.name)) for f in fields(self)]

    @classmethod
    def decode(cls, row: Sequence[Any]) -> Terms:  # Any: JSON has no better type
        """Reverse of `encode`."""
        values = dict(zip((f.name for f in fields(cls)), row, strict=True))
        seeds, opening = tuple(map(bytes.fromhex, values["seeds"])), bytes.fromhex(values["opening"]) or None
        return cls(**{**values, "kind": Kind(values["kind"]), "seeds": seeds, "opening": opening})

    def __post_init__(self) -> None:
        """Raises Invalid for times or seeds that cannot be played with."""
        if not 0 < self.base_ms <= LONGEST_BASE_MS:
            raise Invalid(f"base_ms {self.base_ms}: 1 to {LONGEST_BASE_MS} is allowed")
        if not 0 <= self.increment_ms <= LONGEST_INCREMENT_MS:
            raise Invalid(f"increment_ms {self.increment_ms}: 0 to {LONGEST_INCREMENT_MS} is allowed")
        if len(self.seeds) not in (0, self.games):
            raise Invalid(f"{len(self.seeds)} seeds are given: {self.games} are needed, one a game, or none")
        for seed in (*self.seeds, self.opening):
            if seed is not None and len(seed) != SECRET_BYTES:
                raise Invalid(f"a seed has {len(seed)} bytes: {SECRET_BYTES} are needed")


def terms(
    kind: Kind,
    name: str,
    times: Times,
    *,
    variants: str = "",
    hold_allowed: bool = False,
    seeds: tuple[bytes, ...] = (),
    opening: bytes | None = None,
) -> Terms:
    """Terms of a match with a ruleset of this server. Raises Invalid."""
    if name not in RULESETS:
        raise Invalid(f"no ruleset is called {echoed(name)}; there are {', '.join(RULESETS)}")
    for part in variants.split(","):
        if len(part) > MOST_ECHOED:  # the engine's own words would say all of it back
            raise Invalid(f"variant {echoed(part)}: {name} has none that is so long")
    try:
        rules = ruleset(name, variants)
    except UnknownVariant as error:
        raise Invalid(str(error)) from error
    what = rules.name, rules.variants, rules.cards_hash, RULES, VOCABULARY
    return Terms(kind, *what, *times, hold_allowed, seeds, opening)
