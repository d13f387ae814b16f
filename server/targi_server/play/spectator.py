"""One who watches a match: what there is to show, scene by scene."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from targi_engine import EngineError, State

from targi_server.match.model import MatchHeader, Verdict
from targi_server.play import replay
from targi_server.play.broadcast import Broadcast
from targi_server.play.delay import Delay
from targi_server.play.lookup import Seen

__all__ = ["End", "Opening", "Scene", "Spectator", "Step"]


@dataclass(frozen=True, slots=True)
class Opening:
    """The match and its position where the watching begins. `state` is good until the next scene."""

    seen: Seen
    state: State | None


@dataclass(frozen=True, slots=True)
class Step:
    """One answer that was committed, and the position after it."""

    header: MatchHeader
    chain: replay.Chain
    clocks: tuple[int, int]
    state: State


@dataclass(frozen=True, slots=True)
class End:
    """The verdict, on the final position; None if the log does not replay."""

    seen: Seen
    verdict: Verdict
    state: State | None


Scene: TypeAlias = Opening | Step | End


class Spectator:
    """Sees a running match as far as the delay lets it, and all of one that is over."""

    def __init__(
        self, broadcast: Broadcast, delay: Delay, now_ms: Callable[[str], int], from_ply: int
    ) -> None:
        self._broadcast = broadcast
        self._delay = delay
        self._now_ms = now_ms
        self._shown = from_ply
        self._epoch = -1
        self._state: State | None = None

    async def scenes(self) -> AsyncIterator[Scene]:
        """From the first ply (from now on, if it is not reached yet) to the end.

        Raises NotFound if the match is not to be had any more before it ended.
        """
        while True:
            changed = self._broadcast.changed
            for scene in self._due():
                yield scene
                if isinstance(scene, End):
                    return
            if self._broadcast.failure is not None:
                raise self._broadcast.failure
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), self._wait_s())

    def _due(self) -> Iterator[Scene]:
        seen, limit = self._broadcast.seen, self._limit()
        if self._epoch != self._broadcast.epoch:
            yield self._open(seen, limit)
        yield from self._steps(seen, limit)
        if seen.verdict is not None:
            yield End(seen, seen.verdict, self._state)

    def _limit(self) -> int:
        seen = self._broadcast.seen
        if seen.verdict is not None:
            return len(seen.entries)
        return self._delay.shown(self._broadcast.moments, self._now_ms(seen.header.match_id))

    def _wait_s(self) -> float | None:
        seen = self._broadcast.seen
        now_ms = self._now_ms(seen.header.match_id)
        wait_ms = self._delay.until_next_ms(self._broadcast.moments, self._shown, now_ms)
        return None if wait_ms is None else wait_ms / 1000

    def _open(self, seen: Seen, limit: int) -> Opening:
        self._epoch = self._broadcast.epoch
        self._shown = min(self._shown, limit)
        entries = seen.entries[: self._shown]
        begun = replace(seen, entries=entries, clocks=replay.clocks(seen.header, entries))
        self._state = begun.position()
        return Opening(begun, self._state)

    def _steps(self, seen: Seen, limit: int) -> Iterator[Step]:
        for answer in replay.answers(seen.entries[self._shown : limit]):
            if self._state is None:
                return  # the log does not replay: its end is all that will come
            try:
                (chain,) = replay.follow(self._state, answer)
            except EngineError:
                self._state = None
                return
            self._shown += len(answer)
            yield Step(
                seen.header, chain, replay.clocks(seen.header, seen.entries[: self._shown]), self._state
            )
