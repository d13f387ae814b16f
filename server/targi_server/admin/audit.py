"""The log of what administrators did.

Each act leaves two entries: one before anything is done ("asked"), one with what became of it ("done", or
the reason of the refusal). Entries are only ever added; the oldest go when there are too many. Each is also
a line in the process' own log, which is what to keep for longer.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import Final

from targi_server.errors import Invalid, ServerError
from targi_server.store.commands import Commands
from targi_server.store.keys import audit_key
from targi_server.store.replies import texts

__all__ = ["ASKED", "DONE", "KEPT", "Administrator", "Audit", "Entry", "checked_reason"]

log = logging.getLogger(__name__)

KEPT: Final = 20_000
"""Entries that stay in Redis, two for each act."""
ASKED: Final = "asked"
DONE: Final = "done"
LONGEST_REASON: Final = 200
ID_BYTES: Final = 8
SHOWN: Final = 64


@dataclass(frozen=True, slots=True)
class Administrator:
    """Who acts, and from where."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. Both entries of an act have one id."""

    act_id: str
    at_ms: int
    admin: str
    address: str
    act: str
    """Name of the method, such as "BanBot"."""
    on: str
    """What it was done to."""
    why: str
    outcome: str
    """ASKED, DONE, or a reason of `targi.v1.Reason`."""


class Audit:
    """Adds entries, and reads them. `now_ms` is the clock of Redis."""

    def __init__(self, commands: Commands, now_ms: Callable[[], int]) -> None:
        self._commands = commands
        self._now_ms = now_ms
        self._last_ms = 0

    @asynccontextmanager
    async def of(self, by: Administrator, act: str, on: str, why: str = "") -> AsyncIterator[None]:
        """Notes an act around the block that does it. A block that is cancelled leaves the act as asked."""
        asked = Entry(
            secrets.token_hex(ID_BYTES), 0, by.name, by.address, act, on[:SHOWN], why[:LONGEST_REASON], ASKED
        )
        await self._add(asked)
        try:
            yield
        except Exception as error:
            reason = error.reason if isinstance(error, ServerError) else ServerError("").reason
            await self._add(replace(asked, outcome=reason))
            raise
        await self._add(replace(asked, outcome=DONE))

    async def newest(self, size: int) -> list[Entry]:
        """The latest entries, the last first."""
        found = texts(await self._commands.command("ZREVRANGE", audit_key(), 0, size - 1))
        return [Entry(**json.loads(text)) for text in found]

    async def _add(self, entry: Entry) -> None:
        # Entries are kept in the order of their times: those of one process are a millisecond apart.
        self._last_ms = max(self._now_ms(), self._last_ms + 1)
        entry = replace(entry, at_ms=self._last_ms)
        fields = asdict(entry)
        log.info("%s %s", entry.act, entry.outcome, extra=fields)
        text = json.dumps(fields, separators=(",", ":"))
        await self._commands.commands(
            [
                ("ZADD", audit_key(), "NX", entry.at_ms, text),
                ("ZREMRANGEBYRANK", audit_key(), 0, -1 - KEPT),
            ]
        )


def checked_reason(reason: str) -> str:
    """The reason itself, without blanks around it; it may be empty. Raises Invalid."""
    reason = reason.strip()
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Invalid(f"reason: at most {LONGEST_REASON} printable characters in one line are allowed")
    return reason
