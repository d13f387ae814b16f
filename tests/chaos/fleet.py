"""The bots: child processes, each behind a proxy of its own."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena_api import api
from arena_process import wait_for
from notebook import now_ms
from tcp_proxy import Proxy, proxy

__all__ = ["BOTS", "Fleet", "Member", "fleet"]

HERE = Path(__file__).resolve().parent
LEAVE_S = 240.0


@dataclass(frozen=True, slots=True)
class Model:
    """A kind of bot."""

    script: str
    capacity: int
    pause_s: float


LEAN = Model("lean_bot.py", 20, 0.03)
SDK = Model("sdk_bot.py", 8, 0.02)
BOTS: tuple[tuple[str, Model], ...] = (
    ("lean-one", LEAN),
    ("lean-two", LEAN),
    ("lean-three", LEAN),
    ("lean-four", LEAN),
    ("sdk-one", SDK),
    ("sdk-two", SDK),
)


@dataclass
class Member:
    """A bot, whichever process plays it at the moment."""

    name: str
    model: Model
    token: str
    folder: Path
    proxy: Proxy
    env: Mapping[str, str]
    seed: int
    process: subprocess.Popen[bytes] | None = None
    started_ms: int = 0

    @property
    def notes(self) -> Path:
        """What its processes write down."""
        return self.folder / f"{self.name}.notes"

    def start(self) -> None:
        given = {
            "address": self.proxy.address,
            "notebook": str(self.notes),
            "capacity": self.model.capacity,
            "pause_s": self.model.pause_s,
            "seed": self.seed,
        }
        self.started_ms = now_ms()
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / self.model.script), json.dumps(given)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.env, "TARGI_TOKEN": self.token},
            )

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def send(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)

    def here_or_ended(self) -> bool:
        """Whether its process was welcomed, or is no more."""
        return self.ended or self.here()

    def here(self) -> bool:
        """Whether its process was welcomed."""
        text = self.notes.read_text() if self.notes.exists() else ""
        rows = (line.split() for line in text.splitlines() if line.endswith(" W"))
        return any(int(at) >= self.started_ms for at, _ in rows)

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None


@dataclass
class Fleet:
    """All bots of a leg."""

    members: list[Member]
    loop: asyncio.AbstractEventLoop

    def cut(self, member: Member) -> None:
        """Ends its connections."""
        self.loop.call_soon_threadsafe(member.proxy.cut)

    def gather(self) -> None:
        """Waits until every process was welcomed: from then on it hears a SIGTERM, and leaves."""
        for member in self.members:
            wait_for(f"{member.name} to be welcomed", member.here_or_ended, LEAVE_S)

    def gone(self) -> list[str]:
        """Bots whose process ended although nobody ended it, in words."""
        return [
            f"the process of {member.name} ended by itself with exit code"
            f" {member.process.returncode if member.process else None}"
            for member in self.members
            if member.ended
        ]

    def leave(self) -> list[str]:
        """Lets them finish what runs and go; returns who does not, in words."""
        for member in self.members:
            member.send(signal.SIGTERM)
        try:
            wait_for("the bots to leave", lambda: all(each.ended for each in self.members), LEAVE_S)
        except AssertionError:
            return [f"{each.name} does not leave" for each in self.members if not each.ended]
        return [
            f"{each.name} left with exit code {each.process.returncode}"
            for each in self.members
            if each.process is not None and each.process.returncode
        ]


@contextmanager
def proxies(
    ports: Sequence[int], count: int, rng: random.Random
) -> Iterator[tuple[list[Proxy], asyncio.AbstractEventLoop]]:
    """Proxies to the same targets, run by a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="proxies")
    thread.start()

    async def open_all(stack: AsyncExitStack) -> list[Proxy]:
        opened = [await stack.enter_async_context(proxy(*ports)) for _ in range(count)]
        for each in opened:
            each.rng = random.Random(rng.random())
        return opened

    stack = AsyncExitStack()
    try:
        yield asyncio.run_coroutine_threadsafe(open_all(stack), loop).result(), loop
    finally:
        asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def fleet(ports: Sequence[int], folder: Path, env: Mapping[str, str], seed: int) -> Iterator[Fleet]:
    """The bots of BOTS, registered and online, until the end of the block."""
    rng = random.Random(seed)
    with ExitStack() as stack:
        ways, loop = stack.enter_context(proxies(ports, len(BOTS), rng))
        calls = stack.enter_context(api(f"127.0.0.1:{ports[0]}"))
        members = [
            Member(name, model, calls.register(name), folder, way, env, rng.randrange(1 << 30))
            for (name, model), way in zip(BOTS, ways, strict=True)
        ]
        for member in members:
            stack.callback(member.kill)
            member.start()
        wanted = {member.name for member in members}
        wait_for("the bots to be online", lambda: wanted <= set(calls.online()))
        yield Fleet(members, loop)
