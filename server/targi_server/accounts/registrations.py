"""How many owner accounts one address may make."""

from __future__ import annotations

from targi_server.errors import Limit
from targi_server.store.commands import Commands
from targi_server.store.keys import registrations_key
from targi_server.store.replies import number

__all__ = ["Registrations"]

WINDOW_S = 3600


class Registrations:
    """Counts in windows of an hour that begin with the first registration of an address."""

    def __init__(self, commands: Commands, per_hour: int) -> None:
        self._commands = commands
        self._per_hour = per_hour

    async def admit(self, address: str, owner: str) -> None:
        """Notes that `address` registers `owner`; the same owner twice is one. Raises Limit."""
        key = registrations_key(address)
        replies = await self._commands.commands(
            [("SADD", key, owner), ("EXPIRE", key, WINDOW_S, "NX"), ("SCARD", key)]
        )
        if number(replies[2]) > self._per_hour:
            if number(replies[0]):  # who is refused takes no room, however often somebody tries
                await self._commands.command("SREM", key, owner)
            raise Limit(
                f"{self._per_hour} owners an hour can be made from one address: try again later,"
                " or ask an administrator"
            )
