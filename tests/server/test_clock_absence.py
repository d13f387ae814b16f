"""Bots that are away: budgets, and what happens when both are."""

from __future__ import annotations

import pytest
from match_log import BASE_MS, BUDGET_MS, CLOCK, MatchLog
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.store.answers import Committed, Over, Waiting
from targi_server.store.opening import open_store

GRACE = 2_000


def shown(verdict: Verdict | None) -> tuple[str, str, str] | None:
    return None if verdict is None else (verdict.result, str(verdict.termination), str(verdict.culprit))


async def test_a_seat_that_is_away_for_longer_than_its_budget_has_lost(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 1)
    for ply in (0, 1, 2):
        await log.run(10_000)
        await log.act(match, ply, 0, next_seat=0)
    await log.run(BUDGET_MS - 30_000)
    await log.matches.tick()
    assert await log.verdict(match) is None
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")
    assert await log.matches.outbox() == [match]


async def test_coming_back_does_not_refill_the_budget(log: MatchLog) -> None:
    match = await log.start(base_ms=10 * BASE_MS)
    for ply in range(3):
        await log.matches.depart(match, 1)
        await log.run(18_000)
        await log.matches.arrive(match, 1)
        await log.run(2_000)
        await log.act(match, ply, 0, next_seat=0)
    assert (await log.live(match)).seats[1].used_ms == 54_000
    await log.matches.depart(match, 1)
    await log.run(6_000 + GRACE)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")


async def test_a_seat_that_is_back_within_the_tolerance_plays_on_with_nothing_left(log: MatchLog) -> None:
    match = await log.start(base_ms=10 * BASE_MS)
    await log.matches.depart(match, 1)
    await log.run(BUDGET_MS + 1_999)
    assert await log.matches.arrive(match, 1)
    assert (await log.live(match)).seats[1].used_ms == BUDGET_MS
    await log.matches.depart(match, 1)
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")


async def test_a_seat_that_comes_back_too_late_finds_the_match_over_though_nobody_ticked(
    log: MatchLog,
) -> None:
    match = await log.start(base_ms=10 * BASE_MS)
    await log.matches.depart(match, 1)
    await log.run(BUDGET_MS)
    log.clock.pass_ms(GRACE)
    assert not await log.matches.arrive(match, 1)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")


async def test_the_clock_of_a_seat_that_is_away_runs(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 0)
    await log.run(20_000 + GRACE)
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def test_a_connected_seat_whose_clock_ends_has_lost_though_the_other_is_away(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 1)
    await log.run(20_000 + GRACE)
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def test_who_leaves_after_its_clock_ended_was_there_when_it_did(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 1)
    await log.run(20_000)
    log.clock.pass_ms(500)
    await log.matches.depart(match, 0)
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def both_away(log: MatchLog, *, base_ms: int = 20_000) -> str:
    """A match of which seat 0's clock ended while both were away, and that was noticed."""
    match = await log.start(base_ms=base_ms)
    await log.matches.depart(match, 1)
    log.clock.pass_ms(1_000)
    await log.matches.depart(match, 0)
    await log.run(base_ms + GRACE)
    assert await log.verdict(match) is None
    return match


async def test_while_both_are_away_the_verdict_waits_for_the_other_budget_then_it_is_both(
    log: MatchLog,
) -> None:
    match = await both_away(log)
    await log.run(BUDGET_MS - 20_000 - 4_000)
    assert await log.verdict(match) is None
    await log.run(4_000)
    assert shown(await log.verdict(match)) == ("*", "abandoned", "both")


async def test_the_opponent_that_is_back_for_two_seconds_wins(log: MatchLog) -> None:
    match = await both_away(log)
    await log.matches.arrive(match, 1)
    log.clock.pass_ms(1_999)
    await log.matches.tick()
    assert await log.verdict(match) is None
    log.clock.pass_ms(1)
    await log.matches.tick()
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def test_the_first_to_be_noticed_is_not_the_loser_if_it_is_back_first(log: MatchLog) -> None:
    match = await both_away(log)
    await log.matches.arrive(match, 0)
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")


async def test_if_both_are_back_the_one_whose_time_ended_has_lost(log: MatchLog) -> None:
    match = await both_away(log)
    await log.matches.arrive(match, 0)
    log.clock.pass_ms(1_000)
    await log.matches.arrive(match, 1)
    log.clock.pass_ms(1_000)
    await log.matches.tick()
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def test_being_back_for_a_moment_only_decides_nothing(log: MatchLog) -> None:
    match = await both_away(log)
    await log.matches.arrive(match, 0)
    log.clock.pass_ms(1_500)
    await log.matches.depart(match, 0)
    await log.run(4_000)
    assert await log.verdict(match) is None
    await log.matches.arrive(match, 1)
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


