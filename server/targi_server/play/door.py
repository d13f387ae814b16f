"""The way to the tables: many pass it side by side, and once it is shut nobody is on the way any more."""

from __future__ import annotations

import asyncio
from types import TracebackType

__all__ = ["Door"]


class Door:
    """Enter it with `with` after a look at `is_shut`; who shuts it waits for those who are in it."""

    __slots__ = ("_clear", "_passing", "is_shut")

    def __init__(self) -> None:
        self.is_shut = False
        self._passing = 0
        self._clear = asyncio.Event()
        self._clear.set()

    def __enter__(self) -> None:
        self._passing += 1
        self._clear.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._passing -= 1
        if not self._passing:
            self._clear.set()

    async def shut(self) -> None:
        """Let nobody in, and wait until those who are on the way have arrived."""
        self.is_shut = True
        await self._clear.wait()
