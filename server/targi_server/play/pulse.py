"""Signs of life of one stream: when to ask for one, and when there were none for too long."""

from __future__ import annotations

__all__ = ["Pulse", "Standstill"]


class Standstill:
    """How long this process itself heard nothing, because it did not run: the silence is not the peers'."""

    def __init__(self, interval_s: float, now: float) -> None:
        self._usual_s = 2 * interval_s
        self._looked_at = now

    def since_last_look(self, now: float) -> float:
        """Seconds since the last look beyond twice the interval at which looks are due."""
        passed, self._looked_at = now - self._looked_at, now
        return max(0.0, passed - self._usual_s)


class Pulse:
    """Heartbeat of a peer. Times are seconds of one monotonic clock, passed in."""

    def __init__(self, heartbeat_s: float, now: float) -> None:
        self._heartbeat_s = heartbeat_s
        self._heard_at = now
        self._asked_at = now
        self._token = 0

    def heard(self, now: float) -> None:
        """Anything at all came from the peer."""
        self._heard_at = now

    def excuse(self, seconds: float) -> None:
        """That much of the silence was this side's own."""
        self._heard_at += seconds

    def silent_for(self, now: float, beats: int) -> bool:
        """Whether nothing came for that many heartbeats."""
        return now - self._heard_at > beats * self._heartbeat_s

    def ask(self, now: float) -> int:
        """Token of the Ping that is due, 0 if none is."""
        if now - self._asked_at < self._heartbeat_s:
            return 0
        self._asked_at = now
        self._token += 1
        return self._token
