"""Time that is the server's fault: replicas that fall silent, drains, matches that nobody tells of."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from match_log import CLOCK, MatchLog
from targi_server.store.answers import Committed
from targi_server.store.buckets import bucket_of
from targi_server.store.committer import Committer
from targi_server.store.matches import MatchStore
from targi_server.store.opening import open_store

LAG = 50


@asynccontextmanager
async def replica(log: MatchLog, name: str) -> AsyncIterator[MatchStore]:
    """A second replica of the same log."""
    async with open_store(log.url, replica=name, clock=CLOCK) as store:
        yield store.matches


async def test_seats_of_a_replica_that_stopped_are_credited_until_the_next_hello(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        await log.run(4_000, log.matches, two)
        await log.run(10_000)
        presence = (await log.live(match)).seats[0]
        assert not presence.connected and presence.credited
        await log.matches.arrive(match, 0)
        await log.run(3_000)
        answer = await log.acted(match, 0, 0)
        assert answer.charged_ms == 4_000 + 3_000 - LAG
        assert (await log.live(match)).seats[0].used_ms == 0


async def test_the_credit_ends_15_seconds_after_the_last_beat_while_others_serve(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        await log.run(40_000)
        await log.matches.arrive(match, 0)
        assert (await log.live(match)).seats[0].used_ms == 25_000
        assert (await log.acted(match, 0, 0)).charged_ms == 25_000 - LAG


async def test_an_outage_prolongs_the_15_seconds(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        log.clock.pass_ms(60_000)
        await log.matches.tick()
        await log.run(20_000)
        await log.matches.arrive(match, 0)
        assert (await log.acted(match, 0, 0)).charged_ms == 5_000 - LAG


async def test_the_clock_of_the_other_seat_runs_while_a_replica_is_dead(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(0,))
        await two.arrive(match, 1)
        await log.run(8_000)
        assert (await log.acted(match, 0, 0)).charged_ms == 8_000 - LAG


async def test_a_bot_that_says_hello_elsewhere_is_credited_though_nobody_buried_the_replica(
    log: MatchLog,
) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        log.clock.pass_ms(1_500)
        await log.matches.tick()
        log.clock.pass_ms(1_000)
        await log.matches.arrive(match, 0)
        assert (await log.acted(match, 0, 0)).charged_ms == 0


async def test_a_replica_that_comes_back_finds_its_seats_credited_for_its_silence(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        await log.run(20_000)
        assert not (await log.live(match)).seats[0].connected
        await two.tick()
        seat = (await log.live(match)).seats[0]
        assert seat.connected and seat.used_ms == 0
        await log.run(2_000, log.matches, two)
        answer = await log.act(match, 0, 0, by=two)
        assert isinstance(answer, Committed) and answer.charged_ms == 2_000 - LAG


async def test_an_answer_through_a_silent_replica_counts_as_its_return(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        await log.run(6_000)
        answer = await log.act(match, 0, 0, by=two, out_ms=1_000)
        assert isinstance(answer, Committed) and answer.charged_ms == 0
        assert (await log.live(match)).seats[0].connected


async def test_a_silence_that_nobody_noticed_is_credited_by_the_answer(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        log.clock.pass_ms(1_500)
        await log.matches.tick()
        log.clock.pass_ms(1_000)
        answer = await log.act(match, 0, 0, by=two, out_ms=1_500)
        assert isinstance(answer, Committed)
        assert (answer.charged_ms, answer.entries[0].out_ms) == (0, 0)


async def test_seats_stay_credited_when_their_replica_hears_of_another_match_before_it_ticks(
    log: MatchLog,
) -> None:
    async with replica(log, "two") as two:
        first = await log.start(here=(1,))
        await two.arrive(first, 0)
        await log.run(6_000)
        second = await same_bucket(log, first)
        await two.arrive(second, 0)
        await two.tick()
        assert (await log.live(first)).seats[0].connected


async def same_bucket(log: MatchLog, match: str) -> str:
    """Another match in the bucket of `match`."""
    while True:
        other = await log.start(here=())
        if bucket_of(other) == bucket_of(match):
            return other


async def test_a_stream_that_broke_during_the_silence_stays_away_when_the_replica_beats(
    log: MatchLog,
) -> None:
    async with replica(log, "two") as two:
        match = await log.start(here=(1,))
        await two.arrive(match, 0)
        await log.run(6_000)
        await two.depart(match, 0)
        await two.tick()
        seat = (await log.live(match)).seats[0]
        assert not seat.connected and seat.credited


async def test_what_breaks_soon_after_a_gap_in_the_own_ticks_counts_as_the_servers_doing(
    log: MatchLog,
) -> None:
    committer = log.store.commands
    assert isinstance(committer, Committer)
    now_s = 0.0
    store = MatchStore(committer, replica="one", now_s=lambda: now_s)
    match = await log.start()
    credited = []
    for gap_s, after_s in [(2.0, 0.0), (2.1, 14.9), (1.0, 15.1)]:
        now_s += gap_s
        await store.tick()
        now_s += after_s
        await store.depart(match, 0)
        credited.append((await log.live(match)).seats[0].credited)
        await store.arrive(match, 0)
        now_s += 1.0
        await store.tick()
    assert credited == [False, True, False]


@pytest.mark.parametrize(("away_ms", "charged_ms"), [(10_000, 0), (15_000, 0), (20_000, 5_000)])
async def test_a_drain_is_credited_from_the_end_of_the_stream_for_15_seconds_at_most(
    log: MatchLog, away_ms: int, charged_ms: int
) -> None:
    match = await log.start()
    await log.run(4_000)
    await log.matches.depart(match, 0, served=True)
    await log.run(away_ms)
    await log.matches.arrive(match, 0)
    assert (await log.live(match)).seats[0].used_ms == charged_ms
    assert (await log.acted(match, 0, 0)).charged_ms == 4_000 + charged_ms - LAG


async def test_an_answer_that_was_on_its_way_when_its_stream_was_drained_is_credited_too(
    log: MatchLog,
) -> None:
    match = await log.start()
    await log.run(4_000)
    await log.matches.depart(match, 0, served=True)
    await log.run(2_000)
    answer = await log.acted(match, 0, 0)
    assert (answer.charged_ms, answer.entries[0].in_ms) == (4_000 - LAG, 0)


async def test_a_bot_that_leaves_by_itself_is_charged(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 0)
    await log.run(10_000)
    await log.matches.arrive(match, 0)
    assert (await log.live(match)).seats[0].used_ms == 10_000
    assert (await log.acted(match, 0, 0)).charged_ms == 10_000 - LAG


async def test_out_is_not_given_to_a_bot_that_was_not_there_when_its_turn_began(log: MatchLog) -> None:
    match = await log.start()
    await log.matches.depart(match, 0)
    log.clock.pass_ms(1_000)
    await log.matches.arrive(match, 0)
    log.clock.pass_ms(1_000)
    answer = await log.act(match, 0, 0, out_ms=1_000)
    assert isinstance(answer, Committed)
    assert (answer.entries[0].out_ms, answer.charged_ms) == (0, 2_000 - LAG)


async def test_the_time_until_a_bot_first_hears_of_its_match_is_the_servers(log: MatchLog) -> None:
    match = await log.start(here=())
    await log.run(6_000)
    await log.matches.arrive(match, 0)
    assert (await log.acted(match, 0, 0)).charged_ms == 0
    assert (await log.live(match)).seats[0].used_ms == 0


async def test_a_takeover_on_a_live_replica_gives_nothing(log: MatchLog) -> None:
    async with replica(log, "two") as two:
        match = await log.start()
        await log.run(6_000, log.matches, two)
        await two.arrive(match, 0)
        assert await log.matches.depart(match, 0)
        seat = (await log.live(match)).seats[0]
        assert seat.connected and seat.replica == "two"
        answer = await log.act(match, 0, 0, by=two)
        assert isinstance(answer, Committed) and answer.charged_ms == 6_000 - LAG


async def test_a_held_clock_is_given_time_once_though_the_bot_was_drained_meanwhile(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.run(2_000)
    await log.matches.hold(match, 0)
    await log.run(4_000)
    await log.matches.depart(match, 0, served=True)
    await log.run(4_000)
    await log.matches.arrive(match, 0)
    await log.run(4_000)
    await log.matches.release(match, 0)
    await log.run(2_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 4_000 - LAG
