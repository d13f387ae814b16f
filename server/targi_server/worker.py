"""A gRPC worker: one process of the arena, spawned by the supervisor (see `targi_server.workers`)."""

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial

from targi_server import logs
from targi_server.app import running
from targi_server.errors import ServerError
from targi_server.lag import watched
from targi_server.metrics import Metrics
from targi_server.reach import asked
from targi_server.settings import Settings
from targi_server.start_errors import StartError

__all__ = ["main"]

log = logging.getLogger(__name__)

SUPERVISOR_GONE = 71


def main(descriptor: int) -> int:
    """Serves until SIGTERM (after a drain) or the end of the pipe (at once). Returns the exit code."""
    pipe = socket.socket(fileno=descriptor)
    settings = Settings.decode(line(pipe))
    logs.configure(settings, process=f"worker {settings.worker}")
    threading.Thread(target=end_with, args=(pipe,), daemon=True).start()
    collect_seldom()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(work(settings, pipe))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop of uvloop where that is installed, else None for the one of asyncio.

    It is no other to whoever uses it, and takes less processor time for each turn.
    """
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def collect_seldom() -> None:
    """Lets the garbage collector look less often, and never at what was there before the first match.

    Positions and messages die by reference count; full passes over hundreds of live ones cost more than
    100 ms each.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def line(pipe: socket.socket) -> str:
    """The one line that the supervisor sends."""
    text = bytearray()
    while not text.endswith(b"\n"):
        text += pipe.recv(65_536) or sys.exit(SUPERVISOR_GONE)
    return text.decode()


def end_with(pipe: socket.socket) -> None:
    """Ends this process when its supervisor is gone, whatever the event loop does meanwhile.

    Nothing is lost by it: what was acknowledged is in Redis, and bots connect again.
    """
    try:
        pipe.recv(1)
    finally:  # a reset is an end, too
        os._exit(SUPERVISOR_GONE)


async def work(settings: Settings, pipe: socket.socket) -> int:
    """Enters the application, tells the supervisor, and leaves it at SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    metrics = Metrics(str(settings.worker))
    try:
        async with running(settings, metrics=metrics) as service, watched(metrics.loop_lag_seconds):
            tell(pipe, ready=True)
            async with asked(service.store.commands, settings.replica, partial(tell_store, pipe)):
                await until_stopped(stop, service.parts.drains.begun, pipe)
    except (ServerError, StartError) as error:
        tell(pipe, failed=str(error))
        return 1
    except Exception as error:  # the border of the process: the supervisor prints what it gets
        log.exception("worker failed")
        tell(pipe, failed=f"{type(error).__name__}: {error}")
        return 1
    return 0


async def until_stopped(stop: asyncio.Event, drains: asyncio.Event, pipe: socket.socket) -> None:
    """Waits for SIGTERM, and tells the supervisor of a drain that comes before."""
    stopping, draining = asyncio.create_task(stop.wait()), asyncio.create_task(drains.wait())
    await asyncio.wait((stopping, draining), return_when=asyncio.FIRST_COMPLETED)
    if drains.is_set():
        tell(pipe, draining=True)
    await stopping
    draining.cancel()


def tell_store(pipe: socket.socket, here: bool) -> None:
    """Logs that the store went or is back, and tells the supervisor."""
    log.warning("Redis answers again" if here else "Redis does not answer: matches stand still")
    tell(pipe, store=here)


def tell(pipe: socket.socket, **answer: object) -> None:
    """One line to the supervisor."""
    pipe.sendall(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
