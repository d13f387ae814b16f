"""All that is known of a match that is over: what is kept, what is shown, what its bots were told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from journal import Told
from spans import Span
from targi.v1 import match_service_pb2
from targi_server.ladder.finished import Finished

__all__ = ["Facts"]


@dataclass(frozen=True)
class Facts:
    """All that is known of a match that is over."""

    kept: Finished
    """What Redis keeps of it."""
    answer: match_service_pb2.GetMatchResponse
    """What anybody is told of it, with its timeline."""
    record: str
    told: tuple[Told | None, Told | None]
    """By seat, None for a bot that never heard of it."""
    impaired: tuple[Sequence[Span], Sequence[Span]]
    """By seat: when its bot was hit."""
    services: Sequence[Span]
    """When the service was hit."""
    busy: Sequence[Span] = ()
    """When the machine was."""
    starving: Sequence[Span] = ()
    """When it let a worker wait for a processor."""

    @property
    def match_id(self) -> str:
        return self.kept.header.match_id

    @cached_property
    def commits(self) -> list[int]:
        """When the first turn began and when each action was committed."""
        began = self.kept.began_ms
        return [began, *(began + sum_ms for sum_ms in accumulate(e.elapsed_ms for e in self.kept.entries))]

    @cached_property
    def clocks(self) -> list[tuple[int, int]]:
        """Both clocks before each ply, and at last."""
        header, clocks = self.kept.header, [self.kept.header.base_ms] * 2
        course = [(clocks[0], clocks[1])]
        for entry in self.kept.entries:
            clocks[entry.seat] += header.increment_ms * entry.turn_ended - entry.charged_ms
            course.append((clocks[0], clocks[1]))
        return course

    def seats_told(self) -> Iterator[tuple[int, Told]]:
        """Seats whose bots heard of it."""
        return ((seat, told) for seat, told in enumerate(self.told) if told is not None)

    def hits(self, from_ms: int, to_ms: int) -> int:
        """How many faults of the service touch a stretch of time."""
        return sum(span.from_ms < to_ms and span.to_ms > from_ms for span in self.services)
