"""A machine that loses its power, simulated: of Redis' file stays what Redis had synced, and nothing more.

kill -9 proves nothing about that: what was written and not synced is in the page cache of the system, which
outlives the process. How far the file is synced Redis says itself, in answer to WAITAOF (Redis 7.2, Valkey
7.2): nothing else tells it without a superuser's rights.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import redis
from arena_process import Arena, wait_for

__all__ = ["cut_power"]

PROBE = "test:synced"
ONCE_MS = 5_000
"""`everysec` syncs within a second; a busy disk takes its time."""
AT_ONCE_MS = 1
TRIES = 8


def cut_power(server: Arena, play: Callable[[], None]) -> float:
    """Syncs, has bots `play` for less than a second, and cuts the power; returns when, as time.time().

    If all that they were told was synced by then, it is tried again: `everysec` may have synced just then.
    With `always` that is so each time, and the last cut takes nothing away.
    """
    path = max(server.data_dir.rglob("*.incr.aof"), key=lambda path: path.stat().st_mtime)
    with server.redis_client() as client:
        for attempt in range(1, TRIES + 1):
            synced = path.stat().st_size
            assert is_synced(client, ONCE_MS), "Redis did not sync its file"
            play()
            with standing_still(server):
                wait_for("Redis to have done all it was asked for", lambda: is_idle(client, path))
                if not is_synced(client, AT_ONCE_MS):
                    return end(server, path, synced)
                if attempt == TRIES:
                    return end(server, path, path.stat().st_size)
    raise AssertionError("the last attempt returns")


def is_idle(client: redis.Redis, path: Path) -> bool:
    """Whether Redis wrote nothing while it looked at all connections twice."""
    size = path.stat().st_size
    return bool(client.ping()) and bool(client.ping()) and path.stat().st_size == size


def is_synced(client: redis.Redis, within_ms: int) -> bool:
    """Whether all that Redis wrote so far is synced, or is so in time."""
    client.set(PROBE, time.time())  # WAITAOF waits for the last write of its own connection
    files, _replicas = client.waitaof(1, 0, within_ms)
    return files == 1


@contextmanager
def standing_still(server: Arena) -> Iterator[None]:
    """Within the block nobody is told anything, and no process is started."""
    with ExitStack() as stack:
        for process in (*server.find_all("supervisor"), *server.find_all("worker")):
            process.send_signal(signal.SIGSTOP)
            stack.callback(process.send_signal, signal.SIGCONT)
        yield


def end(server: Arena, path: Path, synced: int) -> float:
    """Kills Redis and cuts its file off; the next one starts once the supervisor goes on."""
    process = server.find("redis")
    at = time.time()
    process.kill()
    wait_for("the end of Redis", lambda: process.status() == psutil.STATUS_ZOMBIE)
    os.truncate(path, synced)
    return at
