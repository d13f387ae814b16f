"""What nobody can have too much of: calls, streams, accounts, bytes."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any

import grpc
import pytest
from method_calls import METHODS, answer
from play_client import Arena, arena, bearer, hello, reason_of
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    play_pb2,
)
from targi_server.errors import Limit
from targi_server.play.intake import A_SECOND, A_SECOND_AND_MATCH, AT_ONCE, Intake, Pace
from targi_server.rpc.limits import BURST_S, SWEPT, Allowance, CallLimits, Gate


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def accounts(here: Arena) -> Any:  # the stub's async form exists in annotations only
    return account_service_pb2_grpc.AccountServiceStub(here.channel())


def test_what_is_saved_up_may_be_taken_at_once_and_then_only_at_the_rate() -> None:
    clock = Clock()
    allowance = Allowance(5, clock)
    assert [allowance.take("ann") for _ in range(51)] == [True] * 50 + [False]
    assert allowance.take("bob")
    clock.now += 0.2
    assert [allowance.take("ann") for _ in range(2)] == [True, False]
    clock.now += 10 * BURST_S
    assert sum(allowance.take("ann") for _ in range(100)) == 50


def test_keys_that_ask_no_longer_are_forgotten() -> None:
    clock = Clock()
    allowance = Allowance(5, clock)
    for number in range(SWEPT):
        assert allowance.take(str(number))
    clock.now += 1
    assert allowance.take("late")
    assert len(allowance) == 1


def test_a_gate_counts_those_inside_and_lets_others_in_when_they_leave() -> None:
    gate = Gate("one caller", 2, 1_000, "wait")
    with ExitStack() as inside:
        for _ in range(2):
            inside.enter_context(gate.passed("ann"))
        with pytest.raises(Limit, match="over 2 calls of one caller at a time: wait"), gate.passed("ann"):
            pass
        with gate.passed("bob"):
            pass
    with gate.passed("ann"):
        pass


def test_an_address_may_call_more_often_than_one_account() -> None:
    limits = CallLimits(per_second=1)

    def taken(gate: Gate) -> int:
        count = 0
        try:
            while True:
                with gate.passed("here"):
                    count += 1
        except Limit:
            return count

    assert taken(limits.of_addresses()) >= 9 * taken(limits.of_callers())


async def test_too_many_calls_of_one_account_are_refused_and_its_stream_plays_on(redis_url: str) -> None:
    async with arena(redis_url, calls_per_second=1) as here:
        duel = await here.duel()
        token = here.tokens["owner-of-bot-one"]
        listing = next(method for method in METHODS if method.name == "ListBots")
        said = [await answer(here, listing, b"", token) for _ in range(20)]
        assert said[0] == "OK"
        assert "LIMIT" in said
        assert await answer(here, listing, b"", here.tokens["owner-of-bot-two"]) == "OK"
        await duel.play_out()


async def test_guessing_tokens_is_limited_before_anything_is_looked_up(redis_url: str) -> None:
    async with arena(redis_url, calls_per_second=1) as here:
        listing = next(method for method in METHODS if method.name == "ListBots")
        said = [await answer(here, listing, b"", f"targi_owner_{number:043d}") for number in range(150)]
        assert said[0] == "BAD_TOKEN"
        assert said[-1] == "LIMIT"


async def test_streams_of_one_address_are_limited(redis_url: str) -> None:
    async with arena(redis_url, calls_per_address=3) as here:
        for number in range(3):
            await here.connect(f"bot-{number}")
        last = here.client(await here.register("bot-last"))
        ended = await last.end()
        assert ended.reason == "LIMIT"
        assert "--trusted-proxy" in ended.words
        await here.clients[0].cut()
        await until_let_in(here, "bot-last")


async def until_let_in(here: Arena, bot: str) -> None:
    """The server learns of a broken stream in its own time."""
    async with asyncio.timeout(20):
        while True:
            client = here.client(here.tokens[bot])
            await client.send(hello=hello(session="session-of-the-last"))
            try:
                await client.next("welcome")
                return
            except AssertionError:
                assert client.ended is not None


def test_a_pace_lets_through_what_is_saved_up_and_then_waits() -> None:
    pace = Pace(100)
    waits = [pace.wait_s(50.0) for _ in range(150)]
    assert waits[:99] == [0.0] * 99
    assert waits[149] == pytest.approx(0.5)
    assert pace.wait_s(60.0) == 0.0


def test_many_at_once_cost_as_much_as_one_by_one() -> None:
    one_by_one, at_once = Pace(100), Pace(100)
    waits = [one_by_one.wait_s(50.0) for _ in range(150)]
    assert at_once.wait_s(50.0, 150) == pytest.approx(waits[-1])


async def test_the_intake_is_full_until_something_was_dealt_with() -> None:
    intake = Intake(capacity=2)
    for _ in range(2 + AT_ONCE):
        assert not intake.is_full
        intake.admit()
    waiting = asyncio.create_task(intake.room())
    await asyncio.sleep(0)
    assert intake.is_full and not waiting.done()
    intake.release(2)
    await waiting
    assert not intake.is_full


async def test_a_frame_that_takes_many_heartbeats_to_deal_with_is_no_silence(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=100) as here:
        flooder = await here.connect("flooder", capacity=1)
        flooder.pongs = False
        await flooder.send_all(*[play_pb2.BotEvent(ping=play_pb2.Ping())] * 4_000)
        for _ in range(4_000):
            await flooder.next("pong")


async def test_a_bot_that_floods_is_read_slowly_and_is_refused_nothing(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel, others = await here.duel(), await here.duel("bot-three", "bot-four")
        flooder = await here.connect("flooder", capacity=1)
        rate = A_SECOND + A_SECOND_AND_MATCH  # which also may come at once
        began = time.monotonic()
        for frame in range(60):
            pings = [play_pb2.BotEvent(ping=play_pb2.Ping(token=frame)) for _ in range(100)]
            await flooder.send_all(*pings)
        for _ in range(20):
            await duel.move()
        for _ in range(6_000):
            await flooder.next("pong")
        assert time.monotonic() - began > (6_000 - rate) / rate - 0.5
        await others.play_out()


async def test_a_flood_of_ones_own_delays_an_action_and_does_not_refuse_it(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        mover = duel.mover
        for _ in range(60):
            await mover.send_all(*[play_pb2.BotEvent(ping=play_pb2.Ping()) for _ in range(100)])
        await duel.move()
        assert "rejected" not in mover.kinds()
        await duel.play_out()


async def test_a_frame_of_a_megabyte_of_pings_holds_nobody_else_up(redis_url: str) -> None:
    async with arena(redis_url) as here:
        flooder, duel = await here.connect("flooder"), await here.duel()
        ping = play_pb2.BotEvent(ping=play_pb2.Ping())
        flooder.reading.clear()
        await flooder.send_all(*[ping] * 200_000)
        await duel.play_out()
        assert await is_answered(here)
        flooder.reading.set()


async def is_answered(here: Arena) -> bool:
    """Whether a call is answered although a flood is being read."""
    listing = next(method for method in METHODS if method.name == "ListOnline")
    return await answer(here, listing, b"") == "OK"


async def test_an_owner_may_register_so_many_bots(redis_url: str) -> None:
    async with arena(redis_url, bots_per_owner=2) as here:
        await here.register("taken")
        owner = bearer(await here.service.parts.accounts.create_owner("alice", None, "here"))

        async def register(bot: str) -> str:
            try:
                await accounts(here).RegisterBot(
                    account_service_pb2.RegisterBotRequest(bot=bot), metadata=owner
                )
            except grpc.aio.AioRpcError as error:
                return reason_of(error)
            return "OK"

        names = ("taken", "taken", "alba", "alba", "bora", "cleo")
        said = ["NAME_TAKEN", "NAME_TAKEN", "OK", "NAME_TAKEN", "OK", "LIMIT"]
        assert [await register(name) for name in names] == said


async def test_registration_is_limited_by_address_not_by_what_the_caller_says(redis_url: str) -> None:
    async with arena(redis_url, registrations_per_hour=2) as here:
        said = []
        for number in range(3):
            request = account_service_pb2.CreateOwnerRequest(owner=f"owner-{number}")
            forwarded = (("x-forwarded-for", f"192.0.2.{number}"),)
            try:
                await accounts(here).CreateOwner(request, metadata=forwarded)
                said.append("OK")
            except grpc.aio.AioRpcError as error:
                said.append(reason_of(error))
        assert said == ["OK", "OK", "LIMIT"]


async def test_behind_a_trusted_proxy_each_client_has_an_allowance_of_its_own(redis_url: str) -> None:
    async with arena(redis_url, registrations_per_hour=1, trusted_proxy=("127.0.0.0/8",)) as here:
        for number in range(3):
            request = account_service_pb2.CreateOwnerRequest(owner=f"owner-{number}")
            forwarded = (("x-forwarded-for", f"192.0.2.{number}"),)
            await accounts(here).CreateOwner(request, metadata=forwarded)
