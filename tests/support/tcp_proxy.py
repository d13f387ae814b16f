"""A TCP proxy that breaks connections: half-open ones of which neither side is told, cuts, delays, stalls.

A direction is a `Way`: "up" to the target, "down" from it. What a fault does to the ways may be set from any
thread; `cut` belongs to the loop of the proxy.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

STALL_POLL_S = 0.02


@dataclass(eq=False)
class Way:
    """One direction of a connection, or what is to become of that direction of new ones."""

    swallowed: bool = False
    """Bytes go nowhere. A connection that lost some never carries any again."""
    stalled: bool = False
    """Bytes wait, as while packets are lost and sent again."""
    delay_s: float = 0.0
    jitter_s: float = 0.0
    """Up to so much more, drawn for each piece."""

    async def pause(self, rng: random.Random) -> None:
        """What a piece of bytes waits for before it goes on."""
        if self.delay_s or self.jitter_s:
            await asyncio.sleep(self.delay_s + self.jitter_s * rng.random())
        while self.stalled:  # noqa: ASYNC110 - set from other threads
            await asyncio.sleep(STALL_POLL_S)


@dataclass(eq=False)
class Link:
    """One connection and its other half."""

    up: Way = field(default_factory=Way)
    down: Way = field(default_factory=Way)
    ends: list[asyncio.StreamWriter] = field(default_factory=list)

    def way(self, name: str) -> Way:
        """ "up" or "down"."""
        return self.up if name == "up" else self.down

    def cut(self) -> None:
        """Both halves end at once, without a word."""
        for end in self.ends:
            end.transport.abort()


@dataclass
class Proxy:
    """Passes bytes on to a port of this machine; to any of `others` as well, as a load balancer would."""

    target: int
    port: int = 0
    others: tuple[int, ...] = ()
    links: list[Link] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    fresh: Link = field(default_factory=Link)
    """What is done to connections that come from now on."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def swallow(self, *ways: str) -> None:
        """From now on bytes on the connections that are open go nowhere; new connections work."""
        for way in self.open_ways(ways or ("up", "down")):
            way.swallowed = True

    def open_ways(self, names: tuple[str, ...]) -> Iterator[Way]:
        """These directions of all connections that are open."""
        return (link.way(name) for link in list(self.links) for name in names)

    def cut(self) -> None:
        """Ends all connections. Call it in the loop of the proxy."""
        for link in list(self.links):
            link.cut()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        link = Link(replace(self.fresh.up), replace(self.fresh.down), [writer])
        self.links.append(link)
        try:
            behind = await self.connect()
            link.ends.append(behind[1])
            await asyncio.gather(
                pump(link.up, reader, behind[1], self.rng), pump(link.down, behind[0], writer, self.rng)
            )
        except OSError:
            pass
        finally:
            self.links.remove(link)
            for end in link.ends:
                end.close()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """To one of the targets, whichever answers. Raises OSError if none does."""
        ports = [self.target, *self.others]
        self.rng.shuffle(ports)
        for port in ports[1:]:
            try:
                return await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
        return await asyncio.open_connection("127.0.0.1", ports[0])


async def pump(
    way: Way, source: asyncio.StreamReader, sink: asyncio.StreamWriter, rng: random.Random
) -> None:
    """Carries bytes one way."""
    try:
        while chunk := await source.read(65_536):
            await way.pause(rng)
            if not way.swallowed:
                sink.write(chunk)
                await sink.drain()
    except OSError:
        pass
    await way.pause(rng)
    if not way.swallowed:
        sink.close()


@asynccontextmanager
async def proxy(target: int, *others: int, port: int = 0) -> AsyncIterator[Proxy]:
    """A proxy for the block."""
    running = Proxy(target, others=others)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(running.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", port)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
