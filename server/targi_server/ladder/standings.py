"""The published table of each ruleset: computed by the matchmaker, kept in Redis, read by everybody."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from targi_server.accounts.store import Accounts
from targi_server.ladder.rating import Player, Rated, Step, fit
from targi_server.ladder.results import RatedResults
from targi_server.metrics import Metrics
from targi_server.store.commands import Commands
from targi_server.store.keys import ladder_keys
from targi_server.store.replies import text

__all__ = ["Row", "Standings", "Table"]


@dataclass(frozen=True, slots=True)
class Row:
    """One player of the table."""

    owner: str
    rated: Rated


@dataclass(frozen=True, slots=True)
class Table:
    """A published table, by rank."""

    ruleset: str
    rows: tuple[Row, ...] = ()
    pairs: int = 0
    """Rated pairs that the fit rests on."""
    matches: int = 0
    """Rated matches that are over."""
    revision: int = 0
    """Of the results that the fit rests on."""
    computed_ms: int = 0

    def encode(self) -> str:
        """As JSON; equal tables give equal text."""
        rows = [[row.owner, asdict(row.rated)] for row in self.rows]
        parts = [self.ruleset, rows, self.pairs, self.matches, self.revision, self.computed_ms]
        return json.dumps(parts, separators=(",", ":"))

    @classmethod
    def decode(cls, packed: str) -> Table:
        """Reverse of `encode`."""
        ruleset, rows, *numbers = json.loads(packed)
        return cls(ruleset, tuple(Row(owner, _rated(fields)) for owner, fields in rows), *numbers)


class Standings:
    """Computes and publishes tables; `anchors` are names of bots that hold the mean at 1500."""

    def __init__(
        self,
        commands: Commands,
        results: RatedResults,
        accounts: Accounts,
        metrics: Metrics,
        *,
        anchors: Sequence[str] = (),
    ) -> None:
        self._commands = commands
        self._results = results
        self._accounts = accounts
        self._metrics = metrics
        self._anchors = frozenset(anchors)

    async def table(self, ruleset: str) -> Table:
        """The published table; an empty one before the first."""
        packed = text(await self._commands.command("GET", ladder_keys(ruleset).table))
        return Table.decode(packed) if packed else Table(ruleset)

    async def refit(self, ruleset: str, now_ms: int) -> bool:
        """Publishes a new table if there are results that the published one does not have."""
        published = await self.table(ruleset)
        if await self._results.revision(ruleset) == published.revision:
            return False
        table = await self._computed(ruleset, now_ms)
        await self._commands.command("SET", ladder_keys(ruleset).table, table.encode())
        return True

    async def _computed(self, ruleset: str, now_ms: int) -> Table:
        counted = await self._results.counted(ruleset)
        started = time.perf_counter()
        rated = await asyncio.to_thread(fit, counted.results, counted.lineage, self._anchors)
        self._metrics.rating_seconds.observe(time.perf_counter() - started)
        accounts = await self._accounts.look_up(sorted({row.player.bot for row in rated}))
        owners = {name: account.owner for name, account in accounts.items()}
        rows = tuple(Row(owners.get(row.player.bot, ""), row) for row in rated)
        return Table(ruleset, rows, counted.pairs, counted.matches, counted.revision, now_ms)


def _rated(fields: Mapping[str, Any]) -> Rated:  # Any: JSON has no better type
    bot, version = fields["player"]
    step = fields["step"]
    return Rated(**{**fields, "player": Player(bot, version), "step": step and Step(**step)})
