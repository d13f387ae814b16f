"""A gRPC worker as the supervisor sees it: a spawned process at the other end of a pipe.

Over the pipe the worker gets its settings, one line of JSON, and answers with lines: `{"ready": true}` or
`{"failed": "why"}`, then `{"store": false}` and `{"store": true}` when Redis goes and is back, and
`{"draining": true}` when an administrator drains it. It ends when the pipe does.
"""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path

from targi_server.health import Health
from targi_server.metrics import forget_worker
from targi_server.settings import Settings
from targi_server.start_errors import WorkerFailed

__all__ = ["Worker"]

log = logging.getLogger(__name__)

START_S = 60.0
MARGIN_S = 2.0
"""A worker that drains for the whole grace time still needs this to leave."""
ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""For glibc: gRPC's threads would get a heap each, and what one of them freed the others could not use."""


class Worker:
    """A child of the supervisor.

    `metrics` is the directory that its figures go to; `health` hears whether Redis is away for it, and
    whether it drains.
    """

    name = "worker"

    def __init__(self, settings: Settings, metrics: Path, health: Health) -> None:
        self.settings = settings
        self.metrics = metrics
        self._health = health
        self._process: asyncio.subprocess.Process | None = None
        self._pipe: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Spawns it and waits until it serves. Raises WorkerFailed with its own words."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = await self._spawn(theirs.fileno())
        reader, self._pipe = await asyncio.open_connection(sock=ours)
        # A new name each time: what the dead one left behind is the dead one's.
        settings = replace(self.settings, replica=secrets.token_hex(4))
        self._pipe.write(settings.encode().encode() + b"\n")
        try:
            answer = json.loads(await asyncio.wait_for(reader.readline(), START_S) or "{}")
        except TimeoutError:
            answer = {"failed": f"it was not ready within {START_S:.0f} s"}
        except OSError as error:  # killed before it had read its settings
            answer = {"failed": f"it ended while it started: {error}"}
        if not answer.get("ready"):
            await self.stop(0)
            raise WorkerFailed(str(answer.get("failed", "it ended while it started; its log says why")))
        self._listening = asyncio.create_task(self._listen(reader))
        told = {"worker": settings.worker, "replica": settings.replica, "pid": self._process.pid}
        log.info("worker is ready", extra=told)

    async def ended(self) -> str:
        """Waits for its end; says how it was, nothing if somebody sent it SIGTERM, as after a drain."""
        assert self._process is not None
        code = await self._process.wait()
        self._forget()
        return f"worker {self.settings.worker} ended with exit code {code}" if code else ""

    async def stop(self, grace_s: float) -> None:
        """Lets it drain, then closes the pipe, at last kills it."""
        if self._process is None:
            return
        if grace_s:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), grace_s + MARGIN_S)
        self._signal(signal.SIGKILL)
        await self._process.wait()
        self._forget()

    async def _spawn(self, descriptor: int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "targi_server.worker", str(descriptor)),
            pass_fds=[descriptor],
            stdin=asyncio.subprocess.DEVNULL,
            env={**ARENAS, **os.environ, "PROMETHEUS_MULTIPROC_DIR": str(self.metrics)},
            start_new_session=True,
        )

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Passes on what it says of its Redis; what is gone with it needs no word."""
        number = self.settings.worker
        try:
            with contextlib.suppress(OSError):
                async for line in reader:
                    told = json.loads(line)
                    if "store" in told:
                        self._health.store_gone(number, not told["store"])
                    else:
                        self._health.drains(number, told["draining"])
        finally:
            self._health.store_gone(number, False)
            self._health.drains(number, False)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)

    def _forget(self) -> None:
        assert self._process is not None
        forget_worker(self._process.pid, self.metrics)
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._listening is not None:
            self._listening.cancel()
            self._listening = None
