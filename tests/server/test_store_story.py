"""Incidents that the scripts keep with a match, where they happen and once."""

from __future__ import annotations

from match_log import BUDGET_MS, MatchLog
from targi_server.match.incidents import Incident, IncidentKind
from targi_server.store.matches import MatchStore

FOREVER_MS = 1 << 50


async def story(log: MatchLog, match: str) -> list[Incident]:
    return list(await log.matches.story(match, log.clock.now - 3_600_000, FOREVER_MS))


async def kinds(log: MatchLog, match: str) -> list[IncidentKind]:
    return [incident.kind for incident in await story(log, match)]


async def test_sitting_down_and_playing_is_nothing_to_tell(log: MatchLog) -> None:
    match = await log.start()
    await log.acted(match, 0, 0)
    await log.acted(match, 1, 1)
    assert await story(log, match) == []


async def test_who_comes_late_to_its_match_is_told_with_the_time(log: MatchLog) -> None:
    match = await log.start(here=(0,))
    await log.run(6_000)
    await log.matches.arrive(match, 1)
    (arrived,) = await story(log, match)
    assert (arrived.kind, arrived.seat) == (IncidentKind.ARRIVED, 1)
    assert arrived.numbers == (6_000, 6_000, 0, BUDGET_MS)


async def test_an_absence_is_told_with_what_it_took_from_the_budget(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 1, why="its connection broke")
    await log.run(4_000)
    await log.matches.arrive(match, 1)
    await log.matches.depart(match, 1, served=True, why="its server process stopped")
    gone, back, drained = await story(log, match)
    assert (gone.numbers, gone.text) == ((0, BUDGET_MS, 0), "its connection broke")
    assert back.numbers == (4_000, 0, 4_000, BUDGET_MS)
    assert (drained.numbers, drained.text) == ((4_000, BUDGET_MS, 1), "its server process stopped")
    assert back.at_ms - gone.at_ms == 4_000


async def test_a_departure_that_does_not_count_is_not_told(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 1, "elsewhere")
    assert await story(log, match) == []


async def test_a_newer_stream_is_told_unless_it_came_at_once(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.arrive(match, 1)
    assert await story(log, match) == []
    await log.run(4_000)
    await log.matches.arrive(match, 1)
    (arrived,) = await story(log, match)
    assert arrived.numbers[0] == 0 and "newer stream" in arrived.words


async def test_the_seats_of_a_silent_replica_are_told_to_be_lost_and_recovered(
    log: MatchLog,
) -> None:
    two = MatchStore(log.matches._committer, replica="two")
    match = await log.start()
    await log.matches.arrive(match, 1, "two")
    await two.tick()
    await log.run(6_000)
    await two.tick()
    lost, back = await story(log, match)
    assert (lost.kind, lost.seat, lost.text) == (IncidentKind.LOST, 1, "two")
    assert (back.kind, back.seat, back.text) == (IncidentKind.RECOVERED, 1, "two")
    assert back.numbers == (6_000,)


async def test_an_outage_is_part_of_the_story_of_each_match_that_ran(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.tick()
    began_ms = log.clock.now
    log.clock.pass_ms(30_000)
    await log.matches.tick()
    outage, *_ = await story(log, match)
    assert (outage.kind, outage.at_ms, outage.numbers) == (IncidentKind.OUTAGE, began_ms, (30_000,))
    assert list(await log.matches.story(match, log.clock.now, FOREVER_MS)) == []


async def test_a_verdict_that_waits_and_what_decided_it_are_told(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 1)
    await log.matches.depart(match, 0)
    await log.run(24_000)
    await log.matches.arrive(match, 0)
    await log.run(4_000)
    assert await log.verdict(match)
    *_, waiting, arrived, judged = await story(log, match)
    assert (waiting.kind, waiting.seat, waiting.text) == (IncidentKind.WAITING, 0, "time")
    assert arrived.kind is IncidentKind.ARRIVED
    assert judged.kind is IncidentKind.JUDGED
    assert (judged.numbers[0], judged.numbers[3]) == (20_000, 0)
    assert judged.numbers[5] == 26_000  # the other was back for two seconds then


async def test_a_late_answer_is_told_once_with_its_price(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.run(20_000)
    log.clock.pass_ms(500)
    for _ in range(2):
        await log.act(match, 0, 0, arrived_ms=log.clock.now - 100)
    (late,) = await story(log, match)
    assert (late.kind, late.seat) == (IncidentKind.LATE, 0)
    assert late.numbers == (20_000, 20_350, 0, 100, 50, 0)


async def test_a_strike_is_told_once_with_what_was_received(log: MatchLog) -> None:
    match = await log.start()
    for _ in range(2):
        await log.matches.strike(match, 0, 0, b"12345678", shown="'@99'")
    await log.act(match, 0, 0, (7,), received=(7, 8), struck=True, turn_ended=False, next_seat=0)
    first, second = await story(log, match)
    assert (first.ply, first.numbers, first.text) == (0, (1,), "'@99'")
    assert (second.ply, second.numbers) == (1, (2,))


async def test_refusals_are_told_of_running_matches_only(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.tell(match, 1, "STALE", "'@7' for ply 0")
    await log.win(match, 0, 0)
    await log.matches.tell(match, 1, "STALE", "'@8' for ply 0")
    (refused,) = await story(log, match)
    assert refused.text == "STALE '@7' for ply 0"


async def test_only_so_many_incidents_are_kept(log: MatchLog) -> None:
    match = await log.start()
    for number in range(230):
        await log.matches.tell(match, 0, "STALE", f"number {number}")
    found = await story(log, match)
    assert len(found) == 200
    assert found[-1].text == "STALE number 229"
