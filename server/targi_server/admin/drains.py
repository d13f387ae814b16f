"""Replicas that send their streams away before they are stopped."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from typing import Final

from targi_server.echo import echoed
from targi_server.errors import NotFound
from targi_server.lobby.presence import Presence
from targi_server.store.commands import Commands
from targi_server.store.keys import drain_key, replica_key
from targi_server.store.replies import number

__all__ = ["Drains"]

log = logging.getLogger(__name__)

KEPT_S: Final = 24 * 3600
"""How long the wish is kept: a replica takes it up within a second, and its name is never used again."""


class Drains:
    """Asks replicas to drain, and tells this one, `replica`, when it is asked."""

    def __init__(self, commands: Commands, presence: Presence, *, replica: str) -> None:
        self._commands = commands
        self._presence = presence
        self._replica = replica
        self.begun = asyncio.Event()
        """Set once this replica drains."""

    @property
    def replica(self) -> str:
        """Name of this replica."""
        return self._replica

    async def ask(self, replica: str) -> str:
        """Asks a replica, this one for an empty name; returns the name. Raises NotFound for a dead one."""
        name = replica or self._replica
        if not number(await self._commands.command("EXISTS", replica_key(name))):
            raise NotFound(f"no replica {echoed(name)} lives; with bots there are {await self._others()}")
        await self._commands.command("SET", drain_key(name), 1, "EX", KEPT_S)
        return name

    async def look(self, drain: Callable[[], Awaitable[None]]) -> None:
        """Drains this replica once it was asked; to be called each second."""
        if self.begun.is_set() or not number(
            await self._commands.command("EXISTS", drain_key(self._replica))
        ):
            return
        self.begun.set()
        log.warning(
            "this replica drains: it takes no streams until it is started again, as SIGTERM makes it be",
            extra={"replica": self._replica, "pid": os.getpid()},
        )
        await drain()

    async def _others(self) -> str:
        return ", ".join(sorted({session.replica for session in await self._presence.online()})) or "none"
