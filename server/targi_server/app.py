"""The composition root: every part of a server process is made here, and closed in reverse order."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from targi.v1 import (
    account_service_pb2,
    admin_service_pb2,
    ladder_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
)

from targi_server.accounts.store import Accounts
from targi_server.admin.aborts import Aborts
from targi_server.admin.administration import Administration
from targi_server.admin.audit import Audit
from targi_server.admin.bans import Bans
from targi_server.admin.drains import Drains
from targi_server.ladder.archive import Archive
from targi_server.ladder.election import Election
from targi_server.ladder.enquiries import Enquiries
from targi_server.ladder.export import Export
from targi_server.ladder.files import RecordFiles
from targi_server.ladder.filing import Filing
from targi_server.ladder.matchmaker import Matchmaker
from targi_server.ladder.obstacles import Obstacles
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.pauses import Pauses
from targi_server.ladder.results import RatedResults
from targi_server.ladder.standings import Standings
from targi_server.lobby.challenges import Challenges
from targi_server.lobby.limits import ChallengeLimits
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.terms import Times
from targi_server.match.clock import HoldLimits
from targi_server.metrics import Metrics
from targi_server.play.notes import Notes
from targi_server.play.room import Room, playing
from targi_server.repetition import SECOND_S, repeated
from targi_server.rpc.concerns import concerns
from targi_server.rpc.limits import CallLimits
from targi_server.rpc.server import Health, Registration, listening
from targi_server.services.account import AccountServicer
from targi_server.services.admin import AdminServicer
from targi_server.services.ladder import LadderServicer
from targi_server.services.lobby import LobbyServicer
from targi_server.services.match import MatchServicer
from targi_server.settings import Settings
from targi_server.start_errors import BadSetting
from targi_server.store.exports import Exports
from targi_server.store.opening import Store, open_store

__all__ = ["Service", "running"]

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
SCRIPTS = tuple(HERE / area / "lua" for area in ("accounts", "lobby", "ladder"))
DRAIN_S = 1.0
"""Streams end this soon at a stop: the matches are safe, and bots had better be elsewhere."""


class Parts:
    """What the services are made of, besides playing."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics) -> None:
        commands = store.commands
        self.accounts = Accounts(
            commands,
            open_registration=settings.open_registration,
            registrations_per_hour=settings.registrations_per_hour,
            bots_per_owner=settings.bots_per_owner,
        )
        self.lobby = Lobby.of(store, metrics, settings)
        self.challenges = Challenges(
            self.lobby, self.accounts, Times.of(settings), ChallengeLimits.of(settings)
        )
        self.archive = Archive(
            commands,
            store.matches,
            ttl_s=settings.finished_ttl_s,
            exporting=settings.archive_path is not None,
        )
        self.results = RatedResults(commands)
        self.standings = Standings(commands, self.results, self.accounts, metrics)
        self.enquiries = Enquiries(self.results, self.standings, self.accounts, self.lobby.presence)
        self.pauses = Pauses(commands)
        self.bans = Bans(commands, store.matches, self.accounts, self.lobby)
        self.drains = Drains(commands, self.lobby.presence, replica=settings.replica)
        self.audit = Audit(commands, store.matches.now_ms)
        self.administration = Administration(
            self.audit, self.pauses, Aborts(store.matches), self.bans, self.drains, self.accounts
        )
        self.pairs = Pairs(
            self.lobby,
            self.accounts,
            self.results,
            self.standings,
            self.pauses,
            metrics,
            settings,
            random.Random(),
        )
        self.obstacles = Obstacles(self.pairs, self.accounts, self.pauses, self.lobby.presence, settings)
        self.matchmaker = self._matchmaker(store, settings, metrics)

    def _matchmaker(self, store: Store, settings: Settings, metrics: Metrics) -> Matchmaker:
        election = Election(store.commands, replica=settings.replica)
        notes = Notes(store.commands)
        filing = Filing(store.matches, notes, self.archive, self.results, self.lobby.offers, metrics)
        export = _export(store, settings, metrics)
        return Matchmaker(store, election, self.lobby, filing, self.pairs, self.standings, export)


