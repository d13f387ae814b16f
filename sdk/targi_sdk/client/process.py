"""One worker process, seen from the process that holds the connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from multiprocessing.context import SpawnContext

from targi_sdk.bot import Start
from targi_sdk.client.questions import Question
from targi_sdk.client.seat import Factory
from targi_sdk.client.worker import Ask, Begin, Done, Order, Response, work

__all__ = ["Process"]

STOP_S = 2.0


class Process:
    """A process, the matches that live in it, and the orders that it has not answered.

    `heard` takes its responses, `ended` is called when it ends by itself. `alone`: it serves one match only
    and goes with it.
    """

    def __init__(
        self,
        context: SpawnContext,
        factory: Factory,
        bot_seed: bytes,
        *,
        heard: Callable[[Process, Response], None],
        ended: Callable[[Process], None],
        alone: bool = False,
    ) -> None:
        self.alone = alone
        self.condemned = False
        """A thread in it does not end: it gets no new match and goes with its last one."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.matches: dict[str, Start] = {}
        self._heard = heard
        self._ended = ended
        self._orders: dict[str, deque[Order]] = {}
        self._running = True
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, factory, bot_seed))
        self._process.start()
        theirs.close()
        asyncio.get_running_loop().add_reader(self._pipe.fileno(), self._read)

    def begin(self, start: Start) -> None:
        """Take a match in."""
        self.matches[start.match_id] = start
        self.send(Begin(start.match_id, start))

    def send(self, order: Order) -> None:
        """Send an order. One to a process that has just ended waits for whoever takes its match over."""
        self._orders.setdefault(order.match_id, deque()).append(order)
        with contextlib.suppress(OSError):
            if self._running:
                self._pipe.send(order)

    def is_busy(self, match_id: str) -> bool:
        """Whether an order of that match is not answered."""
        return match_id in self._orders

    @property
    def busy(self) -> list[str]:
        """Matches with orders that are not answered."""
        return list(self._orders)

    def asked(self, match_id: str) -> list[Question]:
        """Questions of a match that are not answered."""
        return [order.question for order in self._orders.get(match_id, ()) if isinstance(order, Ask)]

    def stop(self) -> None:
        """Kill it, whatever it does."""
        self._disconnect()
        self._process.kill()

    async def exit_words(self) -> str:
        """How it ended, in words; waits for its end, and hastens it after a while."""
        await asyncio.to_thread(self._process.join, STOP_S)
        if self._process.exitcode is None:
            self._process.kill()
            await asyncio.to_thread(self._process.join)
        code = self._process.exitcode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _read(self) -> None:
        try:
            while self._running and self._pipe.poll():
                self._take(self._pipe.recv())
        except (EOFError, OSError):
            self._disconnect()
            self._ended(self)

    def _take(self, response: Response) -> None:
        if isinstance(response, Done):
            waiting = self._orders[response.match_id]
            waiting.popleft()
            if not waiting:
                del self._orders[response.match_id]
        self._heard(self, response)

    def _disconnect(self) -> None:
        if self._running:
            self._running = False
            asyncio.get_running_loop().remove_reader(self._pipe.fileno())
            self._pipe.close()
