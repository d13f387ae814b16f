"""Group commit: one task owns the connection to Redis, and all that is due goes in one pipeline.

A request waits in the queue, travels in a batch, and is settled by its own reply. A batch of which the
outcome is unknown is sent again: scripts recognise what they did before, so a request is carried out once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, Protocol

from redis.exceptions import RedisError

from targi_server.errors import ServerError, Unavailable
from targi_server.store.commands import Argument, Reply
from targi_server.store.link import Link
from targi_server.store.orders import Order, Outcome, Request, Sent, reply_of
from targi_server.store.scripts import Library
from targi_server.store.trouble import Trouble, trouble_of

__all__ = ["CommitMetrics", "Committer"]

log = logging.getLogger(__name__)

BATCH: Final = 512
"""Most requests in one pipeline."""
BUSY_S: Final = 15.0
"""How long a request is sent again while Redis says that it cannot do it now."""
PAUSES_S: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Between attempts of which nothing came, the last one from then on."""
SHORT_PAUSE_S: Final = 0.05
"""After an attempt that brought some requests their replies: the others must not wait long for the rest."""
FAREWELL_S: Final = 2.0
"""How long requests may take that are still there when the store closes."""


class Observer(Protocol):
    """A histogram."""

    def observe(self, amount: float, /) -> object:
        """Adds a value."""


class Counter(Protocol):
    """A counter."""

    def inc(self, /) -> object:
        """Adds one."""


class LabelledCounter(Protocol):
    """A counter with the label `kind`."""

    def labels(self, kind: str, /) -> Counter:
        """The counter of one kind."""


class CommitMetrics(Protocol):
    """Where the committer counts; `targi_server.metrics.Metrics` is one."""

    @property
    def commit_seconds(self) -> Observer:
        """Duration of a batch that was answered."""

    @property
    def commit_batch_size(self) -> Observer:
        """Requests in it."""

    @property
    def redis_errors_total(self) -> LabelledCounter:
        """Errors by `Trouble`."""