@dataclass(frozen=True, slots=True)
class Service:
    """A running server process, and its parts."""

    port: int
    settings: Settings
    metrics: Metrics
    store: Store
    parts: Parts
    room: Room


@asynccontextmanager
async def running(settings: Settings, *, metrics: Metrics | None = None) -> AsyncIterator[Service]:
    """Serve until left: then the streams are drained, and everything is closed in reverse order.

    Raises StartError for a Redis or a port that cannot be had.
    """
    counted = metrics or Metrics(str(settings.worker))
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(_store(settings, counted))
        parts = Parts(store, settings, counted)
        await stack.enter_async_context(parts.matchmaker.running())
        room = await stack.enter_async_context(
            playing(settings, store, parts.lobby, parts.archive, parts.accounts, counted)
        )
        limits = CallLimits(per_address=settings.calls_per_address, per_second=settings.calls_per_second)
        order = concerns(counted, parts.accounts, limits)
        registrations = _registrations(parts, room, settings)
        port, health = await stack.enter_async_context(listening(settings, registrations, order))
        await _show_first_admin(parts.accounts, settings)
        await health.set_serving(True)
        log.info("replica %s serves", settings.replica)
        drain = partial(_drain, room, health, min(DRAIN_S, settings.grace_s))
        stack.push_async_callback(drain)
        await stack.enter_async_context(
            repeated(SECOND_S, parts.bans.enforce, partial(parts.drains.look, drain))
        )
        yield Service(port, settings, counted, store, parts, room)


def _export(store: Store, settings: Settings, metrics: Metrics) -> Export | None:
    """What fills the archive directory, if there is one."""
    if settings.archive_path is None:
        return None
    files = RecordFiles(settings.archive_path, replica=settings.replica)
    return Export(Exports(store.commands), files, metrics, ttl_s=settings.finished_ttl_s)


async def _drain(room: Room, health: Health, within_s: float) -> None:
    """Send everybody away, load balancers first."""
    await health.set_serving(False)
    await room.host.drain(within_s)


async def _show_first_admin(accounts: Accounts, settings: Settings) -> None:
    """Print the first administrator's token, where it is wanted and was not made before."""
    if not settings.admin_init or settings.worker:
        return
    token = await accounts.first_admin()
    if token is None:
        log.info("the first administrator was made before: its token is not shown again")
    else:
        print(f"administrator's token, shown this once: {token}", flush=True)


def _store(settings: Settings, metrics: Metrics) -> AbstractAsyncContextManager[Store]:
    if settings.redis_url is None:
        raise BadSetting("--redis", "none", "a worker needs the URL of a Redis; `targi serve` gives it one")
    return open_store(
        settings.redis_url,
        replica=settings.replica,
        scripts=SCRIPTS,
        replicas_ack=settings.replicas_ack,
        metrics=metrics,
        holds=HoldLimits(settings.hold_ms, settings.hold_total_ms),
    )


def _registrations(parts: Parts, room: Room, settings: Settings) -> list[Registration]:
    """All services of `targi.v1` and who serves them."""
    presence = parts.lobby.presence
    servicers = {
        match_service_pb2: ("MatchService", MatchServicer(room)),
        lobby_service_pb2: ("LobbyService", LobbyServicer(parts.lobby, parts.challenges, settings)),
        ladder_service_pb2: ("LadderService", LadderServicer(parts.enquiries, parts.obstacles)),
        account_service_pb2: ("AccountService", AccountServicer(parts.accounts, presence)),
        admin_service_pb2: ("AdminService", AdminServicer(parts.administration)),
    }
    return [
        (module.DESCRIPTOR.services_by_name[name], servicer) for module, (name, servicer) in servicers.items()
    ]
