"""What an answer is charged, when a clock is over, and who says so."""

from __future__ import annotations

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from match_log import BASE_MS, CLOCK, MatchLog, until
from targi_server.match.clock import cost, remaining
from targi_server.match.model import Culprit, Termination, Verdict
from targi_server.store.answers import Committed, Over, Struck
from targi_server.store.bus import BotNews, MatchNews
from targi_server.store.opening import open_store

LAG = 50
GRACE = 2_000


def lost_on_time(verdict: Verdict | None, seat: int) -> bool:
    return verdict is not None and (verdict.result, verdict.termination, verdict.culprit) == (
        "0-1" if seat == 0 else "1-0",
        Termination.TIME,
        Culprit.of_seat(seat),
    )


async def test_time_since_the_last_commit_less_the_lag_is_charged_and_the_own_turn_adds_the_increment(
    log: MatchLog,
) -> None:
    match = await log.start()
    await log.run(5_000)
    answer = await log.acted(match, 0, 0)
    assert answer.charged_ms == 5_000 - LAG
    assert answer.clocks == (BASE_MS - 4_950 + 1_000, BASE_MS)
    assert answer.at_ms == log.clock.now


async def test_no_increment_before_the_own_turn_is_over(log: MatchLog) -> None:
    match = await log.start()
    answer = await log.act(match, 0, 0, turn_ended=False, next_seat=0)
    assert isinstance(answer, Committed) and answer.clocks == (BASE_MS, BASE_MS)


async def test_time_in_the_server_before_and_after_the_answer_is_not_charged(log: MatchLog) -> None:
    match = await log.start()
    await log.run(3_000)
    answer = await log.act(match, 0, 0, out_ms=400, arrived_ms=log.clock.now - 600)
    assert isinstance(answer, Committed)
    entry = answer.entries[0]
    assert (entry.out_ms, entry.in_ms, entry.charged_ms, entry.elapsed_ms) == (400, 600, 1_950, 3_000)


async def test_the_server_gives_at_most_1800_ms_together(log: MatchLog) -> None:
    match = await log.start()
    await log.run(10_000)
    answer = await log.act(match, 0, 0, out_ms=1_500, arrived_ms=log.clock.now - 1_500)
    assert isinstance(answer, Committed)
    assert (answer.entries[0].out_ms, answer.entries[0].in_ms) == (1_500, 300)
    assert answer.charged_ms == 10_000 - 1_800 - LAG


