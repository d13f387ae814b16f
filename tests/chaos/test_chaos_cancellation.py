"""Calls that are cancelled at random while they wait for Redis: nobody ever gets another's reply.

A known fault of asynchronous Redis clients: a call that is cancelled between its command and the reply leaves
the reply on the connection, and the next call takes it for its own. So calls of all kinds run at once against
a Redis that stops again and again, half of them are cancelled or run out of time, and each answer that comes
must belong to its question.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import pytest
import redis.asyncio
from duel import Duel
from match_log import digest_of, header
from play_client import Arena, Message, arena, bearer, reason_of
from redis_server import RedisServer
from targi.v1 import account_service_pb2, account_service_pb2_grpc, match_service_pb2, match_service_pb2_grpc
from targi_server.store.answers import Append, Committed, Repeat
from targi_server.store.keys import area_key
from targi_server.store.matches import MatchStore
from targi_server.store.opening import Store, open_store
from targi_server.store.replies import number

STALL_MS = 30
"""How long Redis answers nobody each time."""
PATIENCE_S = 0.05
"""Calls that are given up are so after this time at most."""
MATCHES = 8
WITHIN_S = 200.0
"""A reply that went to somebody else leaves its caller waiting for good."""

Ask: TypeAlias = Callable[[float | None], Awaitable[None]]
"""Asks one thing, with a deadline in seconds or none, and checks the answer. Raises TimeoutError."""


@pytest.fixture
def slow_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A server of the test's own, to be slowed down."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


@asynccontextmanager
async def stalling(server: RedisServer) -> AsyncIterator[None]:
    """Redis lets everybody wait, again and again."""

    async def stall() -> None:
        async with redis.asyncio.Redis.from_url(server.url) as client:
            while True:
                await client.client_pause(STALL_MS)
                await asyncio.sleep(STALL_MS / 1_000)

    task = asyncio.create_task(stall())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@dataclass
class Questions:
    """What one caller asks again and again, and how often it was answered and given up."""

    kinds: dict[str, Ask]
    chance: random.Random
    answered: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)

    async def ask(self, rounds: int) -> None:
        """Asks anything `rounds` times; half of it is given up at a random moment."""
        for _ in range(rounds):
            kind = self.chance.choice(list(self.kinds))
            limit_s = self.chance.uniform(0, PATIENCE_S)
            cancel_s, deadline_s = self.chance.choice(
                ((limit_s, None), (None, limit_s), (None, None), (None, None))
            )
            try:
                async with asyncio.timeout(cancel_s):
                    await self.kinds[kind](deadline_s)
            except TimeoutError:
                self.given_up[kind] += 1
            else:
                self.answered[kind] += 1


def check_counts(callers: list[Questions], kinds: int) -> None:
    """Much of every kind was answered, and much given up."""
    answered: Counter[str] = sum((caller.answered for caller in callers), Counter())
    given_up: Counter[str] = sum((caller.given_up for caller in callers), Counter())
    assert len(answered) == len(given_up) == kinds, (answered, given_up)
    assert min(answered.values()) > 5 and min(given_up.values()) > 5, (answered, given_up)


@dataclass
class Writer:
    """Plays a match of its own and reads it. An answer that was given up is sent again, as bots do."""

    store: MatchStore
    match_id: str
    actions: list[int] = field(default_factory=list)

    async def act(self, deadline_s: float | None = None) -> None:
        ply = len(self.actions)
        action = (ply * 7 + int(self.match_id, 16)) % 500
        request = Append(
            self.match_id,
            ply,
            0,
            (action,),
            digest_of((action,)),
            1,
            self.store.now_ms(self.match_id),
            0,
            False,
            next_seat=0,
        )
        async with asyncio.timeout(deadline_s):
            answer = await self.store.append(request)
        first = answer.first if isinstance(answer, Repeat) else answer
        assert isinstance(first, Committed), answer
        assert first.ply == ply and [entry.action for entry in first.entries] == [action]
        self.actions.append(action)


def of_the_store(store: Store, writer: Writer, name: str) -> dict[str, Ask]:
    """What a caller asks the store, each with a check that the answer is its own."""

    async def load(deadline_s: float | None) -> None:
        async with asyncio.timeout(deadline_s):
            stored = await store.matches.load(writer.match_id)
        assert stored is not None and stored.header.match_id == writer.match_id

    async def get(deadline_s: float | None) -> None:
        async with asyncio.timeout(deadline_s):
            reply = await store.commands.command("GET", area_key("test", name, "value"))
        assert number(reply) == int(name)

    async def headers(deadline_s: float | None) -> None:
        async with asyncio.timeout(deadline_s):
            found = await store.matches.headers([writer.match_id] * 2)
        assert [head.match_id for head in found] == [writer.match_id] * 2

    async def nothing(deadline_s: float | None) -> None:
        async with asyncio.timeout(deadline_s):
            stored = await store.matches.load("0" * 16)
        assert stored is None

    return {"act": writer.act, "load": load, "get": get, "headers": headers, "nothing": nothing}


@pytest.mark.parametrize(
    ("callers", "rounds"), [(60, 6), pytest.param(200, 40, marks=pytest.mark.full)], ids=["quick", "long"]
)
async def test_the_store_never_gives_one_caller_what_another_asked(
    slow_redis: RedisServer, callers: int, rounds: int
) -> None:
    async with open_store(slow_redis.url, replica="one") as store:
        writers, all_questions = [], []
        for n in range(callers):
            head = header()
            assert await store.matches.create(head, seat=0)
            await store.commands.command("SET", area_key("test", str(n), "value"), n)
            writers.append(Writer(store.matches, head.match_id))
            kinds = of_the_store(store, writers[-1], str(n))
            all_questions.append(Questions(kinds, random.Random(n)))
        async with stalling(slow_redis), asyncio.timeout(WITHIN_S):
            await asyncio.gather(*(each.ask(rounds) for each in all_questions))
        check_counts(all_questions, 5)
        for writer in writers:
            await writer.act()
            stored = await store.matches.load(writer.match_id)
            assert stored is not None
            assert [entry.action for entry in stored.entries] == writer.actions


async def within(call: Any, request: Message, deadline_s: float | None, **more: Any) -> Any:
    """A call with the client's own deadline. Raises TimeoutError when it is over."""
    try:
        return await call(request, timeout=deadline_s, **more)
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            raise TimeoutError from error
        raise


