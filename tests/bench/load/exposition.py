"""Figures out of the text that a server shows at /metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Buckets", "buckets", "by_worker", "total"]

_VALUE = r"^{name}(?:\{{([^}}]*)\}})? (\S+)$"


def total(text: str, name: str) -> float:
    """Sum of a metric over all of its labels."""
    return sum(float(value) for _, value in _rows(text, name))


def by_worker(text: str, name: str) -> dict[str, float]:
    """A gauge of each worker."""
    return {
        found[1]: float(value) for labels, value in _rows(text, name) if (found := _label(labels, "worker"))
    }


@dataclass(frozen=True)
class Buckets:
    """A histogram: how many values did not exceed each bound, in seconds, the bounds rising to infinity."""

    counts: Mapping[float, float]

    @property
    def count(self) -> float:
        """How many values there are."""
        return max(self.counts.values(), default=0.0)

    def since(self, before: Buckets) -> Buckets:
        """What came after an earlier state."""
        return Buckets({bound: count - before.counts.get(bound, 0.0) for bound, count in self.counts.items()})

    def quantile(self, share: float) -> float:
        """Seconds that this share of the values does not exceed, interpolated between two bounds.

        What lies over the last finite bound counts as that bound. 0 if there are no values.
        """
        wanted = share * self.count
        for (low, under), (high, upto) in pairwise([(0.0, 0.0), *sorted(self.counts.items())]):
            if upto >= wanted and upto > under:
                return low if high == float("inf") else low + (high - low) * (wanted - under) / (upto - under)
        return 0.0


def buckets(text: str, name: str) -> Buckets:
    """The histogram of that name; a bound that several label sets have is added up."""
    counts: dict[float, float] = {}
    for labels, value in _rows(text, f"{name}_bucket"):
        if found := _label(labels, "le"):
            bound = float(found[1])
            counts[bound] = counts.get(bound, 0.0) + float(value)
    return Buckets(counts)


def _rows(text: str, name: str) -> list[tuple[str, str]]:
    return re.findall(_VALUE.format(name=re.escape(name)), text, re.M)


def _label(labels: str, name: str) -> re.Match[str] | None:
    return re.search(rf'\b{name}="([^"]*)"', labels)
