"""Serves an application on a socket for as long as a block runs."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from starlette.applications import Starlette

__all__ = ["serving"]

GRACE_S = 1


class Server(uvicorn.Server):
    """A server that leaves signals to the supervisor."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Captures none."""
        yield


@contextlib.asynccontextmanager
async def serving(application: Starlette, listener: socket.socket) -> AsyncIterator[None]:
    """Answers from the start of the block; at its end open requests have a second to finish."""
    server = Server(
        uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            lifespan="off",
            log_level="warning",
            timeout_graceful_shutdown=GRACE_S,
        )
    )
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await task
