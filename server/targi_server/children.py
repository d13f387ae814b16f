"""Children of the supervisor: started, started again after a death, stopped in the reverse order."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import NoReturn, Protocol

from targi_server.health import Health
from targi_server.metrics import SupervisorMetrics
from targi_server.start_errors import KeepsDying, StartError

__all__ = ["Child", "Deaths", "Family"]

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
        """Waits for its end; says how it was."""

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


class Family:
    """All children, in generations: those of one start and stop together, later ones stop first."""

    def __init__(self, health: Health, metrics: SupervisorMetrics) -> None:
        self._health = health
        self._metrics = metrics
        self._generations: list[Sequence[Child]] = []
        self._keepers: list[asyncio.Task[NoReturn]] = []

    async def start(self, *children: Child) -> None:
        """Starts a generation and keeps it alive from then on. Raises the first StartError."""
        self._generations.append(children)
        for done in await asyncio.gather(*map(self._begin, children), return_exceptions=True):
            if isinstance(done, BaseException):
                raise done
        self._keepers += [asyncio.create_task(self._keep(child)) for child in children]

    async def failure(self) -> NoReturn:
        """Waits until a child is beyond help. Raises KeepsDying."""
        done, _ = await asyncio.wait(self._keepers, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()
        raise AssertionError("a keeper returned")

    async def stop(self, grace_s: float) -> None:
        """Stops all, the last generation first."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for children in reversed(self._generations):
            await asyncio.gather(*(child.stop(grace_s) for child in children))

    async def _begin(self, child: Child) -> None:
        await child.start()
        self._health.came(child.name)

    async def _keep(self, child: Child) -> NoReturn:
        deaths = Deaths()
        loop = asyncio.get_running_loop()
        while True:
            how = await child.ended()
            self._health.went(child.name)
            while how:
                pause = deaths.pause(loop.time())
                if pause is None:
                    raise KeepsDying(f"{child.name} died five times in a minute, the last time: {how}")
                log.error(f"{child.name} died and is started again", extra={"how": how, "pause_s": pause})
                self._metrics.child_restarts_total.labels(child.name).inc()
                await asyncio.sleep(pause)
                how = await self._again(child)

    async def _again(self, child: Child) -> str:
        """Starts a child again; says why that failed, nothing if it is ready."""
        try:
            await self._begin(child)
        except StartError as error:
            return str(error)
        return ""
