"""What is measured of each commit, gathered until the group that it came with is dealt with."""

from __future__ import annotations

from collections import Counter

from targi_server.metrics import Metrics
from targi_server.store.answers import Committed

__all__ = ["Measures"]


class Measures:
    """Figures of commits. Those of many at once cost little more than those of one."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._actions: Counter[str] = Counter()
        self._took_s: list[float] = []
        self._in_s: list[float] = []
        self._out_s: list[float] = []
        self._thought_s: list[float] = []

    def add(
        self, ruleset: str, answer: Committed, *, took_ms: int, out_ms: int, thought_ms: int | None
    ) -> None:
        """One commit. `took_ms`: from arrival until both bots were told; `thought_ms`: None if not known."""
        self._actions[ruleset] += answer.taken
        self._took_s.append(max(0, took_ms) / 1000)
        self._in_s.append(answer.entries[0].in_ms / 1000)
        if thought_ms is not None:
            self._out_s.append(out_ms / 1000)
            self._thought_s.append(max(0, thought_ms) / 1000)

    def flush(self) -> None:
        """Counts what was added."""
        metrics = self._metrics
        for ruleset, taken in self._actions.items():
            metrics.actions_total.labels(ruleset).inc(taken)
        self._actions.clear()
        for histogram, values in (
            (metrics.turn_seconds, self._took_s),
            (metrics.clock_in_seconds, self._in_s),
            (metrics.clock_out_seconds, self._out_s),
            (metrics.think_seconds, self._thought_s),
        ):
            histogram.observe_all(values)
            values.clear()