async def test_an_arrival_before_the_turn_or_after_now_gives_nothing_odd(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(1_000)
    early = await log.act(match, 0, 0, arrived_ms=log.clock.now - 60_000)
    assert isinstance(early, Committed) and early.entries[0].in_ms == 1_000
    log.clock.pass_ms(1_000)
    late = await log.act(match, 1, 1, arrived_ms=log.clock.now + 60_000)
    assert isinstance(late, Committed) and late.charged_ms == 1_000 - LAG


async def test_lag_is_at_most_50_ms_an_answer_and_100_ms_an_own_turn(log: MatchLog) -> None:
    match = await log.start()
    charged = []
    for ply in range(4):
        log.clock.pass_ms(80)
        answer = await log.act(match, ply, 0, turn_ended=ply == 3, next_seat=0)
        assert isinstance(answer, Committed)
        charged.append(answer.charged_ms)
    log.clock.pass_ms(80)
    charged.append((await log.acted(match, 4, 0)).charged_ms)
    assert charged == [30, 30, 80, 80, 30]


async def test_a_chain_is_charged_to_its_first_action(log: MatchLog) -> None:
    match = await log.start()
    await log.run(2_000)
    answer = await log.acted(match, 0, 0, (1, 2, 3))
    assert [entry.charged_ms for entry in answer.entries] == [1_950, 0, 0]
    assert [entry.chained for entry in answer.entries] == [False, True, True]
    assert [entry.turn_ended for entry in answer.entries] == [False, False, True]


async def test_time_never_runs_backwards_within_a_match(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(1_500)
    first = await log.acted(match, 0, 0)
    log.clock.pass_ms(-1_000)
    second = await log.acted(match, 1, 1)
    assert (second.at_ms, second.charged_ms) == (first.at_ms, 0)
    log.clock.pass_ms(1_400)
    third = await log.acted(match, 2, 0)
    assert third.charged_ms == 400 - LAG


async def test_an_answer_at_the_very_end_of_the_clock_counts(log: MatchLog) -> None:
    match = await log.start()
    await log.run(BASE_MS + LAG)
    answer = await log.acted(match, 0, 0)
    assert answer.clocks[0] == 1_000


async def test_a_late_answer_gets_time_in_place_of_its_action(log: MatchLog) -> None:
    match = await log.start()
    await log.run(BASE_MS + LAG + 1)
    answer = await log.act(match, 0, 0)
    assert isinstance(answer, Over) and lost_on_time(answer.verdict, 0)
    stored = await log.matches.load(match)
    assert stored is not None and stored.entries == () and stored.live.verdict == answer.verdict
    assert await log.matches.outbox() == [match]


async def test_an_illegal_answer_that_is_late_gets_time_too(log: MatchLog) -> None:
    match = await log.start()
    await log.run(BASE_MS + LAG + 1)
    answer = await log.blunder(match, 0, 0, (1,))
    assert isinstance(answer, Over) and lost_on_time(answer.verdict, 0)


async def test_the_tick_waits_two_seconds_longer_than_the_clock(log: MatchLog) -> None:
    match = await log.start()
    await log.run(BASE_MS + GRACE - 1)
    await log.matches.tick()
    assert await log.verdict(match) is None
    log.clock.pass_ms(1)
    await log.matches.tick()
    assert lost_on_time(await log.verdict(match), 0)


async def test_an_answer_that_arrived_in_time_is_not_overtaken_by_the_tick(log: MatchLog) -> None:
    match = await log.start()
    arrived = log.clock.pass_ms(0) + BASE_MS
    await log.run(BASE_MS + 1_799)
    answer = await log.act(match, 0, 0, arrived_ms=arrived)
    assert isinstance(answer, Committed) and answer.clocks[0] >= 0


async def test_a_tick_and_an_answer_at_the_same_instant_leave_one_verdict(log: MatchLog) -> None:
    match = await log.start()
    await log.run(BASE_MS)
    log.clock.pass_ms(GRACE)
    _, answer = await asyncio.gather(log.matches.tick(), log.act(match, 0, 0))
    assert isinstance(answer, Over) and answer.verdict == await log.verdict(match)


async def test_two_tickers_give_exactly_one_verdict(log: MatchLog) -> None:
    match = await log.start()
    heard: list[MatchNews] = []
    marks: list[BotNews] = []
    log.store.bus.subscribe(heard.append)
    log.store.bus.subscribe_bot(marks.append)
    async with open_store(log.url, replica="two", clock=CLOCK) as other:
        await log.run(BASE_MS, log.matches, other.matches)
        log.clock.pass_ms(GRACE)
        await asyncio.gather(log.matches.tick(), other.matches.tick())
        await asyncio.gather(log.matches.tick(), other.matches.tick())
        assert lost_on_time(await log.verdict(match), 0)
    await log.store.bus.publish_bot("alpha-bot", "mark", {})
    await until(lambda: bool(marks))
    assert await log.matches.outbox() == [match]
    assert len([news for news in heard if news.verdict is not None]) == 1


async def test_what_a_strike_waited_in_the_server_is_not_charged_with_the_next_answer(log: MatchLog) -> None:
    match = await log.start()
    log.clock.pass_ms(1_000)
    struck = await log.matches.strike(match, 0, 0, b"12345678", arrived_ms=log.clock.now - 700)
    assert struck == Struck(1, None)
    log.clock.pass_ms(1_000)
    answer = await log.act(match, 0, 0, arrived_ms=log.clock.now - 200)
    assert isinstance(answer, Committed)
    assert (answer.entries[0].in_ms, answer.charged_ms) == (900, 1_100 - LAG)


async def test_what_is_left_of_the_clocks_can_be_told_at_any_moment(log: MatchLog) -> None:
    match = await log.start(seat=1)
    await log.run(7_000)
    live = await log.live(match)
    assert remaining(live, log.clock.now) == (BASE_MS, BASE_MS - 7_000)
    assert remaining(live, log.clock.now + 10 * BASE_MS) == (BASE_MS, 0)


async def test_a_held_clock_stands_still_until_it_is_released(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    log.clock.pass_ms(1_000)
    assert await log.matches.hold(match, 0)
    await log.run(500_000)
    live = await log.live(match)
    assert live.held and remaining(live, log.clock.now) == (BASE_MS, BASE_MS)
    assert await log.matches.release(match, 0)
    log.clock.pass_ms(1_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 2_000 - LAG


async def test_an_answer_while_the_clock_is_held_is_charged_what_came_before(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    log.clock.pass_ms(1_000)
    await log.matches.hold(match, 0)
    await log.run(100_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 1_000 - LAG
    await log.acted(match, 1, 1)
    await log.run(100_000)
    assert (await log.acted(match, 2, 0)).charged_ms == 0


async def test_the_clock_of_the_other_seat_is_not_held(log: MatchLog) -> None:
    match = await log.start(hold_allowed=True)
    await log.matches.hold(match, 1)
    log.clock.pass_ms(1_000)
    assert (await log.acted(match, 0, 0)).charged_ms == 950


async def test_a_match_that_is_no_debug_challenge_has_no_hold(log: MatchLog) -> None:
    match = await log.start()
    assert not await log.matches.hold(match, 0)
    assert not (await log.live(match)).held


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 1_900), st.integers(0, 2_500), st.integers(0, 2_500), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_the_scripts_reckon_as_the_pure_functions_do(
    redis_url: str, steps: list[tuple[int, int, int, bool]]
) -> None:
    async def play() -> None:
        async with MatchLog.open(redis_url) as log:
            match = await log.start()
            clock, lag_used = BASE_MS, 0
            for ply, (passed, out, inside, turn_ended) in enumerate(steps):
                log.clock.pass_ms(passed)
                await log.matches.tick()
                answer = await log.act(
                    match,
                    ply,
                    0,
                    out_ms=out,
                    arrived_ms=log.clock.now - inside,
                    turn_ended=turn_ended,
                    next_seat=0,
                )
                due = cost(passed, out_ms=out, in_ms=min(inside, passed), lag_used_ms=lag_used)
                lag_used = 0 if turn_ended else lag_used + due.lag_ms
                clock += (1_000 if turn_ended else 0) - due.charged_ms
                assert isinstance(answer, Committed)
                entry = answer.entries[0]
                assert (entry.charged_ms, entry.out_ms, entry.in_ms) == (
                    due.charged_ms,
                    due.out_ms,
                    due.in_ms,
                )
                assert answer.clocks == (clock, BASE_MS)

    asyncio.run(play())


@given(st.integers(0, 10**7), st.integers(0, 10**5), st.integers(0, 10**5), st.integers(0, 100))
def test_the_parts_of_a_cost_add_up_to_what_passed(
    elapsed: int, out: int, inside: int, lag_used: int
) -> None:
    split = cost(elapsed, out_ms=out, in_ms=inside, lag_used_ms=lag_used)
    assert split.charged_ms + split.out_ms + split.in_ms + split.lag_ms == elapsed
    assert min(split.charged_ms, split.out_ms, split.in_ms, split.lag_ms) >= 0
    assert split.out_ms + split.in_ms <= 1_800 and split.lag_ms <= min(50, 100 - lag_used)
