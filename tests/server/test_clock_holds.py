"""Held clocks of debug challenges: they stand still, but not for ever."""

from collections.abc import AsyncIterator

import pytest
from match_log import BASE_MS, CLOCK, MatchLog
from targi_server.errors import HoldNotAllowed
from targi_server.match.clock import LAG_ACT_MS as LAG
from targi_server.match.clock import HoldLimits, remaining
from targi_server.match.incidents import IncidentKind
from targi_server.store.opening import open_store

EACH_MS, IN_ALL_MS = LIMITS = HoldLimits(10_000, 25_000)


@pytest.fixture
async def log(log: MatchLog) -> AsyncIterator[MatchLog]:
    """A match log whose clocks are held for less long than the server's."""
    async with open_store(log.url, replica="one", clock=CLOCK, holds=LIMITS) as store:
        yield MatchLog(log.url, log.clock, store)


async def told(log: MatchLog, match: str) -> list[IncidentKind]:
    return [incident.kind for incident in await log.matches.story(match, 0, 0)]


async def test_a_held_clock_runs_again_after_so_long_by_itself(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    log.clock.pass_ms(1_000)
    await log.matches.hold(match, 0)
    await log.run(EACH_MS - 1)
    assert (await log.live(match)).held
    log.clock.pass_ms(1)
    await log.matches.tick()
    now = await log.live(match)
    assert not now.held and remaining(now, log.clock.now) == (BASE_MS - 1_000, BASE_MS)
    await log.run(2_000)
    assert remaining(await log.live(match), log.clock.now) == (BASE_MS - 3_000, BASE_MS)
    assert (await log.acted(match, 0, 0)).charged_ms == 3_000 - LAG


async def test_a_clock_that_was_let_go_runs_out_like_any_other(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.matches.hold(match, 0)
    await log.run(EACH_MS + BASE_MS)
    assert (await log.live(match)).verdict is None
    await log.run(2_000)
    verdict = (await log.live(match)).verdict
    assert verdict is not None and (verdict.termination, verdict.culprit) == ("time", "0")
    assert await told(log, match) == [IncidentKind.HELD, IncidentKind.LET_GO, IncidentKind.JUDGED]


async def test_the_next_tick_notes_that_a_clock_was_let_go(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.matches.hold(match, 1)  # not its turn: its clock would not run in any case
    await log.run(EACH_MS - 2_000)
    assert (await log.live(match)).let_go == (0, 0)
    await log.run(2_000)
    assert (await log.live(match)).let_go == (0, 1)
    (_, incident) = await log.matches.story(match, 0, 0)
    assert incident.words.startswith("seat 1's clock runs again: it was stopped for 10.000 s")


async def test_holding_again_does_not_begin_anew(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.matches.hold(match, 0)
    await log.run(EACH_MS - 1_000)
    await log.matches.hold(match, 0)
    await log.run(1_000)
    assert not (await log.live(match)).held


async def test_all_holds_of_a_seat_together_have_an_end(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    left_ms = IN_ALL_MS
    while left_ms:
        length_ms = min(left_ms, EACH_MS - 3_000)
        await log.matches.hold(match, 0)
        await log.run(length_ms)
        await log.matches.release(match, 0)
        left_ms -= length_ms
    with pytest.raises(HoldNotAllowed, match="as long as it may in one match"):
        await log.matches.hold(match, 0)
    assert await log.matches.hold(match, 1)  # the other seat has its own
    assert remaining(await log.live(match), log.clock.now) == (BASE_MS, BASE_MS)


async def test_the_last_hold_is_cut_where_all_together_end(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    for _ in range(2):
        await log.matches.hold(match, 0)
        await log.run(8_000)
        await log.matches.release(match, 0)
    await log.matches.hold(match, 0)
    await log.run(IN_ALL_MS - 16_000 + 1_000)
    live = await log.live(match)
    assert not live.held and remaining(live, log.clock.now) == (BASE_MS - 1_000, BASE_MS)


async def test_a_bot_that_holds_and_goes_is_on_its_budget(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.matches.hold(match, 0)
    await log.matches.depart(match, 0)
    await log.run(63_000)
    verdict = (await log.live(match)).verdict
    assert verdict is not None and (verdict.termination, verdict.culprit) == ("abandoned", "0")
