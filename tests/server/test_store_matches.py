"""The match log: what is taken once, what is told again, and what is refused."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from match_log import BASE_MS, CLOCK, MatchLog, digest_of, header
from targi_server.match.model import OVER, Culprit, Termination, Verdict
from targi_server.store.answers import (
    Append,
    Committed,
    Ended,
    Gap,
    Missing,
    NotYourTurn,
    Over,
    Repeat,
    Stale,
    Struck,
)
from targi_server.store.keys import match_keys
from targi_server.store.opening import open_store

RESIGNED = Verdict("0-1", Termination.RESIGNED, Culprit.SEAT0, "seat 0 resigned")
NOBODY = "00000000000000ff"


def actions_of(answer: object) -> list[int]:
    assert isinstance(answer, Committed), answer
    return [entry.action for entry in answer.entries]


async def test_a_match_is_created_once(log: MatchLog) -> None:
    head = header()
    assert await log.matches.create(head, seat=1)
    assert not await log.matches.create(replace(head, game=2), seat=0)
    stored = await log.matches.load(head.match_id)
    assert stored is not None and stored.header == head
    assert (stored.live.seat, stored.live.ply, stored.live.clocks) == (1, 0, (BASE_MS, BASE_MS))
    assert await log.matches.running() == [head.match_id]


async def test_a_match_that_was_filed_is_not_created_again(log: MatchLog) -> None:
    head = header()
    await log.matches.create(head, seat=0)
    await log.matches.end(head.match_id, RESIGNED)
    await log.matches.filed(head.match_id, b"record", 100)
    assert not await log.matches.create(head, seat=0)


async def test_the_log_is_read_as_it_was_written(log: MatchLog) -> None:
    match = await log.start()
    first = await log.acted(match, 0, 0, (3,))
    second = await log.acted(match, 1, 1, (4, 5))
    stored = await log.matches.load(match)
    assert stored is not None
    assert stored.entries == first.entries + second.entries
    assert [(entry.action, entry.seat) for entry in stored.entries] == [(3, 0), (4, 1), (5, 1)]
    assert (stored.live.ply, stored.live.seat) == (3, 0)


async def test_several_matches_are_read_in_order_and_unknown_ones_are_none(log: MatchLog) -> None:
    matches = [await log.start() for _ in range(3)]
    found = await log.matches.load_many([matches[2], NOBODY, matches[0]])
    assert [stored and stored.header.match_id for stored in found] == [matches[2], None, matches[0]]


async def test_of_two_answers_to_one_ply_one_is_taken_and_the_other_is_stale(log: MatchLog) -> None:
    async with open_store(log.url, replica="two", clock=CLOCK) as two:
        match = await log.start()
        answers = await asyncio.gather(
            *(log.act(match, 0, 0, (n,), by=store) for n, store in enumerate([log.matches, two.matches] * 5))
        )
    assert sum(isinstance(answer, Committed) for answer in answers) == 1
    assert sum(answer == Stale() for answer in answers) == 9
    stored = await log.matches.load(match)
    assert stored is not None and len(stored.entries) == 1


async def test_the_same_answer_twice_is_one_action_and_is_told_the_same(log: MatchLog) -> None:
    match = await log.start()
    await log.run(3_000)
    first = await log.acted(match, 0, 0, (3, 4))
    log.clock.pass_ms(1_000)
    assert await log.act(match, 0, 0, (3, 4)) == Repeat(first)


async def test_an_old_answer_is_told_the_same_however_long_ago_it_was(log: MatchLog) -> None:
    match = await log.start()
    told = []
    for ply in range(0, 20, 2):
        log.clock.pass_ms(700 + 10 * ply)
        told.append(await log.acted(match, ply, ply // 2 % 2, (ply, ply + 1)))
    for number, first in enumerate(told):
        ply = 2 * number
        assert await log.act(match, ply, number % 2, (ply, ply + 1)) == Repeat(first)


async def test_another_answer_to_an_old_ply_is_stale(log: MatchLog) -> None:
    match = await log.start()
    await log.acted(match, 0, 0, (3, 4))
    await log.acted(match, 2, 1, (5,))
    for ply, seat, actions in [(0, 0, (3,)), (0, 0, (3, 4, 6)), (0, 0, (9, 4)), (1, 0, (4,)), (2, 0, (5,))]:
        assert await log.act(match, ply, seat, actions) == Stale()


async def test_a_chain_that_was_stopped_early_is_told_the_same_and_its_tail_is_never_applied(
    log: MatchLog,
) -> None:
    match = await log.start()
    first = await log.act(match, 0, 0, (3,), received=(3, 8, 9), turn_ended=False, next_seat=0)
    assert actions_of(first) == [3]
    assert isinstance(first, Committed) and first.taken == 1
    for _ in range(2):
        again = await log.act(match, 0, 0, (3, 8, 9), received=(3, 8, 9))
        assert again == Repeat(first)
        await log.act(match, 1, 0, (5,), next_seat=0)
    assert await log.act(match, 0, 0, (3, 8)) == Stale()
    stored = await log.matches.load(match)
    assert stored is not None and [entry.action for entry in stored.entries] == [3, 5]


async def test_an_illegal_link_is_one_strike_and_what_came_before_it_stands(log: MatchLog) -> None:
    match = await log.start()
    first = await log.act(match, 0, 0, (3,), received=(3, 99), struck=True, turn_ended=False, next_seat=0)
    assert isinstance(first, Committed) and (first.taken, first.strikes) == (1, 1)
    again = await log.act(match, 0, 0, (3,), received=(3, 99), struck=True, turn_ended=False, next_seat=0)
    assert again == Repeat(first)
    assert (await log.live(match)).strikes == (1, 0)


async def test_a_strike_is_counted_once_per_seat_ply_and_list_of_actions(log: MatchLog) -> None:
    match = await log.start()
    assert await log.blunder(match, 0, 0, (98,)) == Struck(1, None)
    assert await log.blunder(match, 0, 0, (98,)) == Repeat(Struck(1, None))
    assert await log.blunder(match, 0, 0, (99,)) == Struck(2, None)
    await log.acted(match, 0, 0)
    assert await log.blunder(match, 0, 0, (98,)) == Repeat(Struck(1, None))
    assert await log.blunder(match, 0, 0, (97,)) == Stale()
    assert await log.blunder(match, 1, 1, (98,)) == Struck(1, None)
    assert (await log.live(match)).strikes == (2, 1)


async def test_the_third_strike_loses_and_its_resend_is_told_so(log: MatchLog) -> None:
    match = await log.start()
    await log.blunder(match, 0, 0, (97,))
    await log.blunder(match, 0, 0, (98,))
    third = await log.blunder(match, 0, 0, (99,))
    assert isinstance(third, Struck) and third.verdict is not None
    assert (third.verdict.result, third.verdict.termination) == ("0-1", Termination.ILLEGAL)
    assert third.verdict.culprit is Culprit.SEAT0
    assert await log.blunder(match, 0, 0, (99,)) == Repeat(third)
    assert await log.act(match, 0, 0) == Over(third.verdict)


async def test_the_third_strike_in_a_chain_loses_after_what_came_before_it(log: MatchLog) -> None:
    match = await log.start()
    await log.blunder(match, 0, 0, (97,))
    await log.blunder(match, 0, 0, (98,))
    answer = await log.act(match, 0, 0, (3,), received=(3, 99), struck=True)
    assert isinstance(answer, Committed) and answer.verdict is not None
    assert answer.verdict.termination is Termination.ILLEGAL
    assert await log.act(match, 0, 0, (3,), received=(3, 99), struck=True) == Repeat(answer)
    stored = await log.matches.load(match)
    assert stored is not None and (len(stored.entries), stored.live.seat) == (1, OVER)


async def test_strikes_of_one_seat_are_none_of_the_other(log: MatchLog) -> None:
    match = await log.start()
    for ply in range(4):
        answer = await log.blunder(match, ply, ply % 2, (99,))
        assert answer == Struck(1 + ply // 2, None)
        await log.acted(match, ply, ply % 2)
    assert await log.verdict(match) is None


async def test_the_seat_that_is_not_to_move_is_refused_without_a_strike(log: MatchLog) -> None:
    match = await log.start()
    assert await log.act(match, 0, 1) == NotYourTurn()
    assert await log.blunder(match, 0, 1, (99,)) == NotYourTurn()
    assert (await log.live(match)).strikes == (0, 0)


async def test_an_answer_from_the_future_shows_a_log_that_lost_something(log: MatchLog) -> None:
    match = await log.start()
    assert await log.act(match, 4, 0) == Gap(0)
    assert await log.blunder(match, 4, 0, (99,)) == Gap(0)


async def test_a_match_that_is_not_there_is_missing(log: MatchLog) -> None:
    assert await log.act(NOBODY, 0, 0) == Missing()
    assert await log.blunder(NOBODY, 0, 0, (1,)) == Missing()
    assert await log.matches.end(NOBODY, RESIGNED) == Ended(None, given=False)
    assert await log.matches.load(NOBODY) is None


async def test_the_last_action_the_result_and_the_outbox_are_one_step(log: MatchLog) -> None:
    match = await log.start()
    last = await log.win(match, 0, 0)
    assert isinstance(last, Committed)
    verdict = Verdict("1-0", Termination.NORMAL, Culprit.NONE, "", (40, 35), log.clock.now)
    assert last.verdict == verdict
    live = await log.live(match)
    assert (live.seat, live.verdict) == (OVER, verdict)
    assert await log.matches.outbox() == [match]
    assert await log.matches.running() == []
    assert await log.win(match, 0, 0) == Repeat(last)
    assert await log.act(match, 1, 1) == Over(verdict)


async def test_the_first_verdict_wins(log: MatchLog) -> None:
    match = await log.start()
    first = await log.matches.end(match, RESIGNED)
    assert first == Ended(replace(RESIGNED, at_ms=log.clock.now), given=True)
    log.clock.pass_ms(1_000)
    second = await log.matches.end(match, Verdict("*", Termination.ABORTED, Culprit.NONE, "by hand"))
    assert second == Ended(first.verdict, given=False)


async def test_an_end_that_is_meant_for_one_ply_does_not_hit_another(log: MatchLog) -> None:
    match = await log.start()
    await log.acted(match, 0, 0)
    assert await log.matches.end(match, RESIGNED, ply=0) == Ended(None, given=False)
    assert (await log.matches.end(match, RESIGNED, ply=1)).given


@pytest.mark.parametrize(
    "words", ["", "two\nlines", "né à\tTombouctou", "a zero \0 byte", "%s %d", "x" * 4096]
)
async def test_words_of_a_verdict_are_kept_as_they_are(log: MatchLog, words: str) -> None:
    match = await log.start()
    await log.matches.end(match, Verdict("0-1", Termination.BOT_ERROR, Culprit.SEAT0, words))
    verdict = await log.verdict(match)
    assert verdict is not None and verdict.words == words


async def test_what_is_filed_takes_the_place_of_the_match(log: MatchLog) -> None:
    match = await log.start()
    await log.acted(match, 0, 0)
    await log.blunder(match, 1, 1, (99,))
    await log.matches.end(match, RESIGNED)
    for _ in range(2):
        await log.matches.filed(match, b"record", 100)
        assert await log.matches.finished(match) == b"record"
    assert await log.matches.outbox() == []
    assert await log.matches.load(match) is None
    with log.client() as client:
        keys = match_keys(match)
        assert {key.decode() for key in client.keys(f"*{match}*")} == {keys.done}
        assert 0 < client.ttl(keys.done) <= 100


async def test_a_match_that_runs_cannot_be_filed(log: MatchLog) -> None:
    match = await log.start()
    with pytest.raises(ValueError, match="still runs"):
        await log.matches.filed(match, b"record", 100)
    assert await log.matches.load(match) is not None


async def test_nothing_was_finished_that_never_was(log: MatchLog) -> None:
    assert await log.matches.finished(NOBODY) is None


async def test_a_running_game_is_small_in_redis(log: MatchLog) -> None:
    match = await log.start()
    for ply in range(150):
        log.clock.pass_ms(400)
        await log.act(match, ply, ply % 2, (ply,), out_ms=3, arrived_ms=log.clock.now - 4)
    with log.client() as client:
        keys = match_keys(match)
        assert client.object("encoding", keys.live) == b"listpack"
        assert client.llen(keys.log) == 150
        assert sum(client.memory_usage(key) or 0 for key in (keys.head, keys.live, keys.log)) < 4_096


@pytest.mark.parametrize("actions", [(), (8_192,)])
async def test_an_answer_that_cannot_be_logged_is_refused_before_it_is_sent(
    log: MatchLog, actions: tuple[int, ...]
) -> None:
    match = await log.start()
    with pytest.raises(ValueError, match="one action at least"):
        await log.act(match, 0, 0, actions)


async def test_an_unknown_action_is_no_known_one(log: MatchLog) -> None:
    match = await log.start()
    await log.acted(match, 0, 0, (3, 1))
    assert await log.act(match, 0, 0, (3, -1)) == Stale()


async def test_a_digest_of_another_length_is_refused_before_it_is_sent(log: MatchLog) -> None:
    match = await log.start()
    with pytest.raises(ValueError, match="8 bytes"):
        await log.matches.append(
            Append(match, 0, 0, (1,), digest_of((1,))[:4], 1, log.clock.now, 0, True, next_seat=1)
        )
    with pytest.raises(ValueError, match="8 bytes"):
        await log.matches.strike(match, 0, 0, b"123456789")
