"""One matchmaker among all replicas."""

from __future__ import annotations

from targi_server.store.commands import Commands
from targi_server.store.keys import leader_keys
from targi_server.store.replies import number

__all__ = ["Election"]

LEASE_MS = 3_000


class Election:
    """A lock in Redis with an expiry. Its token rises with every new leader, so a late one is found out."""

    def __init__(self, commands: Commands, *, replica: str) -> None:
        self._commands = commands
        self._replica = replica

    async def stand(self) -> int:
        """Takes or renews the lead; the token of this replica, 0 while another one leads."""
        return await self._run(LEASE_MS)

    async def step_down(self) -> None:
        """Gives the lead up, if this replica has it."""
        await self._run(0)

    async def _run(self, lease_ms: int) -> int:
        return number(await self._commands.script("leader", leader_keys(), [self._replica, lease_ms]))
