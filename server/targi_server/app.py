"""The composition root: every part of a server process is made here, and closed in reverse order."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from targi.v1 import match_service_pb2

from targi_server.accounts.store import Accounts
from targi_server.ladder.archive import Archive
from targi_server.ladder.election import Election
from targi_server.ladder.filing import Filing
from targi_server.ladder.matchmaker import Matchmaker
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.results import RatedResults
from targi_server.ladder.standings import Standings
from targi_server.lobby.lobby import Lobby
from targi_server.metrics import Metrics
from targi_server.play.room import Room, playing
from targi_server.rpc.concerns import concerns
from targi_server.rpc.server import Registration, listening
from targi_server.services.match import MatchServicer
from targi_server.settings import Settings
from targi_server.start_errors import BadSetting
from targi_server.store.opening import Store, open_store

__all__ = ["Service", "running"]

HERE = Path(__file__).parent
SCRIPTS = tuple(HERE / area / "lua" for area in ("accounts", "lobby", "ladder"))
CALLS_PER_CALLER = 64
DRAIN_S = 1.0
"""Streams end this soon at a stop: the matches are safe, and bots had better be elsewhere."""


@dataclass(frozen=True, slots=True)
class Service:
    """A running server process, and its parts."""

    port: int
    settings: Settings
    metrics: Metrics
    store: Store
    accounts: Accounts
    lobby: Lobby
    archive: Archive
    results: RatedResults
    standings: Standings
    room: Room


@asynccontextmanager
async def running(settings: Settings, *, metrics: Metrics | None = None) -> AsyncIterator[Service]:
    """Serve until left: the streams are drained, then everything is closed in reverse order.

    Raises StartError for a Redis or a port that cannot be had.
    """
    counted = metrics or Metrics(str(settings.worker))
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(_store(settings, counted))
        accounts = Accounts(
            store.commands,
            open_registration=settings.open_registration,
            registrations_per_hour=settings.registrations_per_hour,
        )
        lobby = Lobby.of(store, counted, settings)
        archive = Archive(store.commands, store.matches, ttl_s=settings.finished_ttl_s)
        results = RatedResults(store.commands)
        standings = Standings(store.commands, results, accounts, counted)
        pairs = Pairs(lobby, accounts, results, standings, counted, settings, random.Random())
        filing = Filing(store.matches, archive, results, lobby.offers, counted)
        election = Election(store.commands, replica=settings.replica)
        matchmaker = Matchmaker(store, election, lobby, filing, pairs, standings)
        await stack.enter_async_context(matchmaker.running())
        room = await stack.enter_async_context(playing(settings, store, lobby, archive, counted))
        order = concerns(counted, accounts, calls_per_caller=CALLS_PER_CALLER)
        port, health = await stack.enter_async_context(listening(settings, _registrations(room), order))
        await health.set_serving(True)
        stack.push_async_callback(room.host.drain, min(DRAIN_S, settings.grace_s))
        stack.push_async_callback(health.set_serving, False)
        yield Service(port, settings, counted, store, accounts, lobby, archive, results, standings, room)


def _store(settings: Settings, metrics: Metrics) -> AbstractAsyncContextManager[Store]:
    if settings.redis_url is None:
        raise BadSetting("redis", "none", "a worker needs the URL of a Redis; `targi serve` gives it one")
    return open_store(
        settings.redis_url,
        replica=settings.replica,
        scripts=SCRIPTS,
        replicas_ack=settings.replicas_ack,
        metrics=metrics,
    )


def _registrations(room: Room) -> list[Registration]:
    services = match_service_pb2.DESCRIPTOR.services_by_name
    return [(services["MatchService"], MatchServicer(room))]