async def test_no_answer_counts_while_the_verdict_waits(log: MatchLog) -> None:
    match = await both_away(log)
    await log.matches.arrive(match, 0)
    assert await log.act(match, 0, 0) == Waiting()
    assert await log.blunder(match, 0, 0, (1,)) == Waiting()
    assert (await log.live(match)).strikes == (0, 0)


async def test_a_late_answer_of_a_seat_that_was_away_with_the_other_waits_too(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 0)
    await log.matches.depart(match, 1)
    await log.run(20_000)
    log.clock.pass_ms(1_000)
    await log.matches.arrive(match, 0)
    assert await log.act(match, 0, 0) == Waiting()
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("1-0", "abandoned", "1")


async def test_a_late_answer_of_a_seat_that_was_away_alone_is_time(log: MatchLog) -> None:
    match = await log.start(base_ms=20_000)
    await log.matches.depart(match, 0)
    await log.run(20_000)
    log.clock.pass_ms(1_000)
    await log.matches.arrive(match, 0)
    answer = await log.act(match, 0, 0)
    assert isinstance(answer, Over) and shown(answer.verdict) == ("0-1", "time", "0")


async def test_a_budget_that_ends_while_both_are_away_waits_as_well(log: MatchLog) -> None:
    match = await log.start(base_ms=20 * BASE_MS)
    await log.matches.depart(match, 0)
    await log.run(10_000)
    await log.matches.depart(match, 1)
    await log.run(BUDGET_MS - 10_000 + GRACE)
    assert await log.verdict(match) is None
    await log.matches.arrive(match, 1)
    await log.run(GRACE)
    assert shown(await log.verdict(match)) == ("0-1", "abandoned", "0")


async def test_two_budgets_that_end_are_no_contest(log: MatchLog) -> None:
    match = await log.start(base_ms=20 * BASE_MS)
    await log.matches.depart(match, 0)
    await log.run(10_000)
    await log.matches.depart(match, 1)
    await log.run(BUDGET_MS + GRACE)
    assert shown(await log.verdict(match)) == ("*", "abandoned", "both")


async def test_both_bots_that_never_come_are_both_to_blame(log: MatchLog) -> None:
    match = await log.start(here=())
    await log.run(BUDGET_MS + 15_000 + GRACE + 1_000)
    verdict = await log.verdict(match)
    assert verdict is not None and verdict.culprit is Culprit.BOTH


async def test_who_comes_to_a_match_to_which_the_other_never_came_wins(log: MatchLog) -> None:
    match = await log.start(here=(0,), seat=1)
    await log.run(BUDGET_MS + 15_000 + GRACE + 1_000)
    verdict = await log.verdict(match)
    assert verdict is not None and verdict.result == "1-0"


async def test_seats_of_a_replica_that_died_for_good_lose_when_their_time_is_over(log: MatchLog) -> None:
    async with open_store(log.url, replica="two", clock=CLOCK) as two:
        match = await log.start(here=(1,), base_ms=20_000)
        await two.matches.arrive(match, 0)
        await log.run(20_000 + 15_000 + GRACE + 1_000)
    assert shown(await log.verdict(match)) == ("0-1", "time", "0")


@pytest.mark.parametrize("seat", [0, 1])
async def test_presence_tells_since_when_and_how_much_was_used(log: MatchLog, seat: int) -> None:
    match = await log.start()
    log.clock.pass_ms(1_000)
    away_since = log.clock.now
    await log.matches.depart(match, seat)
    log.clock.pass_ms(1_500)
    gone = (await log.live(match)).seats[seat]
    assert (gone.connected, gone.since_ms, gone.used_ms) == (False, away_since, 0)
    await log.matches.arrive(match, seat)
    back = (await log.live(match)).seats[seat]
    assert (back.connected, back.since_ms, back.used_ms) == (True, log.clock.now, 1_500)
    assert back.replica == "one"


async def test_nobody_arrives_at_or_departs_from_a_match_that_is_over_or_unknown(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.end(match, Verdict("*", Termination.ABORTED, Culprit.NONE, "by hand"))
    for each in (match, "00000000000000ff"):
        assert not await log.matches.arrive(each, 0)
        assert not await log.matches.depart(each, 0)
        assert not await log.matches.hold(each, 0)


async def test_a_seat_that_plays_on_is_not_hurt_by_the_absence_of_the_other(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 1)
    await log.run(20_000)
    answer = await log.act(match, 0, 0)
    assert isinstance(answer, Committed) and answer.verdict is None


async def test_word_of_an_older_session_of_a_bot_changes_nothing(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.arrive(match, 1, "one", session=7)
    await log.matches.depart(match, 1, "one", session=6)
    assert (await log.live(match)).seats[1].connected
    await log.matches.arrive(match, 1, "two", session=6)
    assert (await log.live(match)).seats[1].replica == "one"
    await log.matches.depart(match, 1, "one", session=7)
    assert not (await log.live(match)).seats[1].connected
    await log.matches.arrive(match, 1, "two", session=5)  # a crash of Redis took numbers back
    assert (await log.live(match)).seats[1].replica == "two"