class Committer:
    """The one sender of commands. See `Commands` for what callers may rely on."""

    def __init__(
        self,
        link: Link,
        library: Library,
        *,
        patience_s: float = 60.0,
        metrics: CommitMetrics | None = None,
    ) -> None:
        self._link = link
        self._library = library
        self._patience_s = patience_s
        self._metrics = metrics
        self._queue: deque[Request] = deque()
        self._flight: list[Request] = []
        self._answered = True
        self._troubled = False
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="committer")

    async def command(self, *command: Argument) -> Reply:
        """One command with one key at least."""
        return (await self.commands((command,)))[0]

    async def commands(self, commands: Sequence[Sequence[Argument]]) -> list[Reply]:
        """Several, in one pipeline; not a transaction. Replies in their order."""
        return [reply_of(outcome).reply for outcome in await self._order(commands)]

    async def script(self, name: str, keys: Sequence[str], arguments: Sequence[Argument] = ()) -> Reply:
        """A script by name."""
        return (await self.send(name, keys, arguments)).reply

    async def scripts(
        self, name: str, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]
    ) -> list[Reply]:
        """The same script for several `(keys, arguments)`."""
        return [reply_of(outcome).reply for outcome in await self.send_all(name, calls)]

    async def send(self, name: str, keys: Sequence[str], arguments: Sequence[Argument] = ()) -> Sent:
        """A script by name, and how its reply came about."""
        return reply_of((await self.send_all(name, ((keys, arguments),)))[0])

    async def send_all(
        self, name: str, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]
    ) -> list[Outcome]:
        """The same script for several `(keys, arguments)`; what became of each, errors as values."""
        function = self._library.functions[name]
        wires = [("FCALL", function, len(keys), *keys, *arguments) for keys, arguments in calls]
        return await self._order(wires)

    async def load_scripts(self) -> None:
        """Makes all scripts known, so that the first match need not wait for them.

        Those of other versions are taken away; a server that still runs one loads them when it misses them.
        """
        await self._load()
        with suppress(RedisError, OSError):
            await self._link.forget_others(self._library)

    async def aclose(self) -> None:
        """Sends what is there, then refuses: callers that are left get Unavailable."""
        self._closing = True
        self._wake.set()
        await asyncio.wait([self._task], timeout=FAREWELL_S)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for request in (*self._flight, *self._queue):
            request.fail(Unavailable("the server stops; ask another one"))

    async def _order(self, wires: Sequence[Sequence[Argument]]) -> list[Outcome]:
        if self._closing:
            raise Unavailable("the server stops; ask another one")
        if not wires:
            return []
        order = Order(len(wires))
        self._queue.extend(Request(wire, order, place) for place, wire in enumerate(wires))
        self._wake.set()
        return await asyncio.shield(order.done)

    async def _run(self) -> None:
        failures = 0
        while self._queue or not self._closing:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            self._flight = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
            left = await self._attempt(self._flight)
            self._tell_operator(left)
            self._flight = []
            self._queue.extendleft(reversed(left))
            failures = failures + 1 if left else 0
            if left:
                await asyncio.sleep(self._pause_s(left, failures))

    def _tell_operator(self, left: Sequence[Request]) -> None:
        """Once when Redis begins to refuse or is gone, and once when all is well again."""
        kinds = {request.trouble for request in left} - {Trouble.NO_SCRIPT, None}
        if kinds and not self._troubled:
            log.warning(
                "Redis does not take all commands (%s); callers wait", ", ".join(sorted(map(str, kinds)))
            )
        elif self._troubled and not kinds:
            log.info("Redis takes commands again")
        self._troubled = bool(kinds)

    def _pause_s(self, left: Sequence[Request], failures: int) -> float:
        if all(request.trouble is Trouble.NO_SCRIPT for request in left):
            return 0.0  # it was loaded
        progress = self._answered or any(request.trouble is Trouble.BUSY for request in left)
        return SHORT_PAUSE_S if progress else PAUSES_S[min(failures, len(PAUSES_S)) - 1]

    async def _attempt(self, batch: Sequence[Request]) -> list[Request]:
        """Sends a batch once; returns what has to be sent again, in order."""
        sent_at = monotonic()
        replies = await self._replies(batch)
        answered_at = monotonic()
        self._measure(len(batch), answered_at - sent_at)
        failed = []
        self._answered = not all(isinstance(reply, Exception) for reply in replies)
        for request, reply in zip(batch, replies, strict=True):
            if isinstance(reply, Exception):
                failed.append((request, reply))
            else:
                request.order.settle(request.place, Sent(reply, request.uncertain, sent_at, answered_at))
        return await self._sort_out(failed)

    async def _replies(self, batch: Sequence[Request]) -> Sequence[Reply | Exception]:
        try:
            return await self._link.run([request.wire for request in batch])
        except Exception as error:  # whatever it is, this task must go on, and the callers must hear of it
            return [error] * len(batch)

    async def _sort_out(self, failed: Sequence[tuple[Request, Exception]]) -> list[Request]:
        """Gives up what cannot be done; returns the rest."""
        left = []
        for request, error in failed:
            trouble = request.trouble = trouble_of(error)
            self._count(trouble)
            request.uncertain |= trouble is Trouble.LOST
            if self._may_wait(request, trouble):
                left.append(request)
            else:
                _give_up(request, trouble, error)
        if any(request.trouble is Trouble.NO_SCRIPT for request in left):
            await self._load()
        return left

    def _may_wait(self, request: Request, trouble: Trouble) -> bool:
        """Whether the request is sent again."""
        patience_s = {Trouble.REFUSED: 0.0, Trouble.LOST: self._patience_s}.get(trouble, BUSY_S)
        return not self._closing and monotonic() - request.order.since < patience_s

    async def _load(self) -> None:
        try:
            await self._link.load(self._library)
        except (RedisError, OSError) as error:  # they are missed again, and loaded then
            self._count(trouble := trouble_of(error))
            if trouble is Trouble.REFUSED:
                log.error("Redis refused the scripts: %s", error)

    def _count(self, trouble: Trouble) -> None:
        if self._metrics is not None:
            self._metrics.redis_errors_total.labels(trouble.value).inc()

    def _measure(self, size: int, seconds: float) -> None:
        if self._metrics is not None:
            self._metrics.commit_seconds.observe(seconds)
            self._metrics.commit_batch_size.observe(size)


def _give_up(request: Request, trouble: Trouble, error: Exception) -> None:
    if trouble is Trouble.REFUSED:
        log.error("Redis refused %s: %s", request.wire[0], error)
        request.fail(ServerError(f"Redis refused a command: {error}"), error)
    else:
        request.fail(Unavailable(f"the store does not answer, try again: {error}"), error)
