"""A slow model of a seat's time, held against the scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from match_log import MatchLog

LAG = 50

UNIT_MS = 500
LENT_UNITS = 15_000 // UNIT_MS
SILENT_UNITS = 2_000 // UNIT_MS


class Day:
    """A seat to move, told by sets of moments: a slow model, in which nothing can be counted twice."""

    def __init__(self) -> None:
        self.now = self.beat = 0
        self.gone: int | None = None
        self.lent = False
        self.held: int | None = None
        self.outage: set[int] = set()
        self.given: set[int] = set()
        self.away: set[int] = set()

    def happen(self, event: str) -> None:
        """Something happens now."""
        silent = self.now - self.beat > SILENT_UNITS
        if silent:
            self.outage |= set(range(self.beat, self.now))
        self.beat = self.now
        if event in ("drain", "leave") and self.gone is None:
            self.gone, self.lent = self.now, silent or event == "drain"
        elif event == "come":
            self._come()
        elif event in ("hold", "release"):
            self._release()
            self.held = self.now if event == "hold" else None

    def _come(self) -> None:
        if self.gone is not None:
            absence = [moment for moment in range(self.gone, self.now) if moment not in self.outage]
            lent = LENT_UNITS if self.lent else 0
            self.given |= set(absence[:lent])
            self.away |= set(absence[lent:])
        self.gone = None

    def _release(self) -> None:
        if self.held is not None:
            self.given |= set(range(self.held, self.now))

    @property
    def charged_ms(self) -> int:
        """What an answer now is charged, lag not counted."""
        return UNIT_MS * len(set(range(self.now)) - self.outage - self.given)


EVENTS = ("tick", "tick", "drain", "leave", "come", "hold", "release")
PAUSES = (1, 2, 4, 5, 14, 40)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.sampled_from(PAUSES)), max_size=14))
def test_no_moment_is_given_twice_whatever_happens_at_once(
    redis_url: str, story: list[tuple[str, int]]
) -> None:
    async def live_through() -> None:
        async with MatchLog.open(redis_url) as log:
            match = await log.start(hold_allowed=True, base_ms=10**7, budget_ms=10**7)
            events: dict[str, Callable[[], Awaitable[object]]] = {
                "tick": log.matches.tick,
                "drain": partial(log.matches.depart, match, 0, served=True),
                "leave": partial(log.matches.depart, match, 0),
                "come": partial(log.matches.arrive, match, 0),
                "hold": partial(log.matches.hold, match, 0),
                "release": partial(log.matches.release, match, 0),
            }
            day = Day()
            for event, pause in [*story, ("release", 0), ("come", 0)]:
                await events[event]()
                day.happen(event)
                log.clock.pass_ms(pause * UNIT_MS)
                day.now += pause
            answer = await log.acted(match, 0, 0)
            assert answer.charged_ms == max(0, day.charged_ms - LAG)
            assert (await log.live(match)).seats[0].used_ms == UNIT_MS * len(day.away)

    asyncio.run(live_through())
