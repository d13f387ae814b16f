"""The client processes, from their parent's side."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from load.errors import ClientFailed, NeverRan
from load.plan import ClientPlan

__all__ = ["Crew", "hired"]

Json = dict[str, Any]  # JSON values
PATHS = (Path(__file__).resolve().parents[1], Path(__file__).resolve().parents[2] / "support")
LINE_LIMIT = 1 << 26
STUCK_S = 3.0
"""So long nothing may change before a run that is nearly complete is taken as it is."""
NEARLY = 0.95


class _Client:
    """One process."""

    def __init__(self, plan: ClientPlan, process: asyncio.subprocess.Process) -> None:
        self.plan = plan
        self.state: Json = {"running": 0}
        self.answers: asyncio.Queue[Json] = asyncio.Queue()
        self._process = process
        self.reader = asyncio.create_task(self._read())

    def order(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n".encode())

    async def close(self) -> None:
        """End of its orders; it has a moment to leave."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        self.reader.cancel()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            said = json.loads(line)
            if "state" in said:
                self.state = said["state"]
            else:
                await self.answers.put(said["answer"])


class Crew:
    """All client processes of a run."""

    def __init__(self, clients: Sequence[_Client]) -> None:
        self._clients = clients

    def count(self, what: str, role: str = "load") -> int:
        """A figure of their states, added up over a role."""
        return sum(client.state.get(what, 0) for client in self._clients if client.plan.role == role)

    def order(self, word: str) -> None:
        """Tell all. Raises ClientFailed."""
        self._check()
        for client in self._clients:
            client.order(word)

    async def asked(self, word: str) -> list[Json]:
        """Tell all, and what each answers. Raises ClientFailed."""
        self.order(word)
        return [await self._answer(client) for client in self._clients]

    async def reach(self, what: str, now: Callable[[], int], wanted: int, within_s: float = 180.0) -> None:
        """Wait until a figure is there; or nearly, if it does not grow any more.

        Raises NeverRan, ClientFailed.
        """
        end, best, since = time.monotonic() + within_s, -1, time.monotonic()
        while (found := now()) < wanted:
            self._check()
            if found > best:
                best, since = found, time.monotonic()
            elif found >= NEARLY * wanted and time.monotonic() - since > STUCK_S:
                return
            if time.monotonic() > end:
                raise NeverRan(f"only {found} of {wanted} {what} within {within_s:.0f} s")
            await asyncio.sleep(0.05)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass. Raises ClientFailed."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._check()
            await asyncio.sleep(min(left, 0.25))

    def _check(self) -> None:
        if any(client.reader.done() for client in self._clients):
            raise ClientFailed("a client process ended in the middle of the run: see what it said above")

    async def _answer(self, client: _Client) -> Json:
        answer = asyncio.create_task(client.answers.get())
        await asyncio.wait((answer, client.reader), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            answer.cancel()
            self._check()
        return answer.result()


@asynccontextmanager
async def hired(plans: Sequence[ClientPlan]) -> AsyncIterator[Crew]:
    """Client processes that are gone at the end of the block."""
    clients: list[_Client] = []
    try:
        for plan in plans:
            clients.append(_Client(plan, await _started(plan)))  # noqa: PERF401 (what started must be closed)
        yield Crew(clients)
    finally:
        await asyncio.gather(*(client.close() for client in clients))


async def _started(plan: ClientPlan) -> asyncio.subprocess.Process:
    paths = [*map(str, PATHS), os.environ.get("PYTHONPATH", "")]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "load.client"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        limit=LINE_LIMIT,
    )
    assert process.stdin is not None
    process.stdin.write(f"{plan.encode()}\n".encode())
    return process
