"""How each fault of the plan is done, and how it is healed: a context manager each, in a table."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
from fleet import Fleet, Member
from plan import Fault
from tcp_proxy import Way
from venue import Venue

__all__ = ["FAULTS", "Field", "MissedError"]

MOST_SKEW_S = 7_200.0
LATENCY_S = (0.02, 0.2)


class MissedError(Exception):
    """What the fault was to hit is not there at the moment."""


@dataclass(frozen=True, slots=True)
class Field:
    """What faults are done to."""

    venue: Venue
    fleet: Fleet
    skew: Path
    """Folder with the errors of wall clocks."""

    def worker(self, fault: Fault) -> psutil.Process:
        """The worker that a fault hits. Raises MissedError."""
        workers = self.venue.workers()
        if fault.target >= len(workers):
            raise MissedError("a worker")
        return workers[fault.target]

    def redis(self) -> psutil.Process:
        """The Redis. Raises MissedError."""
        process = self.venue.redis_process()
        if process is None:
            raise MissedError("a Redis")
        return process

    def bot(self, fault: Fault) -> Member:
        """The bot that a fault hits."""
        return self.fleet.members[fault.target]


Doing = Callable[[Field, Fault], AbstractContextManager[None]]


@contextmanager
def worker_kill(field: Field, fault: Fault) -> Iterator[None]:
    field.worker(fault).kill()
    yield
    field.venue.mend()


@contextmanager
def stopped(process: psutil.Process) -> Iterator[None]:
    process.suspend()
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess):
            process.resume()


def worker_stop(field: Field, fault: Fault) -> AbstractContextManager[None]:
    return stopped(field.worker(fault))


def redis_stop(field: Field, fault: Fault) -> AbstractContextManager[None]:
    return stopped(field.redis())


@contextmanager
def supervisor_kill(field: Field, fault: Fault) -> Iterator[None]:
    arena = field.venue.arenas[fault.target]
    field.venue.look()
    arena.kill9("supervisor")
    yield
    field.venue.restart(arena)
    field.venue.mend()


@contextmanager
def redis_kill(field: Field, fault: Fault) -> Iterator[None]:
    field.redis().kill()
    yield
    if field.venue.outside is not None:
        field.venue.outside.kill()  # collects it
        field.venue.outside.start()
    field.venue.mend()


@contextmanager
def bot_kill(field: Field, fault: Fault) -> Iterator[None]:
    bot = field.bot(fault)
    bot.kill()
    try:
        yield
    finally:
        bot.start()


@contextmanager
def bot_stop(field: Field, fault: Fault) -> Iterator[None]:
    bot = field.bot(fault)
    bot.send(signal.SIGSTOP)
    try:
        yield
    finally:
        bot.send(signal.SIGCONT)


@contextmanager
def cut(field: Field, fault: Fault) -> Iterator[None]:
    field.fleet.cut(field.bot(fault))
    yield


def set_ways(bot: Member, name: str, change: Callable[[Way], None]) -> None:
    """Changes a direction of the connections that are open and of those to come."""
    change(bot.proxy.fresh.way(name))
    for way in bot.proxy.open_ways((name,)):
        change(way)


@contextmanager
def loss(name: str, field: Field, fault: Fault) -> Iterator[None]:
    """Bytes of one direction are lost; a connection that lost some is dead that way for good."""
    bot = field.bot(fault)
    set_ways(bot, name, lambda way: setattr(way, "swallowed", True))
    try:
        yield
    finally:
        bot.proxy.fresh.way(name).swallowed = False


@contextmanager
def stall(name: str, field: Field, fault: Fault) -> Iterator[None]:
    """Bytes of one direction wait, as while packets are lost and sent again."""
    bot = field.bot(fault)
    set_ways(bot, name, lambda way: setattr(way, "stalled", True))
    try:
        yield
    finally:
        set_ways(bot, name, lambda way: setattr(way, "stalled", False))


@contextmanager
def latency(field: Field, fault: Fault) -> Iterator[None]:
    bot = field.bot(fault)
    least, most = LATENCY_S

    def slow(way: Way) -> None:
        way.delay_s = way.jitter_s = least + (most - least) * fault.size

    def quick(way: Way) -> None:
        way.delay_s = way.jitter_s = 0.0

    for name in ("up", "down"):
        set_ways(bot, name, slow)
    try:
        yield
    finally:
        for name in ("up", "down"):
            set_ways(bot, name, quick)


def shift(field: Field, pid: int, size: float) -> None:
    """Sets the wall clock of a process wrong by up to two hours, before or behind."""
    (field.skew / str(pid)).write_text(f"{(2 * size - 1) * MOST_SKEW_S:.3f}")


@contextmanager
def skew(field: Field, fault: Fault) -> Iterator[None]:
    shift(field, field.worker(fault).pid, fault.size)
    yield


@contextmanager
def bot_skew(field: Field, fault: Fault) -> Iterator[None]:
    process = field.bot(fault).process
    if process is None:
        raise MissedError("a bot")
    shift(field, process.pid, fault.size)
    yield


FAULTS: dict[str, Doing] = {
    "worker-kill": worker_kill,
    "worker-stop": worker_stop,
    "supervisor-kill": supervisor_kill,
    "redis-kill": redis_kill,
    "redis-stop": redis_stop,
    "bot-kill": bot_kill,
    "bot-stop": bot_stop,
    "cut": cut,
    "loss-up": partial(loss, "up"),
    "loss-down": partial(loss, "down"),
    "stall-up": partial(stall, "up"),
    "stall-down": partial(stall, "down"),
    "latency": latency,
    "skew": skew,
    "bot-skew": bot_skew,
}
