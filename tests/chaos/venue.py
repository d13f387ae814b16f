"""The service that is broken: one arena with its own Redis, or two replicas on one Redis outside."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import redis
from arena_process import Arena, get, role_of, wait_for
from plan import Shape
from redis_server import RedisServer

__all__ = ["BASE_MS", "BUDGET_MS", "HEARTBEAT_MS", "INCREMENT_MS", "VENUES", "Venue", "skewed"]

BASE_MS, INCREMENT_MS = 15_000, 500
BUDGET_MS = 15_000
HEARTBEAT_MS = 2_000
FLAGS = (
    *("--base-ms", str(BASE_MS), "--increment-ms", str(INCREMENT_MS)),
    *("--disconnect-budget-ms", str(BUDGET_MS), "--heartbeat-ms", str(HEARTBEAT_MS)),
    *("--max-capacity", "64", "--calls-per-second", "100000"),
)
SAFE = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
RESTART_S = 90.0
SKEW = str(Path(__file__).resolve().parent / "skew")


def skewed(folder: Path) -> dict[str, str]:
    """Environment of a process whose clocks are wrong; `folder` says by how much."""
    path = os.pathsep.join(filter(None, (SKEW, os.environ.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "CHAOS_SKEW": str(folder)}


@dataclass
class Venue:
    """Supervisors, workers and a Redis. Without `outside` the Redis is the only arena's own."""

    arenas: list[Arena]
    workers_each: int
    outside: RedisServer | None = None
    seen: set[psutil.Process] = field(default_factory=set)

    @property
    def shape(self) -> Shape:
        """What there is, but for bots."""
        return Shape(self.workers_each * len(self.arenas), len(self.arenas), 0)

    @property
    def ports(self) -> list[int]:
        """Of gRPC, an arena each."""
        return [arena.port for arena in self.arenas]

    def start(self) -> None:
        if self.outside is not None:
            self.outside.start()
        for arena in self.arenas:
            arena.start()
        self.look()

    def look(self) -> None:
        """Remembers all processes: none may be left at the end."""
        self.seen.update(process for arena in self.arenas for process in arena.tree())

    def workers(self) -> list[psutil.Process]:
        """Those that live, in a fixed order."""
        self.look()
        return [worker for arena in self.arenas for worker in arena.find_all("worker")]

    def whole(self) -> bool:
        """Whether everything runs and is ready."""
        pages = [get(f"http://127.0.0.1:{arena.http_port}/readyz") for arena in self.arenas]
        return all(pages) and len(self.workers()) == self.shape.workers

    def mend(self) -> None:
        """Waits until everything runs again."""
        wait_for("the service to be whole", self.whole, RESTART_S)

    def restart(self, arena: Arena) -> None:
        """Starts a dead supervisor on its data as an operator does: again and again until it stays up."""
        end = time.monotonic() + RESTART_S
        while True:
            try:
                return arena.start()
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.3)

    def redis_process(self) -> psutil.Process | None:
        """The Redis, if it lives."""
        if self.outside is None:
            self.look()
            return next(iter(self.arenas[0].find_all("redis")), None)
        process = self.outside.process
        return psutil.Process(process.pid) if process is not None else None

    def client(self) -> redis.Redis:
        """For looking at what is in Redis. The caller closes it."""
        if self.outside is not None:
            return self.outside.client()
        return self.arenas[0].redis_client()

    def stop(self) -> list[str]:
        """Stops everything; returns what is left of it, in words."""
        self.look()
        codes = [arena.stop(60) for arena in self.arenas]
        if self.outside is not None:
            self.outside.kill()
        words = [f"a supervisor ended with exit code {code}" for code in codes if code]
        words += [f"process {process.pid} is left" for process in self.seen if lives(process)]
        ports = [port for arena in self.arenas for port in (arena.port, arena.http_port)]
        return words + [f"port {port} is still held" for port in ports if is_held(port)]

    def destroy(self) -> None:
        """Leaves nothing running, however the leg went."""
        self.look()
        for process in self.seen:
            if lives(process) and role_of(process) != "other":
                process.kill()
        if self.outside is not None:
            self.outside.kill()


def lives(process: psutil.Process) -> bool:
    """Whether it is there and no zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_held(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def embedded(folder: Path, env: Mapping[str, str]) -> Venue:
    """`targi serve --workers 2`."""
    return Venue([Arena(folder / "data", flags=(*FLAGS, "--workers", "2"), env=env)], 2)


def shared(folder: Path, env: Mapping[str, str]) -> Venue:
    """Two times `targi serve --redis`."""
    (folder / "redis").mkdir()
    outside = RedisServer(folder / "redis", SAFE)
    flags = (*FLAGS, "--redis", outside.url, "--workers", "1")
    return Venue([Arena(folder / f"data{n}", flags=flags, env=env) for n in range(2)], 1, outside)


VENUES: tuple[tuple[str, Callable[[Path, Mapping[str, str]], Venue]], ...] = (
    ("own Redis", embedded),
    ("two replicas", shared),
)
