"""The match log: every change of a running match is one script, and Redis' time is its only clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Final

from targi_server.errors import HoldNotAllowed, ServerError
from targi_server.match.clock import HoldLimits
from targi_server.match.incidents import Incident, outages_within
from targi_server.match.model import MatchHeader, StoredMatch, Verdict
from targi_server.match.versions import EDITION, edition_of
from targi_server.store.answering import answer_of, split, standing_in
from targi_server.store.answers import Append, Appended, Committed, Ended, Repeat, StrikeAnswer, Struck
from targi_server.store.buckets import bucket_of
from targi_server.store.calls import (
    append_arguments,
    digest_argument,
    keys_of_bucket,
    match_call,
    scores_argument,
)
from targi_server.store.commands import Argument
from targi_server.store.committer import Committer
from targi_server.store.gaps import Gaps
from targi_server.store.keys import ALL_BUCKETS, BucketKeys, match_keys, notes_key
from targi_server.store.orders import Outcome, Sent
from targi_server.store.reading import stored_match
from targi_server.store.redis_clock import RedisClock
from targi_server.store.replies import texts

__all__ = ["MatchStore"]

DUE: Final = 100
"""Most deadlines that one tick of a bucket handles."""


def _to_nobody(_match_id: str, _standing: bytes) -> None:
    """What is committed is told to others only."""


class MatchStore:
    """Creates, reads and changes matches.

    Every method that talks to the store waits while it is away and raises Unavailable in the end. A caller
    that is cancelled may have changed the match; a repetition with the same arguments tells.
    """

    def __init__(
        self,
        committer: Committer,
        *,
        replica: str,
        now_s: Callable[[], float] = monotonic,
        on_commit: Callable[[str, bytes], None] = _to_nobody,
        holds: HoldLimits = HoldLimits(),  # noqa: B008 (it never changes)
        edition: str = EDITION,
    ) -> None:
        """`on_commit` is called with the id of a match and where it stands after a commit of this replica."""
        self._committer = committer
        self._on_commit = on_commit
        self._replica = replica
        self._holds = holds
        self._edition = edition
        self._clock = RedisClock()
        self._gaps = Gaps(now_s)

    @property
    def replica(self) -> str:
        """Name of this replica."""
        return self._replica

    async def create(self, header: MatchHeader, *, seat: int) -> bool:
        """Starts a match with `seat` to move; its clock runs. False: it was there already."""
        sent = await self._send(
            "create",
            header.match_id,
            header.encode(),
            seat,
            header.base_ms,
            header.increment_ms,
            header.budget_ms,
            *(self._holds if header.hold_allowed else (0, 0)),
            edition_of(header),
        )
        return sent.reply == 1 or sent.uncertain

    async def load(self, match_id: str) -> StoredMatch | None:
        """A match whose record is not filed yet, read in one step."""
        return stored_match((await self._send("load", match_id)).reply)

    async def load_many(self, match_ids: Iterable[str]) -> list[StoredMatch | None]:
        """The same for several, in their order; each is read in one step."""
        return list(await asyncio.gather(*map(self.load, match_ids)))

    async def headers(self, match_ids: Iterable[str]) -> list[MatchHeader]:
        """Headers of those matches that are not filed yet, in one pipeline."""
        replies = await self._committer.commands([("GET", match_keys(each).head) for each in match_ids])
        return [MatchHeader.decode(reply) for reply in replies if isinstance(reply, bytes)]

    async def append(self, request: Append) -> Appended:
        """Commits an answer. Raises ValueError for a request that no answer can make."""
        (answer,) = await self.append_all((request,))
        if isinstance(answer, ServerError):
            raise answer
        return answer

    async def append_all(self, requests: Sequence[Append]) -> list[Appended | ServerError]:
        """Commits several answers, each by itself; where the store fails, the error is in the answer's place.

        Raises ValueError, before anything is sent, for a request that no answer can make.
        """
        calls = [self._call(request.match_id, append_arguments(request)) for request in requests]
        outcomes = await self._committer.send_all("append", calls)
        return [self._appended(outcome, request) for outcome, request in zip(outcomes, requests, strict=True)]

    def _appended(self, outcome: Outcome, request: Append) -> Appended | ServerError:
        if isinstance(outcome, ServerError):
            return outcome
        answer = answer_of(outcome, request.seat)
        if isinstance(answer, Committed) and answer.verdict is None:  # a verdict is told to everybody
            self._on_commit(request.match_id, standing_in(outcome.reply))
        return Repeat(answer) if isinstance(answer, Struck) else answer

    async def strike(
        self,
        match_id: str,
        ply: int,
        seat: int,
        digest: bytes,
        *,
        arrived_ms: int | None = None,
        out_ms: int = 0,
        shown: str = "",
        since_ms: int = 0,
    ) -> StrikeAnswer:
        """Counts an answer whose first link is illegal; TIME if it came too late for that.

        `shown` is that link as received, fit for one line; `since_ms` as for `Append`.
        """
        arrived = "" if arrived_ms is None else arrived_ms
        sent = await self._send(
            "strike", match_id, ply, seat, digest_argument(digest), arrived, max(0, out_ms), shown, since_ms
        )
        answer = answer_of(sent, seat)
        return Repeat(answer) if isinstance(answer, Committed) else answer

    async def end(self, match_id: str, verdict: Verdict, *, ply: int | None = None) -> Ended:
        """Ends a match (resigned, bot_error, aborted, server_error); the first verdict wins.

        With `ply` only if the match stands there.
        """
        sent = await self._send(
            "finish",
            match_id,
            "" if ply is None else ply,
            verdict.result,
            str(verdict.termination),
            str(verdict.culprit),
            scores_argument(verdict.scores),
            verdict.words,
        )
        kind, text = split(sent.reply)
        if kind not in ("given", "over"):
            return Ended(None, given=False)
        found = Verdict.decode(text)
        same = replace(found, at_ms=verdict.at_ms) == verdict
        return Ended(found, given=kind == "given" or (sent.uncertain and same))

    async def arrive(self, match_id: str, seat: int, replica: str | None = None, *, session: int = 0) -> bool:
        """A bot is connected here (or at `replica`). False: the match is over or not there.

        `session` numbers the sessions of the bot (the fence of their claims). Of one that a newer one came
        after nothing counts any more, neither its arrival nor its departure.
        """
        return await self._presence(match_id, seat, replica, "arrive", session)

    async def depart(
        self,
        match_id: str,
        seat: int,
        replica: str | None = None,
        *,
        session: int = 0,
        served: bool = False,
        why: str = "its connection ended",
    ) -> bool:
        """Its connection is gone. Nothing happens if the seat is connected elsewhere, or anew, by now.

        `served`: through the server's doing (drain), so up to 15 s of the absence are credited. So is what
        breaks soon after a gap in the ticks of this replica, which may be what broke it. `why` is for the
        story of the match.
        """
        event = "depart_served" if served or self._gaps.is_recent else "depart"
        return await self._presence(match_id, seat, replica, event, session, why)

    async def depart_unseated(self, match_id: str, seat: int) -> bool:
        """A bot left by itself before it ever sat down: from now on it is away on its own account.

        Nothing happens if it did sit down.
        """
        why = "its connection ended before it sat down"
        return await self._presence(match_id, seat, None, "depart_unseated", 0, why)

    @property
    def forgives(self) -> bool:
        """Whether what breaks now may have been broken by a gap in the ticks here, also one that goes on."""
        return self._gaps.is_recent or self._gaps.is_open

    async def _presence(self, match_id: str, seat: int, replica: str | None, *event: str | int) -> bool:
        sent = await self._send("presence", match_id, seat, *event, replica=replica)
        return sent.reply == 1

    async def hold(self, match_id: str, seat: int) -> bool:
        """Stops the clock of a seat until `release`, or for as long as it may stand still.

        False: not allowed in this match, or it is over. Raises HoldNotAllowed once it did so for too long.
        """
        reply = (await self._send("hold", match_id, seat, "hold")).reply
        if reply == -1:
            raise HoldNotAllowed(
                "this clock stood still for as long as it may in one match: it runs until the end"
            )
        return reply == 1

    async def release(self, match_id: str, seat: int) -> bool:
        """Lets it run again."""
        return (await self._send("hold", match_id, seat, "release")).reply == 1

    async def tell(self, match_id: str, seat: int, reason: str, shown: str) -> None:
        """Keeps with the match that something of a seat was refused; `shown` is that, fit for one line."""
        await self._send("tell", match_id, seat, f"{reason} {shown}")

    async def story(self, match_id: str, since_ms: int, until_ms: int) -> tuple[Incident, ...]:
        """Incidents of a match that is not filed, with the outages between two moments, by time."""
        keys = match_keys(match_id)
        reads = [("LRANGE", key, 0, -1) for key in (keys.story, keys.bucket.outages)]
        told, outages = (texts(reply) for reply in await self._committer.commands(reads))
        found = [*map(Incident.decode, told), *outages_within(outages, since_ms, until_ms)]
        return tuple(sorted(found, key=lambda incident: incident.at_ms))

    async def tick(self) -> None:
        """Call each second: beat, outages, seats of dead replicas, due deadlines, offset of the clock."""
        await asyncio.gather(*(self._tick(number, keys) for number, keys in enumerate(ALL_BUCKETS)))
        self._gaps.ticked()

    async def _tick(self, number: int, keys: BucketKeys) -> None:
        sent = await self._committer.send(
            "tick", keys_of_bucket(keys), [self._replica, keys.matches, DUE, self._edition]
        )
        assert isinstance(sent.reply, list) and isinstance(sent.reply[0], int)
        self._clock.learn(number, sent.reply[0], sent.sent_at, sent.answered_at)

    def now_ms(self, match_id: str = "") -> int:
        """Time of the Redis that holds the match, by the offset that the ticks measure."""
        return self._clock.now_ms(bucket_of(match_id))

    async def running(self) -> list[str]:
        """Ids of all running matches."""
        return await self._of_all_buckets(lambda keys: keys.deadlines)

    async def outbox(self) -> list[str]:
        """Ids of matches that are over and not filed, oldest end first within a bucket."""
        return await self._of_all_buckets(lambda keys: keys.outbox)

    async def _of_all_buckets(self, key: Callable[[BucketKeys], str]) -> list[str]:
        wires = [("ZRANGE", key(keys), 0, -1) for keys in ALL_BUCKETS]
        replies = await self._committer.commands(wires)
        rows = [row for row in replies if isinstance(row, list)]
        return [name.decode() for row in rows for name in row if isinstance(name, bytes)]

    async def filed(self, match_id: str, done: bytes, ttl_s: int, *, export_ms: int | None = None) -> None:
        """Keeps `done` for `ttl_s` seconds in place of the match; takes it from the outbox. Idempotent.

        `export_ms`: its end, if it is to be exported (see `store.exports`). Raises ValueError if the match
        still runs.
        """
        names, arguments = self._call(match_id, (done, ttl_s, "" if export_ms is None else export_ms))
        more = (match_keys(match_id).bucket.unexported, notes_key(match_id))
        if (await self._committer.send("filed", (*names, *more), arguments)).reply == -1:
            raise ValueError(f"match {match_id} still runs; only a match that is over is filed")

    async def finished(self, match_id: str) -> bytes | None:
        """What was filed, as long as it is kept."""
        reply = await self._committer.command("GET", match_keys(match_id).done)
        return reply if isinstance(reply, bytes) else None

    async def _send(
        self, script: str, match_id: str, *arguments: Argument, replica: str | None = None
    ) -> Sent:
        return await self._committer.send(script, *self._call(match_id, arguments, replica))

    def _call(
        self, match_id: str, arguments: Sequence[Argument], replica: str | None = None
    ) -> tuple[Sequence[str], Sequence[Argument]]:
        return match_call(match_id, replica or self._replica, arguments)
