"""A TCP proxy that can make connections half-open: neither side hears of the other, and none is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class Link:
    """One connection and its other half."""

    swallowed: bool = False


@dataclass
class Proxy:
    """Passes bytes on to a port of this machine."""

    target: int
    port: int = 0
    links: list[Link] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def swallow(self) -> None:
        """From now on bytes on the connections that are open go nowhere; new connections work."""
        for link in self.links:
            link.swallowed = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        link = Link()
        self.links.append(link)
        behind = await asyncio.open_connection("127.0.0.1", self.target)
        pumps = (pump(link, reader, behind[1]), pump(link, behind[0], writer))
        try:
            await asyncio.gather(*pumps)
        finally:
            for end in (writer, behind[1]):
                end.close()


async def pump(link: Link, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Carries bytes one way."""
    try:
        while chunk := await source.read(65_536):
            if not link.swallowed:
                sink.write(chunk)
                await sink.drain()
    except OSError:
        pass
    if not link.swallowed:
        sink.close()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A proxy for the block."""
    running = Proxy(target)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(running.serve(reader, writer))
        tasks.add(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield running
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
