"""The loop that makes play go on: one replica leads it, all stand ready.

A pass files what is over, goes on with offers, pairs who is free, and publishes new tables. The end of a
match wakes it; otherwise it looks a few times a second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import Final

from targi_engine import RULESETS

from targi_server.errors import ServerError
from targi_server.ladder.election import Election, is_newest
from targi_server.ladder.export import Export
from targi_server.ladder.filing import Filing
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.standings import Standings
from targi_server.lobby.lobby import Lobby
from targi_server.repetition import SECOND_S, repeated
from targi_server.store.bus import MatchNews
from targi_server.store.opening import Store

__all__ = ["Matchmaker"]

log = logging.getLogger(__name__)

LOOK_S: Final = 0.25
"""Time between two passes when nothing wakes the loop."""
BEAT_S: Final = 1.0
STAND_S: Final = 1.0
PAIR_S: Final = 1.0
"""Time between two looks at who is free, when no match and no offer ended."""
REFIT_S: Final = 3.0
REPAIR_S: Final = 30.0


class Due:
    """Something that is done at most every so many seconds."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._next = 0.0

    def now(self) -> bool:
        """Whether it is due; then it is not again for its time."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self._every_s
        return True

    def soon(self) -> None:
        """Makes it due at once."""
        self._next = 0.0


class Matchmaker:
    """Runs in every replica; the one that leads does the work."""

    def __init__(
        self,
        store: Store,
        election: Election,
        lobby: Lobby,
        filing: Filing,
        pairs: Pairs,
        standings: Standings,
        export: Export | None = None,
    ) -> None:
        self._store = store
        self._election = election
        self._lobby = lobby
        self._filing = filing
        self._pairs = pairs
        self._standings = standings
        self._export = export
        self._woken = asyncio.Event()
        self._token = 0
        self._stand = Due(STAND_S)
        self._pair, self._refit, self._repair = Due(PAIR_S), Due(REFIT_S), Due(REPAIR_S)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the loop; at the end another replica may lead at once."""
        unsubscribe = self._store.bus.subscribe(self._hear, own=_still_running)
        tasks = [asyncio.create_task(self._beats()), asyncio.create_task(self._passes())]
        try:
            async with repeated(SECOND_S, self.export):
                yield
        finally:
            unsubscribe()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(ServerError):
                await self._election.step_down()

    async def step(self) -> bool:
        """One pass; whether this replica leads."""
        if self._stand.now():
            await self._lead()
        if not self._token:
            return False
        await self._filed()
        await self._lobby.offers.sweep()
        if self._pair.now() and await is_newest(self._store.commands):
            await self._pairs.make(self._token)
        if self._refit.now():
            await self._publish()
        if self._repair.now():
            await self._lobby.offers.repair()
        return True

    async def export(self) -> None:
        """Exports what waits while this replica leads: a pass of its own, however long it takes."""
        if self._export is not None:
            await self._export.run(lambda: bool(self._token))

    async def _lead(self) -> None:
        token = await self._election.stand()
        if token != self._token:
            log.info(
                "this replica leads the matchmaking" if token else "another replica leads the matchmaking"
            )
            self._token = token
            if token:
                await self._pairs.remember()
            else:
                self._filing.rest()

    async def _filed(self) -> None:
        if await self._filing.file_all():
            self._pair.soon()

    async def _publish(self) -> None:
        for ruleset in RULESETS:
            await self._standings.refit(ruleset, self._store.matches.now_ms())

    def _hear(self, news: MatchNews) -> None:
        if news.verdict is not None:
            self._woken.set()

    async def _beats(self) -> None:
        """Says each second that this replica lives, however long a pass takes."""
        while True:
            await self._guarded(self._lobby.presence.beat())
            await asyncio.sleep(BEAT_S)

    async def _passes(self) -> None:
        while True:
            await self._guarded(self.step())
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_S)
            self._woken.clear()

    async def _guarded(self, work: Awaitable[object]) -> None:
        """Whatever goes wrong this time: nothing else files matches, so the loop goes on."""
        try:
            await work
        except ServerError as error:
            log.warning("matchmaking waits: %s", error)
        except Exception:
            log.exception("matchmaking failed and goes on")


def _still_running(_match_id: str) -> bool:
    """Only verdicts wake the loop, and those are told to everybody."""
    return False
