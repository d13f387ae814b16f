"""Outages: nobody served a bucket, so nobody is charged."""

from __future__ import annotations

from match_log import BASE_MS, MatchLog
from targi_server.match.clock import remaining
from targi_server.match.model import Termination
from targi_server.store.answers import Committed

LAG = 50


async def test_a_gap_over_two_seconds_between_beats_is_subtracted_from_the_clock(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(2_001)
    assert (await log.acted(match, 0, 0)).charged_ms == 0


async def test_a_gap_of_two_seconds_is_not(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(2_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 2_000 - LAG


async def test_the_whole_gap_counts_whoever_notices_it_first(log: MatchLog) -> None:
    match = await log.start()
    await log.run(4_000)
    log.clock.pass_ms(30_000)
    await log.matches.tick()
    log.clock.pass_ms(1_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 5_000 - LAG


async def test_an_outage_moves_the_deadline(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(10 * BASE_MS)
    await log.matches.tick()
    assert await log.verdict(match) is None
    await log.run(BASE_MS + 2_000)
    verdict = await log.verdict(match)
    assert verdict is not None and verdict.termination is Termination.TIME


async def test_an_outage_is_subtracted_from_budgets(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 1)
    await log.run(10_000)
    log.clock.pass_ms(40_000)
    await log.matches.tick()
    await log.run(2_000)
    await log.matches.arrive(match, 1)
    assert (await log.live(match)).seats[1].used_ms == 12_000


async def test_several_outages_add_up(log: MatchLog) -> None:
    match = await log.start()
    for _ in range(3):
        log.clock.pass_ms(5_000)
        await log.matches.tick()
        log.clock.pass_ms(1_000)
        await log.matches.tick()
    live = await log.live(match)
    assert live.credit_ms == 15_000
    assert remaining(live, log.clock.now) == (BASE_MS - 3_000, BASE_MS)
    assert (await log.acted(match, 0, 0)).charged_ms == 3_000 - LAG


async def test_an_outage_before_the_turn_began_is_none_of_its_own(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(9_000)
    await log.matches.tick()
    await log.acted(match, 0, 0)
    await log.run(4_000)
    assert (await log.acted(match, 1, 1)).charged_ms == 4_000 - LAG


async def test_time_in_the_server_during_an_outage_is_not_given_twice(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(10_000)
    await log.matches.tick()
    await log.run(6_000)
    out, inside = 10_500, 700
    answer = await log.act(match, 0, 0, out_ms=out, arrived_ms=log.clock.now - inside)
    assert isinstance(answer, Committed)
    assert (answer.entries[0].out_ms, answer.entries[0].in_ms) == (500, 700)
    assert answer.charged_ms == 6_000 - 500 - 700 - LAG


async def test_an_answer_that_waited_out_an_outage_is_charged_what_came_before(log: MatchLog) -> None:
    match = await log.start()
    await log.run(4_000)
    arrived = log.clock.now
    log.clock.pass_ms(20_000)
    answer = await log.act(match, 0, 0, arrived_ms=arrived)
    assert isinstance(answer, Committed) and answer.charged_ms == 4_000 - LAG


async def test_the_last_64_outages_are_kept_and_all_count(log: MatchLog) -> None:
    match = await log.start()
    for _ in range(70):
        log.clock.pass_ms(3_000)
        await log.matches.tick()
    await log.run(1_500)
    assert (await log.acted(match, 0, 0)).charged_ms == 1_500 - LAG
