"""Filed matches whose records are to be exported: an index in each bucket, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from targi_server.store.commands import Commands
from targi_server.store.keys import ALL_BUCKETS, match_keys
from targi_server.store.replies import mapping, number

__all__ = ["Backlog", "Exports", "Waiting"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A filed match that is not exported."""

    match_id: str
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is to be exported: how many matches, and some of them, the oldest end first."""

    count: int
    oldest: tuple[Waiting, ...]


class Exports:
    """Matches get into the index when they are filed, in the same step, and leave it with their file."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def backlog(self, most_each: int) -> Backlog:
        """The oldest matches of each bucket, at most `most_each`."""
        keys = [bucket.unexported for bucket in ALL_BUCKETS]
        reads = [("ZRANGE", key, 0, most_each - 1, "WITHSCORES") for key in keys]
        replies = await self._commands.commands([*reads, *(("ZCARD", key) for key in keys)])
        ends = [item for reply in replies[: len(keys)] for item in mapping(reply).items()]
        oldest = sorted((Waiting(name, int(end)) for name, end in ends), key=attrgetter("ended_ms"))
        return Backlog(sum(map(number, replies[len(keys) :])), tuple(oldest))

    async def kept(self, match_ids: Sequence[str]) -> list[bytes | None]:
        """What is kept of filed matches, in their order; None for one whose time is over."""
        replies = await self._commands.commands([("GET", match_keys(each).done) for each in match_ids])
        return [reply if isinstance(reply, bytes) else None for reply in replies]

    async def exported(self, match_id: str, ttl_s: int) -> bool:
        """Its file is there: it is kept until `ttl_s` seconds after its end, as others are.

        False if that was noted before.
        """
        keys = match_keys(match_id)
        reply = await self._commands.script(
            "exported", [keys.bucket.unexported, keys.done], [match_id, ttl_s]
        )
        return number(reply) == 1