def of_the_server(here: Arena, duel: Duel, bots: list[str]) -> dict[str, Ask]:
    """What a caller asks the server about its own match and bots, each with a check of the answer."""
    channel, me = here.channel(), bearer(here.tokens[bots[0]])
    # The stubs' asynchronous form exists in annotations only.
    match: Any = match_service_pb2_grpc.MatchServiceStub(channel)
    account: Any = account_service_pb2_grpc.AccountServiceStub(channel)

    async def get_match(deadline_s: float | None) -> None:
        request = match_service_pb2.GetMatchRequest(match_id=duel.match_id)
        found = (await within(match.GetMatch, request, deadline_s, metadata=me)).match
        assert found.match_id == duel.match_id
        assert [seat.bot for seat in found.seats] == bots

    async def list_matches(deadline_s: float | None) -> None:
        request = match_service_pb2.ListMatchesRequest(bot=bots[0])
        found = (await within(match.ListMatches, request, deadline_s, metadata=me)).matches
        assert [each.match_id for each in found] == [duel.match_id]

    async def list_bots(deadline_s: float | None) -> None:
        token = here.tokens[f"owner-of-{bots[1]}"]
        request = account_service_pb2.ListBotsRequest()
        answer = await within(account.ListBots, request, deadline_s, metadata=bearer(token))
        assert [each.bot for each in answer.bots] == [bots[1]]

    async def nothing(deadline_s: float | None) -> None:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            request = match_service_pb2.GetMatchRequest(match_id="0" * 16)
            await within(match.GetMatch, request, deadline_s, metadata=me)
        assert reason_of(caught.value) == "NOT_FOUND"

    return {"match": get_match, "matches": list_matches, "bots": list_bots, "nothing": nothing}


@pytest.mark.parametrize(
    ("callers", "rounds"), [(2, 8), pytest.param(12, 40, marks=pytest.mark.full)], ids=["quick", "long"]
)
async def test_the_server_never_gives_one_caller_what_another_asked(
    slow_redis: RedisServer, callers: int, rounds: int
) -> None:
    async with arena(slow_redis.url, calls_per_second=1_000_000) as here:
        duels, all_questions = [], []
        for n in range(MATCHES):
            bots = [f"bot-{n}-one", f"bot-{n}-two"]
            duels.append(await here.duel(*bots))
            for k in range(callers):
                chance = random.Random(f"{n} {k}")
                all_questions.append(Questions(of_the_server(here, duels[-1], bots), chance))
        async with stalling(slow_redis), asyncio.timeout(WITHIN_S):
            playing = [asyncio.create_task(play_on(duel)) for duel in duels]
            await asyncio.gather(*(each.ask(rounds) for each in all_questions))
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
        assert not [each for each in ended if isinstance(each, Exception)], ended
        check_counts(all_questions, 4)


async def play_on(duel: Duel) -> None:
    """Moves to the end; `Duel` checks that both bots are told the same, and what was asked for."""
    while not duel.state.is_over:
        await duel.move()
