"""Children of the supervisor: started, started again after a death, stopped in the reverse order."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from targi_server.health import Health
from targi_server.metrics import SupervisorMetrics
from targi_server.start_errors import KeepsDying, StartError

__all__ = ["Child", "Deaths", "Family", "Generation"]

log = logging.getLogger(__name__)

BACKOFF_S = (0.1, 0.4, 1.6, 5.0)
"""Pause before a start after the first, second ... death of the last minute; one more is too many."""
WINDOW_S = 60.0


class Child(Protocol):
    """A process, or something that behaves like one."""

    @property
    def name(self) -> str:
        """Its kind, such as "worker"."""

    async def start(self) -> None:
        """Starts it, also again, and returns when it is ready. Raises StartError."""

    async def ended(self) -> str:
        """Waits for its end; says how it was, nothing if it was told to end."""

    async def stop(self, grace_s: float) -> None:
        """Ends it, by force after the grace time; does nothing when it is not there."""


class Deaths:
    """When one child died."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()

    def pause(self, now: float) -> float | None:
        """Counts a death at `now`, in seconds: the pause before the next start, None when it is hopeless."""
        self._times.append(now)
        while self._times[0] <= now - WINDOW_S:
            self._times.popleft()
        return BACKOFF_S[len(self._times) - 1] if len(self._times) <= len(BACKOFF_S) else None


@dataclass(slots=True)
class Generation:
    """Children that start and stop together."""

    children: Sequence[Child]
    keepers: list[asyncio.Task[None]] = field(default_factory=list)

    async def leave_alone(self) -> None:
        """From now on a death is a death."""
        for keeper in self.keepers:
            keeper.cancel()
        await asyncio.gather(*self.keepers, return_exceptions=True)

    async def stop(self, grace_s: float) -> None:
        """Stops all of them, once or again."""
        await self.leave_alone()
        await asyncio.gather(*(child.stop(grace_s) for child in self.children))


class Family:
    """All children; of the generations the last stops first."""

    def __init__(self, health: Health, metrics: SupervisorMetrics) -> None:
        self._health = health
        self._metrics = metrics
        self._generations: list[Generation] = []
        self._failed = asyncio.Event()
        self._failure: KeepsDying | None = None

    async def start(self, *children: Child) -> Generation:
        """Starts a generation and keeps it alive from then on. Raises the first StartError."""
        generation = Generation(children)
        self._generations.append(generation)
        for done in await asyncio.gather(*map(self._begin, children), return_exceptions=True):
            if isinstance(done, BaseException):
                raise done
        generation.keepers += [asyncio.create_task(self._keep(child)) for child in children]
        return generation

    async def failure(self) -> NoReturn:
        """Waits until a child is beyond help. Raises KeepsDying."""
        await self._failed.wait()
        assert self._failure is not None
        raise self._failure

    async def stop(self, grace_s: float) -> None:
        """Stops all."""
        await asyncio.gather(*(generation.leave_alone() for generation in self._generations))
        for generation in reversed(self._generations):
            await generation.stop(grace_s)

    async def _begin(self, child: Child) -> None:
        try:
            await child.start()
        except OSError as error:  # what the system lacks now, such as processes or files, it may have soon
            words = f"{child.name} cannot be started: {error}; see the limits of this user and the disks"
            raise StartError(words) from error
        self._health.came(child.name)

    async def _keep(self, child: Child) -> None:
        deaths = Deaths()
        try:
            while True:
                how = await child.ended()
                self._health.went(child.name)
                if not how:
                    log.info(f"{child.name} was told to end and is started again")
                    how = await self._failing(child)
                await self._revive(child, deaths, how)
        except KeepsDying as error:
            self._give_up(error)
        except Exception as error:  # an arena without its keeper would stand still, and nobody would know
            log.exception(f"{child.name} cannot be kept alive")
            self._give_up(KeepsDying(f"{child.name} cannot be kept alive: {type(error).__name__}, {error}"))

    def _give_up(self, error: KeepsDying) -> None:
        self._failure = error
        self._failed.set()

    async def _revive(self, child: Child, deaths: Deaths, how: str) -> None:
        """Starts a child until it is there. Raises KeepsDying."""
        while how:
            pause = deaths.pause(asyncio.get_running_loop().time())
            if pause is None:
                raise KeepsDying(f"{child.name} died five times in a minute, the last time: {how}")
            log.error(f"{child.name} died and is started again", extra={"how": how, "pause_s": pause})
            self._metrics.child_restarts_total.labels(child.name).inc()
            await asyncio.sleep(pause)
            how = await self._failing(child)

    async def _failing(self, child: Child) -> str:
        """Starts a child; says why that failed, nothing if it is ready."""
        try:
            await self._begin(child)
        except StartError as error:
            return str(error)
        return ""
