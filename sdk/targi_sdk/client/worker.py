"""Inside a worker process: the matches that it was given think here, each in a thread of its own.

Threads share the process fairly, so that a match that thinks for long holds up none of its neighbours. Every
order is answered by exactly one response, which is how the other side knows whose code was running when the
process ends without a word. The process ends with its pipe.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread

from targi_sdk.bot import End, Start
from targi_sdk.client.questions import Question, Reply
from targi_sdk.client.seat import Factory, Seat

__all__ = ["Ask", "Begin", "Done", "Finish", "Order", "Ready", "Response", "work"]


@dataclass(frozen=True, slots=True)
class Begin:
    """Make the bot of a match."""

    match_id: str
    start: Start


@dataclass(frozen=True, slots=True)
class Ask:
    """Let it choose."""

    match_id: str
    question: Question


@dataclass(frozen=True, slots=True)
class Finish:
    """Let it go."""

    match_id: str
    end: End | None


@dataclass(frozen=True, slots=True)
class Ready:
    """The process is up and has loaded the bot's code."""


@dataclass(frozen=True, slots=True)
class Done:
    """An order was carried out; `reply` is what it led to, if anything."""

    match_id: str
    reply: Reply | None


Order = Begin | Ask | Finish
Response = Ready | Done
Pipe = Connection


def work(pipe: Pipe, factory: Factory, bot_seed: bytes) -> None:
    """Main function of a worker process. Ctrl-C is left to the process that started it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    desk = _Desk(pipe)
    desk.send(Ready())
    orders: dict[str, SimpleQueue[Order]] = {}
    try:
        while True:
            order: Order = pipe.recv()
            if isinstance(order, Begin):
                orders[order.match_id] = _open_match(factory, bot_seed, order.start, desk)
            orders[order.match_id].put(order)
            if isinstance(order, Finish):
                del orders[order.match_id]
    except (EOFError, OSError):
        os._exit(0)  # threads may still think; nobody waits for them


class _Desk:
    """The way back, shared by the threads."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._lock = Lock()

    def send(self, response: Response) -> None:
        try:
            with self._lock:
                self._pipe.send(response)
        except OSError:
            os._exit(0)


def _open_match(factory: Factory, bot_seed: bytes, start: Start, desk: _Desk) -> SimpleQueue[Order]:
    orders: SimpleQueue[Order] = SimpleQueue()
    table = _Table(Seat(factory, start, bot_seed), orders, desk)
    Thread(target=table.run, name=f"match-{start.match_id}", daemon=True).start()
    return orders


class _Table:
    """One match in its thread."""

    def __init__(self, seat: Seat, orders: SimpleQueue[Order], desk: _Desk) -> None:
        self._seat = seat
        self._orders = orders
        self._desk = desk

    def run(self) -> None:
        """Carry out orders until the match is over. The runner is the event loop of an async bot."""
        with asyncio.Runner() as runner:
            while True:
                order = self._orders.get()
                self._desk.send(Done(order.match_id, self._carry_out(order, runner)))
                if isinstance(order, Finish):
                    return

    def _carry_out(self, order: Order, runner: asyncio.Runner) -> Reply | None:
        match order:
            case Begin():
                return self._seat.open()
            case Ask(question=question):
                reply = self._seat.ask(question)
                return runner.run(reply) if isinstance(reply, Coroutine) else reply
            case Finish(end=end):
                return None if end is None else self._seat.close(end)
