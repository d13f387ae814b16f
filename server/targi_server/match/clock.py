"""What an answer costs, and how much time is left: the arithmetic of the scripts, as pure functions.

The scripts decide (`store/lua/parts/answer.lua`, `judge.lua`); a test holds these functions against them. All
times are whole milliseconds. Elapsed time is service time: outages are not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from targi_server.match.model import OVER, Live

__all__ = [
    "BACK_MS",
    "LAG_ACT_MS",
    "LAG_TURN_MS",
    "LENT_MS",
    "SERVER_MS",
    "TOLERANCE_MS",
    "Cost",
    "HoldLimits",
    "cost",
    "remaining",
]

SERVER_MS: Final = 1_800
"""Most of `out` and `in` together."""
LAG_ACT_MS: Final = 50
"""Most of the network's time that is not charged, an answer."""
LAG_TURN_MS: Final = 100
"""The same, an own turn."""
TOLERANCE_MS: Final = 2_000
"""A longer gap between beats is an outage; deadlines are handled this long after a clock or budget ended."""
LENT_MS: Final = 15_000
"""Most of an absence through the server's fault that is credited."""
BACK_MS: Final = 2_000
"""After both were away when time ended: how long one must be back."""


class HoldLimits(NamedTuple):
    """For how long a seat may stop its own clock in a debug challenge."""

    each_ms: int = 600_000
    """At a time."""
    in_all_ms: int = 1_800_000
    """In one match."""


@dataclass(frozen=True, slots=True)
class Cost:
    """How the time of an answer is split."""

    charged_ms: int
    out_ms: int
    in_ms: int
    lag_ms: int


def cost(elapsed_ms: int, *, out_ms: int, in_ms: int, lag_used_ms: int) -> Cost:
    """Splits what passed since the commit before, less what is credited.

    `out_ms` and `in_ms` as measured; `lag_used_ms`: lag of this own turn so far.
    """
    most = min(elapsed_ms, SERVER_MS)
    out = min(out_ms, most)
    inside = min(in_ms, most - out)
    spent = elapsed_ms - out - inside
    lag = min(spent, LAG_ACT_MS, LAG_TURN_MS - lag_used_ms)
    return Cost(spent - lag, out, inside, lag)


def remaining(live: Live, now_ms: int) -> tuple[int, int]:
    """Time left on both clocks at a moment of Redis' time, never below 0."""
    if live.seat == OVER or live.held:
        return live.clocks
    spent = max(0, now_ms - live.turn_at_ms - live.credit_ms)
    first, second = (
        max(0, clock - (spent if seat == live.seat else 0)) for seat, clock in enumerate(live.clocks)
    )
    return first, second
