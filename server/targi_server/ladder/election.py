"""One matchmaker among all replicas of an edition of the rules.

Where editions serve side by side, the newest alone makes pairs; the others play what runs to its end.
"""

from __future__ import annotations

from targi_server.match.versions import EDITION
from targi_server.store.commands import Commands
from targi_server.store.keys import leader_keys
from targi_server.store.replies import number, text

__all__ = ["Election", "is_led", "is_newest"]

LEASE_MS = 3_000


class Election:
    """A lock in Redis with an expiry. Its token rises with every new leader, so a late one is found out."""

    def __init__(self, commands: Commands, *, replica: str, edition: str = EDITION) -> None:
        self._commands = commands
        self._replica = replica
        self._edition = edition

    async def stand(self) -> int:
        """Takes or renews the lead; the token of this replica, 0 while another one leads."""
        return await self._run(LEASE_MS)

    async def step_down(self) -> None:
        """Gives the lead up, if this replica has it."""
        await self._run(0)

    async def _run(self, lease_ms: int) -> int:
        keys = leader_keys(self._edition)
        return number(await self._commands.script("leader", keys, [self._replica, lease_ms, self._edition]))


async def is_led(commands: Commands, edition: str) -> bool:
    """Whether a replica of an edition leads: as long as any lives, one does."""
    return number(await commands.command("EXISTS", leader_keys(edition)[0])) == 1


async def is_newest(commands: Commands) -> bool:
    """Whether no edition that is newer than this process' is led."""
    newest = text(await commands.command("GET", leader_keys(EDITION)[2]))
    return _rank(newest or EDITION) <= _rank(EDITION)


def _rank(edition: str) -> tuple[int, int]:
    rules, _, vocabulary = edition.partition(".")
    return int(rules), int(vocabulary)
