"""Work that goes on whatever becomes of the stream that began it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine

from targi_server.errors import ServerError

__all__ = ["Errands"]

log = logging.getLogger(__name__)


class Errands:
    """Tasks that are nobody's to cancel: what a bot began is finished though its connection is cut."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, errand: Coroutine[object, object, None]) -> None:
        """Run `errand`; an exception that it lets out is logged."""
        task = asyncio.get_running_loop().create_task(errand)
        self._running.add(task)
        task.add_done_callback(self._done)

    async def finish(self, within_s: float) -> None:
        """Wait for what runs, and for what that starts; whatever takes longer is cancelled."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within_s
        while self._running and loop.time() < end:
            await asyncio.wait(self._running, timeout=end - loop.time())
        late = list(self._running)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, ServerError):
            log.warning("an errand was not done: %s", error)
        else:
            log.error("an errand failed", exc_info=error)
