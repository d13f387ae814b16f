"""News between replicas over sharded pub/sub, one channel a bucket.

Lossy by contract: whoever listens reads the store again each second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from targi_server.match.entries import Entry
from targi_server.match.model import Verdict

__all__ = ["BotHandler", "BotNews", "Bus", "MatchHandler", "MatchNews"]


@dataclass(frozen=True, slots=True)
class MatchNews:
    """A match changed. Whoever is not at `ply` misses something and reads the match."""

    match_id: str
    ply: int
    """Of the first of `entries`, or where the match stands if there are none."""
    entries: tuple[Entry, ...]
    seat: int
    """To move now; OVER when the match is over."""
    clocks: tuple[int, int]
    turn_at_ms: int
    """When the last action was committed."""
    strikes: tuple[int, int]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class BotNews:
    """Something happened for a bot, wherever it is connected."""

    bot: str
    kind: str
    payload: Mapping[str, object]


MatchHandler: TypeAlias = Callable[[MatchNews], None]
BotHandler: TypeAlias = Callable[[BotNews], None]


class Bus:
    """Listens to all buckets, and tells bots."""

    def subscribe(self, handler: MatchHandler) -> Callable[[], None]:
        """Calls `handler` for all news of matches, this replica's own too; returns what ends that."""
        raise NotImplementedError

    def subscribe_bot(self, handler: BotHandler) -> Callable[[], None]:
        """Calls `handler` for all news of bots; returns what ends that."""
        raise NotImplementedError

    async def publish_bot(self, bot: str, kind: str, payload: Mapping[str, object]) -> None:
        """Tells the replica of a bot, whichever that is."""
        raise NotImplementedError
