"""How each fault of the plan is done, and how it is healed: a context manager each, in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from fleet import Fleet, Member
from plan import Fault
from tcp_proxy import Proxy, Way
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

    def redis(self, _fault: Fault) -> psutil.Process:
        """The Redis. Raises MissedError."""
        process = self.venue.redis_process()
        if process is None:
            raise MissedError("a Redis")
        return process

    def bot(self, fault: Fault) -> Member:
        """The bot that a fault hits."""
        return self.fleet.members[fault.target]

    def bot_process(self, fault: Fault) -> psutil.Process:
        """Its process. Raises MissedError."""
        process = self.bot(fault).process
        if process is None or process.poll() is not None:
            raise MissedError("a bot")
        return psutil.Process(process.pid)


Doing = Callable[[Field, Fault], AbstractContextManager[None]]
Find = Callable[[Field, Fault], psutil.Process]


def stopping(find: Find) -> Doing:
    """A process stands still."""

    @contextmanager
    def stopped(field: Field, fault: Fault) -> Iterator[None]:
        process = find(field, fault)
        process.suspend()
        try:
            yield
        finally:
            with suppress(psutil.NoSuchProcess):
                process.resume()

    return stopped


def skewing(find: Find) -> Doing:
    """The wall clock of a process is wrong by up to two hours, before or behind."""

    @contextmanager
    def skewed(field: Field, fault: Fault) -> Iterator[None]:
        wrong_s = (2 * fault.size - 1) * MOST_SKEW_S
        (field.skew / str(find(field, fault).pid)).write_text(f"{wrong_s:.3f}")
        yield

    return skewed


@contextmanager
def worker_kill(field: Field, fault: Fault) -> Iterator[None]:
    field.worker(fault).kill()
    yield
    field.venue.mend()


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
    field.redis(fault).kill()
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
def cut(field: Field, fault: Fault) -> Iterator[None]:
    field.fleet.cut(field.bot(fault))
    yield


@dataclass(frozen=True, slots=True)
class Weather:
    """What becomes of bytes on their way, and how it ends. The number is the size of the fault."""

    begin: Callable[[Way, float], None]
    end: Callable[[Way], None]
    lasting: bool = False
    """Whether it never ends for connections that met it: what was lost of them is missing for good."""


def all_ways(proxy: Proxy, names: tuple[str, ...], *, opened: bool = True) -> Iterator[Way]:
    """Directions of connections to come and, once those are dealt with, of those that are open."""
    yield from map(proxy.fresh.way, names)
    if opened:
        yield from proxy.open_ways(names)


def on_the_way(names: tuple[str, ...], weather: Weather) -> Doing:
    """It meets connections in these directions, those that are open and those to come."""

    @contextmanager
    def met(field: Field, fault: Fault) -> Iterator[None]:
        proxy = field.bot(fault).proxy
        for way in all_ways(proxy, names):
            weather.begin(way, fault.size)
        try:
            yield
        finally:
            for way in all_ways(proxy, names, opened=not weather.lasting):
                weather.end(way)

    return met


def swallow(way: Way, _size: float) -> None:
    way.swallowed = True


def spare(way: Way) -> None:
    way.swallowed = False


def stall(way: Way, _size: float) -> None:
    way.stalled = True


def release(way: Way) -> None:
    way.stalled = False


def slow(way: Way, size: float) -> None:
    least, most = LATENCY_S
    way.delay_s = way.jitter_s = least + (most - least) * size


def quick(way: Way) -> None:
    way.delay_s = way.jitter_s = 0.0


LOSS = Weather(swallow, spare, lasting=True)
STALL = Weather(stall, release)
"""As while packets are lost and sent again."""
LATENCY = Weather(slow, quick)

FAULTS: dict[str, Doing] = {
    "worker-kill": worker_kill,
    "worker-stop": stopping(Field.worker),
    "supervisor-kill": supervisor_kill,
    "redis-kill": redis_kill,
    "redis-stop": stopping(Field.redis),
    "bot-kill": bot_kill,
    "bot-stop": stopping(Field.bot_process),
    "cut": cut,
    "loss-up": on_the_way(("up",), LOSS),
    "loss-down": on_the_way(("down",), LOSS),
    "stall-up": on_the_way(("up",), STALL),
    "stall-down": on_the_way(("down",), STALL),
    "latency": on_the_way(("up", "down"), LATENCY),
    "skew": skewing(Field.worker),
    "bot-skew": skewing(Field.bot_process),
}
