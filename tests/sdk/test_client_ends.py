"""How a client ends: by leaving, by being replaced, and with what it hears of its matches meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc
import grpc.aio
import pytest
from fake_arena import PATIENCE_S, FakeArena, offer, welcome
from fake_match import FakeMatch
from targi.v1 import play_pb2 as pb
from targi_sdk.client import Kind, News, Summary
from targi_sdk.errors import (
    ReplacedError,
)
from trial_bots import First

Launch = Callable[..., "asyncio.Task[Summary]"]


async def test_after_n_matches_the_bot_leaves_and_finishes_what_runs(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First, games=2, capacity=4)
    line = await arena.line()
    assert (await line.hear("hello")).hello.capacity == 2
    first, second = FakeMatch("0" * 16), FakeMatch("1" * 16)
    await line.say(welcome(), first.started())
    await line.settle()
    assert line.count("leave") == 0
    await line.say(second.started())
    await line.hear("leave")
    await line.say(first.ended("1-0", "resigned", "1"), second.ended("1/2-1/2"))
    line.end()
    assert (await client).counts == {"won": 1, "drew": 1}


async def test_a_bot_that_leaves_says_so_again_after_a_reconnect_and_plays_on(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First, games=1)
    line, match = await arena.welcomed(), FakeMatch()
    await line.say(match.started())
    await line.hear("leave")
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.line()
    await line.hear("leave")
    assert [event.WhichOneof("event") for event in line.events] == ["hello", "leave"]
    await line.say(welcome(running=1), match.started())
    await line.say(*match.answer((await line.hear("act")).act))
    await line.say(match.ended("0-1", "time", "0"))
    line.end()
    assert (await client).counts == {"lost": 1}


async def test_a_bot_that_leaves_waits_for_the_second_game_of_its_pair(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First, games=1)
    line = await arena.line()
    await line.hear("hello")
    first, second = FakeMatch("1" * 16, pair_id="f" * 16), FakeMatch("2" * 16, pair_id="f" * 16)
    await line.say(welcome(heartbeat_ms=400), offer("f" * 16, "1" * 16, "2" * 16))
    await line.hear("ready")
    await line.say(first.started())
    await line.hear("leave")
    await line.say(first.ended("1-0", "resigned", "1"))
    for _ in range(4):  # one a heartbeat: a bot that waits for nothing is gone after two
        await line.hear("ping")
    assert not client.done()
    await line.say(second.started(), second.ended("0-1", "resigned", "0"))
    assert (await client).counts == {"won": 1, "lost": 1}


async def test_a_server_that_never_closes_the_stream_is_left_all_the_same(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First, games=1)
    line, match = await arena.line(), FakeMatch()
    await line.hear("hello")
    await line.say(welcome(heartbeat_ms=50), match.started(), match.ended("1-0", "resigned", "1"))
    assert (await asyncio.wait_for(client, PATIENCE_S)).counts == {"won": 1}


async def test_a_stream_that_the_service_closes_ends_the_wait_for_a_second_game(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First, games=1)
    line, match = await arena.welcomed(), FakeMatch("1" * 16, pair_id="f" * 16)
    await line.say(offer("f" * 16, "1" * 16, "2" * 16))
    await line.hear("ready")
    await line.say(match.started(), match.ended("*", "aborted"))
    await line.settle()
    line.end()
    assert (await client).counts == {"void": 1}


async def test_the_same_trouble_is_told_once_while_it_lasts(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    (await arena.welcomed()).end(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "the store is away")
    for _ in range(3):
        (await arena.line()).end(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "the store is away")
    await arena.welcomed()
    assert [each.words for each in news if each.kind == "lost"].count("no connection: the store is away") == 1


async def test_a_bot_that_leaves_declines_offers(arena: FakeArena, launch: Launch) -> None:
    launch(First, games=1)
    line = await arena.welcomed()
    await line.say(FakeMatch().started(), offer())
    assert (await line.hear("decline")).decline.reason == "the bot is leaving"


async def test_an_end_that_came_while_the_bot_was_away_is_shown(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(FakeMatch("c" * 16).ended("0-1", "abandoned", "0"))
    await line.settle()
    assert any("ended while this bot was away: 0-1" in each.words for each in news)


async def test_an_end_that_is_told_twice_counts_once(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    client = launch(First, games=1)
    line, match = await arena.welcomed(), FakeMatch()
    end = match.ended("1-0", "resigned", "1")
    await line.say(match.started(), end, end)
    line.end()
    assert (await client).counts == {"won": 1}
    assert len([each for each in news if each.kind == "ended"]) == 1


async def test_a_match_that_is_over_is_not_joined_again(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    launch(First)
    line, match = await arena.welcomed(), FakeMatch(seat=1)  # a start that is over has no open turn
    await line.say(match.started(), match.ended("1-0", "resigned", "1"))
    await line.settle()
    line.end(grpc.StatusCode.UNAVAILABLE)
    line = await arena.welcomed()
    await line.say(match.started(), match.ended("1-0", "resigned", "1"))
    await line.settle()
    assert [each.kind for each in news if each.match_id] == ["started", "ended"]


async def test_a_replaced_client_stops_and_does_not_come_back(arena: FakeArena, launch: Launch) -> None:
    client = launch(First)
    line = await arena.welcomed()
    line.end(grpc.StatusCode.ABORTED, "REPLACED", "a newer session took over")
    with pytest.raises(ReplacedError, match="a newer session took over"):
        await client


async def test_an_end_whose_reason_was_lost_while_the_client_wrote_is_learned_by_coming_back(
    arena: FakeArena, launch: Launch, news: list[News]
) -> None:
    client = launch(First)
    line = await arena.welcomed()
    line.end(
        grpc.StatusCode.INTERNAL, "", "Internal error from Core"
    )  # grpc.aio's words in place of any status
    line = await arena.line()
    line.end(grpc.StatusCode.ABORTED, "REPLACED", "a newer session took over")
    with pytest.raises(ReplacedError):
        await client
    (lost,) = [each.words for each in news if each.kind is Kind.LOST]
    assert "its reason was lost" in lost


async def test_a_pong_answers_each_ping(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(*(pb.ServerEvent(ping=pb.Ping(token=token)) for token in (7, 8)))
    assert [(await line.hear("pong")).pong.token for _ in range(2)] == [7, 8]
