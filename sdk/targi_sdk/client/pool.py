"""Worker processes for bots that compute, seen from the process that holds the connection."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
from collections import deque
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from targi_sdk.bot import End, Start
from targi_sdk.client.players import Replies, drop_reply
from targi_sdk.client.questions import Failure, Question
from targi_sdk.client.seat import Factory, describe
from targi_sdk.client.worker import Ask, Begin, Finish, Order, Ready, Response, work
from targi_sdk.errors import UsageError

__all__ = ["Pool", "cores"]

RUNAWAY_S = 10.0
"""How long a bot may go on thinking after the end of its match before its process is given up."""

STOP_S = 2.0


def cores() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@dataclass(eq=False)
class _Worker:
    """A process, the matches that live in it, and the orders that it has not answered, by match."""

    process: SpawnProcess
    pipe: Connection
    ready: asyncio.Future[None]
    alone: bool = False
    """It serves one match only and goes with it."""
    condemned: bool = False
    """A thread in it does not end: it gets no new match and goes with its last one."""
    stopped: bool = False
    matches: dict[str, Start] = field(default_factory=dict)
    orders: dict[str, deque[Order]] = field(default_factory=dict)

    def send(self, order: Order) -> None:
        """Send an order. A process that just ended is noticed at its pipe's other event, its end."""
        self.orders.setdefault(order.match_id, deque()).append(order)
        try:
            self.pipe.send(order)
        except OSError:
            return

    def answered(self, match_id: str) -> None:
        """The oldest order of a match was carried out."""
        waiting = self.orders[match_id]
        waiting.popleft()
        if not waiting:
            del self.orders[match_id]


class Pool:
    """The bots of all matches in `size` worker processes; a match stays in its process.

    A process that ends by itself (a crash in native code, `os._exit`) costs the match whose bot was running.
    If several were, each of them goes on in a process of its own, so that the second crash names the culprit;
    matches that were idle go on with a new bot object.
    """

    def __init__(self, factory: Factory, bot_seed: bytes, size: int) -> None:
        self.replies: Replies = drop_reply
        self._factory = factory
        self._bot_seed = bot_seed
        self._size = size
        self._workers: list[_Worker] = []
        self._homes: dict[str, _Worker] = {}
        self._leaving: set[str] = set()
        self._all_left = asyncio.Event()
        self._context = multiprocessing.get_context("spawn")

    async def open(self) -> None:
        """Start the processes and wait until they have loaded the bot. Raises `UsageError` if they cannot."""
        for _ in range(self._size):
            self._spawn()
        await asyncio.gather(*(worker.ready for worker in self._workers))

    async def close(self) -> None:
        """End all processes, after what bots still do about matches that are over. Thinking is cut short."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._farewells(), STOP_S)
        workers, self._workers = self._workers, []
        for worker in workers:
            self._stop(worker)
        for worker in workers:
            await asyncio.to_thread(_bury, worker.process)

    def start(self, start: Start) -> None:
        """Give a match to the process with the fewest."""
        self._settle(start, self._least_busy())

    def ask(self, question: Question) -> None:
        """Pass a question on to the process of its match."""
        self._homes[question.match_id].send(Ask(question.match_id, question))

    def end(self, match_id: str, end: End | None) -> None:
        """Let a match go. Its process goes too if it will not stop thinking about it."""
        worker = self._homes.pop(match_id)
        del worker.matches[match_id]
        if worker.stopped:
            return
        self._leaving.add(match_id)
        worker.send(Finish(match_id, end))
        asyncio.get_running_loop().call_later(RUNAWAY_S, self._condemn, worker, match_id)

    async def _farewells(self) -> None:
        while self._leaving:
            self._all_left.clear()
            await self._all_left.wait()

    def _settle(self, start: Start, worker: _Worker) -> None:
        self._homes[start.match_id] = worker
        worker.matches[start.match_id] = start
        worker.send(Begin(start.match_id, start))

    def _least_busy(self) -> _Worker:
        open_ones = [worker for worker in self._workers if not worker.alone and not worker.condemned]
        if len(open_ones) < self._size:
            return self._spawn()
        return min(open_ones, key=lambda worker: len(worker.matches))

    def _spawn(self, *, alone: bool = False) -> _Worker:
        loop = asyncio.get_running_loop()
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._factory, self._bot_seed))
        process.start()
        theirs.close()
        worker = _Worker(process, ours, loop.create_future(), alone)
        loop.add_reader(ours.fileno(), self._read, worker)
        self._workers.append(worker)
        return worker

    def _read(self, worker: _Worker) -> None:
        try:
            while not worker.stopped and worker.pipe.poll():
                self._heard(worker, worker.pipe.recv())
        except (EOFError, OSError):
            self._ended(worker)

    def _heard(self, worker: _Worker, response: Response) -> None:
        if isinstance(response, Ready):
            worker.ready.set_result(None)
            return
        worker.answered(response.match_id)
        if response.match_id not in worker.orders:
            self._left(response.match_id)
        if response.reply is not None:
            self.replies(response.reply)
        self._retire(worker)

    def _left(self, match_id: str) -> None:
        self._leaving.discard(match_id)
        self._all_left.set()

    def _condemn(self, worker: _Worker, match_id: str) -> None:
        if match_id in worker.orders:
            worker.condemned = True
            self._retire(worker)

    def _retire(self, worker: _Worker) -> None:
        """Stop a process that serves no match and will get none."""
        idle = worker.condemned or (worker.alone and not worker.orders)
        if idle and not worker.matches and worker in self._workers:
            self._workers.remove(worker)
            self._stop(worker)

    def _stop(self, worker: _Worker) -> None:
        worker.stopped = True
        asyncio.get_running_loop().remove_reader(worker.pipe.fileno())
        worker.pipe.close()
        worker.process.kill()

    def _ended(self, worker: _Worker) -> None:
        """A process ended by itself."""
        self._workers.remove(worker)
        self._stop(worker)
        _bury(worker.process)
        if not worker.ready.done():
            worker.ready.set_exception(UsageError(_not_loaded(worker.process.exitcode)))
            return
        for match_id in worker.orders:
            self._left(match_id)
        suspects = [match_id for match_id in worker.matches if match_id in worker.orders]
        for match_id, start in worker.matches.items():
            if match_id not in suspects:
                self._settle(start, self._least_busy())
            elif len(suspects) == 1:
                self._blame(worker, match_id)
            else:
                self._try_alone(worker, start)

    def _blame(self, worker: _Worker, match_id: str) -> None:
        """Report the match whose bot was running, and keep an empty place for it until it is over."""
        asked = [order.question for order in worker.orders[match_id] if isinstance(order, Ask)]
        ply = asked[0].ply if asked else -1
        words = f"the bot's process ended ({_exit_words(worker.process.exitcode)}) while it was running"
        self._homes[match_id] = worker
        self.replies(
            Failure(match_id, ply, words, "\n".join(line for each in asked for line in describe(each)))
        )

    def _try_alone(self, worker: _Worker, start: Start) -> None:
        asked = [order for order in worker.orders[start.match_id] if isinstance(order, Ask)]
        home = self._spawn(alone=True)
        self._settle(replace(start, ply=asked[0].question.ply) if asked else start, home)
        for order in asked:
            home.send(order)


def _bury(process: SpawnProcess) -> None:
    process.join(STOP_S)


def _exit_words(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _not_loaded(code: int | None) -> str:
    return (
        f"a worker process could not load the bot ({_exit_words(code)}; its message is above): define the "
        'bot in a module or file of its own, start the client under `if __name__ == "__main__":`, or run the '
        "bot in process"
    )
