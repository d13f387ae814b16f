"""Opens the store: one connection for commits, one for news."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from targi_server.store.bus import Bus
from targi_server.store.commands import Commands
from targi_server.store.matches import MatchStore

__all__ = ["Store", "open_store"]


@dataclass(frozen=True, slots=True)
class Store:
    """What lives in Redis."""

    commands: Commands
    matches: MatchStore
    bus: Bus


@asynccontextmanager
async def open_store(
    url: str,
    *,
    replica: str,
    scripts: Sequence[Path] = (),
    replicas_ack: int = 0,
    patience_ms: int = 60_000,
) -> AsyncIterator[Store]:
    """Connects to Redis, alone or a cluster, and closes at the end.

    `scripts`: further directories of `.lua` files. `patience_ms`: how long callers wait while Redis is away.
    Raises StartError: RedisTooOld, RedisFailed.
    """
    if url:
        raise NotImplementedError
    yield
