"""Broken streams: the client comes back by itself, and no ply is ever played in two ways."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable

import grpc
import pytest
from fake_arena import FakeArena, Line, offer, offer_rejected, welcome
from fake_match import FakeMatch
from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons
from targi_sdk.client import News, Summary
from trial_bots import Diary, Dice, First, Hog, Patient, Searcher

Launch = Callable[..., "asyncio.Task[Summary]"]


def end_in_peace(line: Line) -> None:
    line.end()


def end_drained(line: Line) -> None:
    line.end(grpc.StatusCode.UNAVAILABLE, "DRAINING", "the server stops")


def end_without_reason(line: Line) -> None:
    line.end(grpc.StatusCode.INTERNAL, "", "something broke")


def end_slow(line: Line) -> None:
    line.end(grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER", "read faster")


@pytest.mark.parametrize("end", [end_in_peace, end_drained, end_without_reason, end_slow])
async def test_a_broken_stream_is_resumed_with_the_same_session(
    arena: FakeArena, launch: Launch, end: Callable[[Line], None]
) -> None:
    launch(First)
    first = await arena.line()
    session = (await first.hear("hello")).hello.session
    await first.say(welcome())
    end(first)
    second = await arena.line()
    assert (await second.hear("hello")).hello.session == session


async def test_a_server_that_was_away_is_found_again(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    await arena.welcomed()
    await arena.stop()
    await arena.start()
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    assert (await line.hear("act")).act.ply == 0
    assert any(each.kind == "lost" for each in news)


async def test_an_unacknowledged_answer_is_sent_again_and_is_the_same(
    arena: FakeArena, launch: Launch
) -> None:
    launch(Dice)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    lost = (await line.hear("act")).act
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    assert (await line.hear("act")).act == lost


async def test_an_answer_that_was_committed_is_not_sent_again(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    match.answer((await line.hear("act")).act)
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    assert (await line.hear("act")).act.ply == match.state.ply
    await line.settle()
    assert line.count("act") == 1


async def test_a_match_that_starts_twice_has_one_bot_that_is_asked_once(
    arena: FakeArena, launch: Launch
) -> None:
    Diary.lines.clear()
    launch(Diary)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    sent = (await line.hear("act")).act
    await line.say(match.started(), match.turn())
    await line.settle()
    assert [event.act for event in line.events if event.HasField("act")] == [sent] * 3
    assert Diary.lines == [
        f"start {match.match_id} seat 0 against rival at 0",
        f"choose {match.match_id} 0",
    ]


async def test_a_bot_that_thinks_during_a_reconnect_is_not_asked_again(
    arena: FakeArena, launch: Launch
) -> None:
    Patient.gate = asyncio.Event()
    launch(Patient)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    await line.settle()
    Patient.gate.set()
    assert (await line.hear("act")).act.ply == 0
    await line.settle()
    assert line.count("act") == 1


async def test_an_answer_that_comes_while_the_server_is_away_is_sent_later(
    arena: FakeArena, launch: Launch
) -> None:
    Patient.gate = asyncio.Event()
    launch(Patient)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.settle()
    await arena.stop()
    Patient.gate.set()
    await arena.start()
    line = await arena.welcomed(running=1)
    await line.say(match.started())
    assert (await line.hear("act")).act.ply == 0


async def test_a_match_that_runs_already_is_joined_at_its_ply(arena: FakeArena, launch: Launch) -> None:
    Diary.lines.clear()
    launch(Diary)
    line, match = await arena.welcomed(running=1), FakeMatch()
    match.play(match.state.legal_actions()[0])
    match.reply()
    await line.say(match.started())
    act = (await line.hear("act")).act
    assert act.ply == match.state.ply > 1
    assert Diary.lines[0] == f"start {match.match_id} seat 0 against rival at {act.ply}"


async def test_plies_that_the_service_lost_are_played_anew(arena: FakeArena, launch: Launch) -> None:
    Diary.lines.clear()
    launch(Diary)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    before = FakeMatch()
    await line.say(*match.answer((await line.hear("act")).act))
    assert (await line.hear("act")).act.ply > 0
    await line.say(before.started())
    assert (await line.hear("act")).act.ply == 0


async def test_an_answer_is_not_sent_again_to_another_position_at_its_ply(
    arena: FakeArena, launch: Launch
) -> None:
    Patient.gate = asyncio.Event()
    launch(Patient)
    line, known, other = await arena.welcomed(), FakeMatch(seat=1), FakeMatch(seat=1)
    known.play(known.state.legal_actions()[0])
    other.play(other.state.legal_actions()[1])
    assert known.is_mine and other.is_mine
    await line.say(known.started(), other.started())
    await line.settle()
    Patient.gate.set()
    act = (await line.hear("act")).act
    assert act.actions[0].id == other.state.legal_actions()[0] != known.state.legal_actions()[0]
    await line.say(*other.answer(act))
    await line.hear("act")
    assert [event.act.ply for event in line.events if event.HasField("act")].count(act.ply) == 1


@pytest.mark.parametrize("mine", [True, False])
async def test_a_match_whose_end_the_service_lost_is_played_on_and_counted_once(
    arena: FakeArena, launch: Launch, mine: bool
) -> None:
    client = launch(First, games=1)
    line, match = await arena.welcomed(), FakeMatch(seat=0 if mine else 1)
    await line.say(match.started(), match.ended("1-0", "resigned", "1"), match.started())
    await line.hear("leave")
    if not mine:
        await line.say(*match.reply())
    await line.say(*match.answer((await line.hear("act")).act))
    await line.say(match.ended("0-1", "resigned", "0"))
    line.end()
    assert (await client).counts == {"lost" if mine else "won": 1}


async def test_a_match_that_is_over_stays_so_when_it_is_shown_again_with_its_end(
    arena: FakeArena, launch: Launch
) -> None:
    Diary.lines.clear()
    client = launch(Diary, games=1)
    line, match = await arena.welcomed(), FakeMatch(seat=1)
    ended = match.ended("1-0", "resigned", "1")
    await line.say(match.started(), ended, match.started(), ended)
    await line.hear("leave")
    line.end()
    assert (await client).counts == {"lost": 1}
    assert len(Diary.lines) == 2


async def test_a_silent_server_is_left_after_two_heartbeats(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line = await arena.line()
    line.mute = True
    await line.hear("hello")
    await line.say(welcome(heartbeat_ms=100))
    await line.hear("ping")
    await (await arena.line()).hear("hello")
    assert any("silent" in each.words for each in news if each.kind == "lost")


async def test_a_server_that_is_heard_but_does_not_hear_is_left(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line = await arena.line()
    line.mute = True
    await line.hear("hello")
    await line.say(welcome(heartbeat_ms=200))

    async def ping_on() -> None:  # a sign of life, but no answer
        while True:
            await line.say(pb.ServerEvent(ping=pb.Ping(token=1)))
            await line.hear("pong")

    pinging = asyncio.create_task(ping_on())
    await (await arena.line()).hear("hello")
    pinging.cancel()
    await asyncio.gather(pinging, return_exceptions=True)
    assert any("did not answer" in each.words for each in news if each.kind == "lost")


async def test_a_bot_that_holds_up_its_own_loop_does_not_take_the_server_for_silent(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(Hog)
    line, match = await arena.line(), FakeMatch()
    await line.hear("hello")
    await line.say(welcome(heartbeat_ms=500), match.started())
    await line.hear("act")
    await line.settle()
    assert not [each for each in news if each.kind == "lost"]


async def test_a_match_goes_on_in_its_worker_through_a_reconnect(arena: FakeArena, launch: Launch) -> None:
    client = launch(Searcher, games=1, workers=1)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    for turns in range(20):
        if turns % 5 == 4:
            line.end(grpc.StatusCode.UNAVAILABLE)
            line = await arena.welcomed(running=1)
            await line.say(match.started())
        await line.say(*match.answer((await line.hear("act")).act))
    await line.say(match.ended("0-1", "aborted"))
    line.end()
    assert (await client).counts == {"lost": 1}


async def test_an_offer_that_comes_again_gets_the_same_nonce_and_then_the_next(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(offer())
    nonce = (await line.hear("ready")).ready.nonce
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.line()
    assert (await line.hear("hello")).hello.nonce_chain_head == nonce
    await line.say(welcome(), offer())
    assert (await line.hear("ready")).ready.nonce == nonce
    await line.say(offer_rejected("f" * 16, reasons.REASON_BAD_NONCE))
    again = (await line.hear("ready")).ready.nonce
    assert hashlib.sha256(again).digest() == nonce


async def test_a_service_that_lost_count_of_the_nonces_is_told_the_head_anew_once(
    arena: FakeArena, launch: Launch
) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(offer())
    nonce = (await line.hear("ready")).ready.nonce
    await line.say(offer_rejected("f" * 16, reasons.REASON_BAD_NONCE))
    assert (await line.hear("ready")).ready.nonce == nonce
    await line.say(offer_rejected("f" * 16, reasons.REASON_BAD_NONCE))
    line = await arena.line()
    assert (await line.hear("hello")).hello.nonce_chain_head == nonce
    await line.say(welcome(), offer())
    assert (await line.hear("ready")).ready.nonce == nonce
    for _ in range(2):
        await line.say(offer_rejected("f" * 16, reasons.REASON_BAD_NONCE))
    await line.settle()
    assert line.count("ready") == 2
