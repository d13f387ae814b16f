"""The two directions of a Play stream as bytes."""

from __future__ import annotations

from targi_server.rpc.concerns import Context

__all__ = ["Frames"]


class Frames:
    """Whole frames of one stream, undecoded both ways."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def read(self) -> bytes | None:
        """Next frame of the bot; None once it has closed its side."""
        frame = await self._context.read()
        return frame if isinstance(frame, bytes) else None

    async def write(self, frame: bytes) -> None:
        """Send a frame; waits for as long as the peer's flow-control window is closed."""
        await self._context.write(frame)
