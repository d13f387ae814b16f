"""The supervisor: owns the HTTP port, the embedded Redis and the workers, and outlives them all.

    supervisor ── HTTP port
    ├── redis        in a session of its own, tied to this process
    ├── worker 0..   each in a session of its own, at the other end of a pipe
    └── what a command adds, such as the demo's bots

Only the supervisor hears Ctrl-C, SIGTERM and SIGHUP (a closed terminal). It stops what came last first: bots,
workers, Redis, then the HTTP port.
"""

import asyncio
import contextlib
import logging
import signal
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from targi_server.children import Family
from targi_server.embedded.directory import hold, usable
from targi_server.embedded.process import EmbeddedRedis
from targi_server.embedded.syncs import Syncs, measure
from targi_server.health import Health
from targi_server.http.application import application
from targi_server.http.serving import serving
from targi_server.ladder.files import checked
from targi_server.metrics import SupervisorMetrics, exposition
from targi_server.ports import listen, probe
from targi_server.scratch import prefix, sweep
from targi_server.settings import Settings
from targi_server.workers import Worker

__all__ = ["Arena", "cancelled_by_signals", "supervised"]

T = TypeVar("T")
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arena:
    """A running arena. `settings` has the ports and the Redis that are in use."""

    settings: Settings
    family: Family

    @property
    def address(self) -> str:
        """Host and port for gRPC clients on this machine."""
        return f"{reachable(self.settings.host)}:{self.settings.port}"

    @property
    def page(self) -> str:
        """URL of the HTTP port for this machine."""
        return f"http://{reachable(self.settings.http_host)}:{self.settings.http_port}/"

    async def unless_failed(self, work: Coroutine[object, object, T]) -> T:
        """The result of `work`. Raises KeepsDying as soon as a child is beyond help."""
        working, failing = asyncio.create_task(work), asyncio.create_task(self.family.failure())
        try:
            await asyncio.wait((working, failing), return_when=asyncio.FIRST_COMPLETED)
            return failing.result() if failing.done() else working.result()
        finally:
            working.cancel()
            failing.cancel()
            await asyncio.gather(working, failing, return_exceptions=True)


@contextlib.asynccontextmanager
async def supervised(settings: Settings) -> AsyncIterator[Arena]:
    """A ready arena for as long as the block runs.

    Enter it in the main thread. Raises StartError; whatever had started is gone then.
    """
    sweep()
    metrics = SupervisorMetrics()
    health = Health(metrics, *(("redis", "worker") if settings.redis_url is None else ("worker",)))
    family = Family(health, metrics)
    async with contextlib.AsyncExitStack() as stack:
        figures = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix("metrics"))))
        redis = stack.enter_context(redis_for(settings, metrics))
        settings = archiving(settings)
        settings = await open_http(settings, health, metrics, figures, stack)
        stack.push_async_callback(family.stop, settings.grace_s)
        stack.callback(health.stop)
        if redis is not None:
            await family.start(redis)
            settings = replace(settings, redis_url=redis.url)
        numbered = [replace(settings, worker=number) for number in range(settings.workers)]
        await family.start(*(Worker(one, figures, health) for one in numbered))
        health.go()
        yield Arena(settings, family)


async def open_http(
    settings: Settings,
    health: Health,
    metrics: SupervisorMetrics,
    figures: Path,
    stack: contextlib.AsyncExitStack,
) -> Settings:
    """Serves the HTTP port and settles both ports. Raises PortInUse."""
    port = probe(settings.host, settings.port)
    listener = stack.enter_context(
        listen(settings.http_host, settings.http_port, what="the HTTP port", flag="--http-port")
    )
    app = application(health, lambda: exposition(figures, metrics.registry), port)
    await stack.enter_async_context(serving(app, listener))
    return replace(settings, port=port, http_port=listener.getsockname()[1])


@contextlib.contextmanager
def redis_for(settings: Settings, metrics: SupervisorMetrics) -> Iterator[EmbeddedRedis | None]:
    """The embedded Redis on its directory, held for the block; None when there is an outside one."""
    if settings.redis_url is not None:
        yield None
        return
    with hold(settings.data_dir) as directory:
        with usable(directory.path):
            syncs = measure(directory.path)
        note_syncs(syncs, settings, metrics)
        yield EmbeddedRedis(directory, durability=settings.durability, given=settings.redis_binary)


def archiving(settings: Settings) -> Settings:
    """With the archive directory that is meant, which can be written. Raises ArchiveUnusable."""
    path = settings.archive_path
    if path is not None:
        log.info("records of finished matches are exported", extra={"directory": str(checked(path))})
    return replace(settings, archive_dir=path)


def note_syncs(syncs: Syncs, settings: Settings, metrics: SupervisorMetrics) -> None:
    """Logs and exports how fast the disk is; warns when each commit will feel it."""
    for name, value in (("median", syncs.median), ("worst", syncs.worst)):
        metrics.fsync_seconds.labels(name).set(value)
    words = (
        f"fsync takes {syncs.median * 1000:.2f} ms (worst of {len(syncs.seconds)}: {syncs.worst * 1000:.2f})"
    )
    if syncs.is_slow and settings.durability == "always":
        log.warning(f"{words}, and each commit waits for one; --durability everysec does not (may lose 2 s)")
    else:
        log.info(words)


def reachable(host: str) -> str:
    """The address by which this machine reaches a port that was opened on `host`."""
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]", "[::]": "[::1]"}.get(host, host)


@contextlib.contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """Within it the first of the signals that stop cancels the current task; later ones change nothing.

    The block ends quietly then, after all of its own clean-up. A signal that was ignored from the start, as
    `nohup` does with SIGHUP, stays ignored.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    heard: list[signal.Signals] = []

    def hear(number: signal.Signals) -> None:
        heard.append(number)
        if len(heard) == 1:
            log.info("stopping", extra={"signal": number.name})
            task.cancel()

    numbers = [number for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in numbers:
        loop.add_signal_handler(number, hear, number)
    try:
        yield
    except asyncio.CancelledError:
        if not heard:
            raise
        task.uncancel()
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
