"""Gaps in the ticks of this replica: what broke the streams of its bots may have been the gap."""

from __future__ import annotations

from collections.abc import Callable

from targi_server.match.clock import LENT_MS, TOLERANCE_MS

__all__ = ["Gaps"]


class Gaps:
    """Remembers when the replica ticked; `now_s` reads a monotonic clock, in seconds."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._ticked_s = now_s()
        self._over_s = self._ticked_s

    def ticked(self) -> None:
        """A tick is done; to be called each second."""
        now_s = self._now_s()
        if now_s - self._ticked_s > TOLERANCE_MS / 1000:
            self._over_s = now_s + LENT_MS / 1000
        self._ticked_s = now_s

    @property
    def is_recent(self) -> bool:
        """Whether a gap ended a short while ago."""
        return self._now_s() < self._over_s

    @property
    def is_open(self) -> bool:
        """Whether a gap goes on."""
        return self._now_s() - self._ticked_s > TOLERANCE_MS / 1000
