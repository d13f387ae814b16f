"""How much one caller may ask: at the same time, and in the long run. Counted by each process for itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final

from targi_server.errors import Limit

__all__ = ["Allowance", "CallLimits", "Gate"]

BURST_S: Final = 10.0
"""What was not used is saved up for so long."""
SWEPT: Final = 10_000
"""Keys after which those that have saved up everything are forgotten: they count like new ones."""
NEIGHBOURS: Final = 10
"""An address may call that many times as often as one caller: there may be many behind it."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Numbers of calls; a stream is one as long as it is open."""

    per_caller: int = 64
    """At a time, of one account, or of an address without a token."""
    per_address: int = 1_024
    """At a time, from one address."""
    per_second: int = 100
    """Of one caller in the long run; of one address NEIGHBOURS times that."""

    def of_callers(self) -> Gate:
        """The gate for accounts."""
        advice = "wait for an answer before you ask again"
        return Gate("one caller", self.per_caller, self.per_second, advice)

    def of_addresses(self) -> Gate:
        """The gate for addresses."""
        advice = "if it is a proxy's, the operator names it with --trusted-proxy"
        return Gate("one address", self.per_address, NEIGHBOURS * self.per_second, advice)


class Allowance:
    """Lets each key do something at a rate, and as much at once as is saved up in BURST_S.

    Of each key only the time is kept at which everything would be saved up again.
    """

    def __init__(self, per_second: float, now: Callable[[], float] = monotonic) -> None:
        self._cost_s = 1 / per_second
        self._now = now
        self._full_at: dict[str, float] = {}
        self._sweep_at = SWEPT

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str) -> bool:
        """Whether the key may now."""
        now = self._now()
        full_at = max(now, self._full_at.get(key, now))
        if full_at - now > BURST_S - self._cost_s / 2:  # half of it, for sums of fractions are not exact
            return False
        self._full_at[key] = full_at + self._cost_s
        if len(self._full_at) > self._sweep_at:
            self._sweep(now)
        return True

    def _sweep(self, now: float) -> None:
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        self._sweep_at = max(SWEPT, 2 * len(self._full_at))


class Gate:
    """Both limits for one kind of key: how many at a time, and how often."""

    def __init__(
        self, whose: str, at_once: int, per_second: float, advice: str, now: Callable[[], float] = monotonic
    ) -> None:
        self._whose = whose
        self._at_once = at_once
        self._per_second = per_second
        self._advice = advice
        self._rate = Allowance(per_second, now)
        self._inside: Counter[str] = Counter()

    @contextmanager
    def passed(self, key: str) -> Iterator[None]:
        """Lets a call in for the block. Raises Limit."""
        if self._inside[key] >= self._at_once:
            raise Limit(f"over {self._at_once} calls of {self._whose} at a time: {self._advice}")
        if not self._rate.take(key):
            raise Limit(f"over {self._per_second} calls a second of {self._whose}: {self._advice}")
        self._inside[key] += 1
        try:
            yield
        finally:
            self._inside[key] -= 1
            if not self._inside[key]:
                del self._inside[key]
