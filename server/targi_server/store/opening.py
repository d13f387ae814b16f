"""Opens the store: one connection for commits, one for news."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from targi_server.errors import Unavailable
from targi_server.match.clock import HoldLimits
from targi_server.start_errors import RedisFailed
from targi_server.store.bus import Bus
from targi_server.store.checks import Found, look_at
from targi_server.store.commands import Commands
from targi_server.store.committer import CommitMetrics, Committer
from targi_server.store.link import ClusterLink, SingleLink
from targi_server.store.matches import MatchStore
from targi_server.store.scripts import LUA, read_scripts

__all__ = ["Store", "open_store"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Store:
    """What lives in Redis."""

    found: Found
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
    metrics: CommitMetrics | None = None,
    clock: str | None = None,
    holds: HoldLimits = HoldLimits(),  # noqa: B008 (it never changes)
) -> AsyncIterator[Store]:
    """Connects to Redis, alone or a cluster, and closes at the end. The first tick is done when it yields.

    `scripts`: further directories of `.lua` files. `patience_ms`: how long callers wait while Redis is away.
    `clock`: Lua in place of `parts/clock.lua`, for tests. Raises StartError: RedisTooOld, RedisFailed.
    """
    found = await look_at(url)
    for warning in found.warnings:
        log.warning("%s", warning)
    library = read_scripts((LUA, *scripts), clock=clock)
    async with AsyncExitStack() as stack:
        link = (ClusterLink if found.cluster else SingleLink)(url, replicas_ack=replicas_ack)
        stack.push_async_callback(link.aclose)
        committer = Committer(link, library, patience_s=patience_ms / 1000, metrics=metrics)
        stack.push_async_callback(committer.aclose)
        bus = Bus(link, committer, replica=replica)
        stack.push_async_callback(bus.aclose)
        matches = MatchStore(committer, replica=replica, on_commit=bus.committed, holds=holds)
        await committer.load_scripts()
        try:
            await matches.tick()
        except Unavailable as error:
            raise RedisFailed(f"Redis does not take what is written: {error.words}") from error
        await bus.listening()
        yield Store(found, committer, matches, bus)
