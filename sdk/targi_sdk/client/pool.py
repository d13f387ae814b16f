"""Worker processes for bots that compute."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
from dataclasses import replace

from targi_sdk.bot import End, Start
from targi_sdk.client.players import Replies, drop_reply
from targi_sdk.client.process import Process
from targi_sdk.client.questions import Failure, Question
from targi_sdk.client.seat import Factory, describe
from targi_sdk.client.worker import Ask, Finish, Ready, Response
from targi_sdk.errors import UsageError

__all__ = ["Pool", "cores"]

RUNAWAY_S = 10.0
"""How long a bot may go on thinking after the end of its match before its process is given up."""

FAREWELL_S = 2.0

CURE = (
    'define it in a module or file of its own, start the client under `if __name__ == "__main__":`, '
    "or run it in process"
)
"""What to do about a bot that a worker process cannot load."""


def cores() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


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
        self._processes: list[Process] = []
        self._homes: dict[str, Process] = {}
        self._leaving: set[str] = set()
        self._all_left = asyncio.Event()
        self._funerals: set[asyncio.Task[None]] = set()
        self._context = multiprocessing.get_context("spawn")

    async def open(self) -> None:
        """Start the processes and wait until they have loaded the bot. Raises `UsageError` if they cannot."""
        try:
            pickle.dumps(self._factory)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(f"the bot cannot go to a worker process ({error}): {CURE}") from error
        try:
            await asyncio.gather(*(self._spawn().ready for _ in range(self._size)))
        except UsageError:
            await self.close()
            raise

    async def close(self) -> None:
        """End all processes, after what bots still do about matches that are over. Thinking is cut short."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._farewells(), FAREWELL_S)
        for task in self._funerals:
            task.cancel()
        for process in self._processes:
            process.stop()
        for process in self._processes:
            await process.exit_words()

    def start(self, start: Start) -> None:
        """Give a match to the process with the fewest."""
        self._settle(start, self._least_busy())

    def ask(self, question: Question) -> None:
        """Pass a question on to the process of its match."""
        self._homes[question.match_id].send(Ask(question.match_id, question))

    def end(self, match_id: str, end: End | None) -> None:
        """Let a match go. Its process goes too if it will not stop thinking about it."""
        process = self._homes.pop(match_id)
        del process.matches[match_id]
        if process in self._processes:
            self._leaving.add(match_id)
            process.send(Finish(match_id, end))
            asyncio.get_running_loop().call_later(RUNAWAY_S, self._condemn, process, match_id)

    async def _farewells(self) -> None:
        while self._leaving:
            self._all_left.clear()
            await self._all_left.wait()

    def _settle(self, start: Start, process: Process) -> None:
        self._homes[start.match_id] = process
        process.begin(start)

    def _least_busy(self) -> Process:
        shared = [each for each in self._processes if not each.alone and not each.condemned]
        if len(shared) < self._size:
            return self._spawn()
        return min(shared, key=lambda process: len(process.matches))

    def _spawn(self, *, alone: bool = False) -> Process:
        process = Process(
            self._context, self._factory, self._bot_seed, heard=self._heard, ended=self._ended, alone=alone
        )
        self._processes.append(process)
        return process

    def _heard(self, process: Process, response: Response) -> None:
        if isinstance(response, Ready):
            process.ready.set_result(None)
            return
        if not process.is_busy(response.match_id):
            self._left(response.match_id)
        if response.reply is not None:
            self.replies(response.reply)
        self._retire(process)

    def _left(self, match_id: str) -> None:
        self._leaving.discard(match_id)
        self._all_left.set()

    def _condemn(self, process: Process, match_id: str) -> None:
        if process.is_busy(match_id):
            process.condemned = True
            self._retire(process)

    def _retire(self, process: Process) -> None:
        """Stop a process that serves no match and will get none."""
        done = process.condemned or (process.alone and not process.busy)
        if done and not process.matches and process in self._processes:
            self._processes.remove(process)
            process.stop()

    def _ended(self, process: Process) -> None:
        """A process ended by itself: what becomes of its matches depends on who was thinking just now."""
        self._processes.remove(process)
        for match_id in process.busy:
            self._left(match_id)
        suspects = [match_id for match_id in process.matches if process.is_busy(match_id)]
        task = asyncio.create_task(self._bury(process, suspects))
        self._funerals.add(task)
        task.add_done_callback(self._funerals.discard)

    async def _bury(self, process: Process, suspects: list[str]) -> None:
        words = await process.exit_words()
        if not process.ready.done():
            text = f"a worker process could not load the bot ({words}; its message is above): {CURE}"
            process.ready.set_exception(UsageError(text))
            process.ready.exception()  # nobody may wait for a process that replaced another
            for match_id in list(process.matches):
                self._blame(process, match_id, text)
            return
        for match_id, start in list(process.matches.items()):
            if match_id not in suspects:
                self._move(process, start, self._least_busy())
            elif len(suspects) > 1:
                self._move(process, start, self._spawn(alone=True))
            else:
                self._blame(process, match_id, f"the bot's process ended ({words}) while it was running")

    def _move(self, process: Process, start: Start, home: Process) -> None:
        """Let a match go on in another process, with a new bot, from the turn that is open if one is."""
        questions = process.asked(start.match_id)
        self._settle(replace(start, ply=questions[0].ply) if questions else start, home)
        for question in questions:
            home.send(Ask(start.match_id, question))

    def _blame(self, process: Process, match_id: str, words: str) -> None:
        """Report a match as failed. Its place with the dead process stays until it is over."""
        questions = process.asked(match_id)
        ply = questions[0].ply if questions else -1
        details = "\n".join(line for question in questions for line in describe(question))
        self.replies(Failure(match_id, ply, words, details))
