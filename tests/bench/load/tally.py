"""What a client process saw while it was measured."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from load.spread import Spread

__all__ = ["Seen", "Tally", "together"]


@dataclass
class Seen:
    """Figures of one window, of one process or of all."""

    actions: int = 0
    """Own actions that were acknowledged."""
    seconds: float = 0.0
    cpu_s: float = 0.0
    answers: int = 0
    frames: int = 0
    sent_bytes: int = 0
    latency: Spread = field(default_factory=Spread)
    """From when an answer was due to its acknowledgement."""
    lateness: Spread = field(default_factory=Spread)
    """How late the process itself was: each 10 ms its event loop is asked."""
    refused: Counter[str] = field(default_factory=Counter)
    """Rejected events by reason."""
    ended: Counter[str] = field(default_factory=Counter)
    """Ended matches by termination, as each bot was told."""

    @property
    def rate(self) -> float:
        """Actions a second."""
        return self.actions / self.seconds if self.seconds else 0.0

    def encode(self) -> dict[str, Any]:  # JSON values
        """For JSON."""
        plain = {name: value for name, value in vars(self).items() if not isinstance(value, Spread)}
        return {**plain, "latency": self.latency.encode(), "lateness": self.lateness.encode()}

    @classmethod
    def decode(cls, values: Mapping[str, Any]) -> Seen:  # JSON values
        """What `encode` made."""
        made = {
            **values,
            **{name: Spread.decode(values[name]) for name in ("latency", "lateness")},
            **{name: Counter(values[name]) for name in ("refused", "ended")},
        }
        return cls(**made)


class Tally:
    """Counts while a window is open, and drops what comes before and after."""

    def __init__(self) -> None:
        self.seen = Seen()
        self._began: tuple[float, float] | None = None

    @property
    def open(self) -> bool:
        """Whether it counts."""
        return self._began is not None

    def begin(self) -> None:
        """Open the window, empty."""
        self.seen, self._began = Seen(), (time.monotonic(), time.process_time())

    def end(self) -> None:
        """Close it: the figures stay."""
        if self._began is not None:
            self.seen.seconds = time.monotonic() - self._began[0]
            self.seen.cpu_s = time.process_time() - self._began[1]
        self._began = None

    def acknowledged(self, actions: int, latency_ms: float) -> None:
        """An answer of ours was taken."""
        if self.open:
            self.seen.actions += actions
            self.seen.latency.add(latency_ms)

    def sent(self, events: int, size: int) -> None:
        """A frame went out."""
        if self.open:
            self.seen.frames += 1
            self.seen.answers += events
            self.seen.sent_bytes += size

    def late(self, late_ms: float) -> None:
        """The event loop was late."""
        if self.open:
            self.seen.lateness.add(late_ms)

    def refused(self, reason: str) -> None:
        """Something that we said was refused."""
        if self.open:
            self.seen.refused[reason] += 1

    def ended(self, termination: str) -> None:
        """A bot was told of an end."""
        if self.open:
            self.seen.ended[termination] += 1


def together(parts: Iterable[Seen]) -> Seen:
    """The figures of processes that ran at the same time."""
    whole = Seen()
    for part in parts:
        for name in ("actions", "cpu_s", "answers", "frames", "sent_bytes"):
            setattr(whole, name, getattr(whole, name) + getattr(part, name))
        for name in ("latency", "lateness"):
            getattr(whole, name).join(getattr(part, name))
        whole.refused.update(part.refused)
        whole.ended.update(part.ended)
        whole.seconds = max(whole.seconds, part.seconds)
    return whole
