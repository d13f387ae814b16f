"""The match log: every change of a running match is one script, and Redis' time is its only clock."""

from __future__ import annotations

from collections.abc import Iterable

from targi_server.match.model import MatchHeader, StoredMatch, Verdict
from targi_server.store.answers import Append, Appended, Ended, StrikeAnswer

__all__ = ["MatchStore"]


class MatchStore:
    """Creates, reads and changes matches.

    Every method that talks to the store waits while it is away and raises Unavailable in the end. A caller that
    is cancelled may have changed the match; a repetition with the same arguments tells.
    """

    async def create(self, header: MatchHeader, *, seat: int) -> bool:
        """Starts a match with `seat` to move; its clock runs. False: it was there already."""
        raise NotImplementedError

    async def load(self, match_id: str) -> StoredMatch | None:
        """A match whose record is not filed yet, read in one step."""
        raise NotImplementedError

    async def load_many(self, match_ids: Iterable[str]) -> list[StoredMatch | None]:
        """The same for several, in their order; each is read in one step."""
        raise NotImplementedError

    async def append(self, request: Append) -> Appended:
        """Commits an answer."""
        raise NotImplementedError

    async def strike(
        self,
        match_id: str,
        ply: int,
        seat: int,
        digest: bytes,
        *,
        arrived_ms: int | None = None,
        out_ms: int = 0,
    ) -> StrikeAnswer:
        """Counts an answer whose first link is illegal; TIME if it came too late for that."""
        raise NotImplementedError

    async def end(self, match_id: str, verdict: Verdict, *, ply: int | None = None) -> Ended:
        """Ends a match (resigned, bot_error, aborted, server_error); the first verdict wins.

        With `ply` only if the match stands there.
        """
        raise NotImplementedError

    async def arrive(self, match_id: str, seat: int, replica: str | None = None) -> bool:
        """A bot is connected here (or at `replica`). False: the match is over or not there."""
        raise NotImplementedError

    async def depart(
        self, match_id: str, seat: int, replica: str | None = None, *, served: bool = False
    ) -> bool:
        """Its connection is gone. Nothing happens if the seat is connected elsewhere by now.

        `served`: through the server's doing (drain), so up to 15 s of the absence are credited.
        """
        raise NotImplementedError

    async def hold(self, match_id: str, seat: int) -> bool:
        """Stops the clock of a seat until `release`. False: not allowed in this match, or it is over."""
        raise NotImplementedError

    async def release(self, match_id: str, seat: int) -> bool:
        """Lets it run again."""
        raise NotImplementedError

    async def tick(self) -> None:
        """Call each second: beat, outages, seats of dead replicas, due deadlines, offset of the clock."""
        raise NotImplementedError

    def now_ms(self, match_id: str = "") -> int:
        """Time of the Redis that holds the match, by the offset that the last tick measured."""
        raise NotImplementedError

    async def running(self) -> list[str]:
        """Ids of all running matches."""
        raise NotImplementedError

    async def outbox(self) -> list[str]:
        """Ids of matches that are over and not filed, oldest end first within a bucket."""
        raise NotImplementedError

    async def filed(self, match_id: str, done: bytes, ttl_s: int) -> None:
        """Keeps `done` for `ttl_s` seconds in place of the match; takes it from the outbox. Idempotent."""
        raise NotImplementedError

    async def finished(self, match_id: str) -> bytes | None:
        """What was filed, as long as it is kept."""
        raise NotImplementedError
