"""Rulesets in which no rated pairs are made for the time being, by an administrator's word."""

from __future__ import annotations

from collections.abc import Mapping

from targi_engine import RULESETS

from targi_server.echo import echoed
from targi_server.errors import Invalid
from targi_server.store.commands import Commands
from targi_server.store.keys import pauses_key
from targi_server.store.replies import mapping

__all__ = ["Pauses"]


class Pauses:
    """Kept in the store: all replicas heed them, whichever leads and however often it starts."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def paused(self) -> Mapping[str, str]:
        """Rulesets that are paused, and why."""
        return mapping(await self._commands.command("HGETALL", pauses_key()))

    async def pause(self, ruleset: str, reason: str) -> None:
        """Pauses a ruleset, or all for an empty name. What runs or is offered goes on. Raises Invalid."""
        for name in _names(ruleset):
            await self._commands.command("HSET", pauses_key(), name, reason)

    async def resume(self, ruleset: str) -> None:
        """Ends the pause of a ruleset, or every pause for an empty name. Raises Invalid."""
        await self._commands.command("HDEL", pauses_key(), *_names(ruleset))


def _names(ruleset: str) -> tuple[str, ...]:
    if ruleset and ruleset not in RULESETS:
        raise Invalid(f"no ruleset is called {echoed(ruleset)}; there are {', '.join(RULESETS)}")
    return (ruleset,) if ruleset else tuple(RULESETS)
