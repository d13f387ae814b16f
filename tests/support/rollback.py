"""What a crash of Redis takes along, at will: all that it holds goes back to what it was."""

from __future__ import annotations

from collections.abc import Callable

import redis

__all__ = ["remembered"]


def remembered(client: redis.Redis) -> Callable[[], None]:
    """What puts the whole database back to what it is now."""
    kept = {name: (client.dump(name), max(0, client.pttl(name))) for name in client.keys("*")}

    def go_back() -> None:
        with client.pipeline(transaction=True) as pipeline:
            pipeline.flushdb()
            for name, (dump, ttl_ms) in kept.items():
                if dump is not None:
                    pipeline.restore(name, ttl_ms, dump)
            pipeline.execute()

    return go_back
