"""What time it is in Redis, without asking: its time minus the monotonic clock of this process, by bucket."""

from __future__ import annotations

from time import monotonic

from targi_server.store.buckets import BUCKETS

__all__ = ["RedisClock"]


class RedisClock:
    """Buckets may lie on servers whose clocks differ, so each has an offset of its own."""

    def __init__(self) -> None:
        self._offsets: list[float | None] = [None] * BUCKETS

    def learn(self, bucket: int, redis_ms: int, sent_at: float, answered_at: float) -> None:
        """Redis read `redis_ms` at some moment between two of the monotonic clock, in seconds."""
        least, most = redis_ms - answered_at * 1000, redis_ms - sent_at * 1000
        known = self._offsets[bucket]
        # An offset that agrees is better than the middle of a slow answer: it has seen quicker ones.
        self._offsets[bucket] = (least + most) / 2 if known is None else min(max(known, least), most)

    def now_ms(self, bucket: int) -> int:
        """Redis' time in ms. Raises RuntimeError before the first `learn`."""
        offset = self._offsets[bucket]
        if offset is None:
            raise RuntimeError(f"the time of bucket {bucket} is not known before the first tick")
        return round(monotonic() * 1000 + offset)
