"""Bots that are gone when their match begins, by themselves or through the server's doing."""

import asyncio
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import grpc
import pytest
from other_replica import OtherReplica, other_replica
from play_client import WITHIN_S, Arena, PlayClient, arena, until
from targi.v1 import game_pb2, match_service_pb2, play_pb2
from targi_server.lobby.offers import Offers
from targi_server.match.incidents import Incident, IncidentKind
from targi_server.match.model import Live
from targi_server.play.seating import Seating

ONE, TWO = BOTS = "bot-one", "bot-two"
SEAT = {bot: seat for seat, bot in enumerate(BOTS)}


@pytest.fixture
async def here(redis_url: str) -> AsyncIterator[Arena]:
    async with arena(redis_url) as made:
        yield made


async def take(client: PlayClient) -> str:
    """Say Ready to the offer that comes; the id of its match."""
    offer = await client.next("offer")
    await client.send(ready=play_pb2.Ready(offer_id=offer.offer_id, nonce=secrets.token_bytes(32)))
    return str(offer.match_ids[0])


async def come(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait for something that comes about inside the server, where nothing tells of it."""
    async with asyncio.timeout(WITHIN_S):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def taken(here: Arena, offer_id: str, bot: str) -> None:
    """Wait until the Ready of a bot is noted."""

    async def is_noted() -> bool:
        offer = await here.service.parts.lobby.offers.load(offer_id)
        return offer is not None and bool(offer.answers[SEAT[bot]].nonce)

    await come(is_noted)


async def seen_off(here: Arena, bot: str) -> None:
    """Wait until a bot is connected nowhere."""

    async def is_gone() -> bool:
        return await here.service.parts.lobby.presence.of(bot) is None

    await come(is_gone)


async def live(here: Arena, match_id: str) -> Live:
    stored = await here.service.store.matches.load(match_id)
    assert stored is not None
    return stored.live


async def uncredited(here: Arena, match_id: str, bot: str) -> None:
    """Wait until the absence of a bot is its own."""

    async def is_its_own() -> bool:
        return not (await live(here, match_id)).seats[SEAT[bot]].credited

    await come(is_its_own)


async def story(here: Arena, match_id: str, bot: str) -> list[Incident]:
    told = await here.service.store.matches.story(match_id, 0, 0)
    return [incident for incident in told if incident.seat == SEAT[bot]]


@pytest.mark.parametrize("gone", BOTS)
async def test_a_bot_that_leaves_after_its_ready_is_away_on_its_own_account_from_the_start(
    here: Arena, gone: str
) -> None:
    clients = {bot: await here.connect(bot) for bot in BOTS}
    offer_id = await here.offer(*BOTS)
    stays = TWO if gone == ONE else ONE
    await take(clients[gone])
    await taken(here, offer_id, gone)
    await here.leave(clients[gone], gone)
    match_id = await take(clients[stays])
    await clients[stays].told(match_id)
    now = await live(here, match_id)
    assert [seat.credited for seat in now.seats] == [False, False]
    assert [seat.connected for seat in now.seats] == [bot == stays for bot in BOTS]
    if now.seat == SEAT[gone]:
        assert now.credit_ms < 1_000  # its clock runs, too
    (departed,) = await story(here, match_id, gone)
    assert departed.kind is IncidentKind.DEPARTED
    assert departed.words == (
        f"seat {SEAT[gone]} is gone: its connection ended before it sat down"
        " (60.000 s of 60.000 s disconnect budget are left)"
    )


async def test_a_bot_that_leaves_before_it_sits_down_loses_by_its_budget_like_any_other(
    redis_url: str,
) -> None:
    async with arena(redis_url, disconnect_budget_ms=500) as here:
        one, two = [await here.connect(bot) for bot in BOTS]
        offer_id = await here.offer(*BOTS, times=(60_000, 1_000, 500))
        await take(one)
        await taken(here, offer_id, ONE)
        await here.leave(one, ONE)
        await take(two)
        outcome = (await two.next("match_ended")).outcome
        assert outcome.termination == game_pb2.TERMINATION_ABANDONED
        assert outcome.culprit == game_pb2.CULPRIT_SEAT0
        assert outcome.result == game_pb2.RESULT_SEAT1_WINS


async def test_a_bot_whose_stream_is_seen_off_after_its_match_began_is_away_on_its_own_account(
    here: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_down = Seating.sit_down

    async def all_but_one(seating: Seating, session: object, match_id: str) -> bool:
        return session.bot != ONE and await sit_down(seating, session, match_id)  # type: ignore

    monkeypatch.setattr(Seating, "sit_down", all_but_one)
    one, two = [await here.connect(bot) for bot in BOTS]
    await here.offer(*BOTS)
    await take(one)
    match_id = await take(two)
    await two.told(match_id)
    assert (await live(here, match_id)).seats[0].credited  # the server has not seated it yet
    await here.leave(one, ONE)
    await uncredited(here, match_id, ONE)
    assert [incident.kind for incident in await story(here, match_id, ONE)] == [IncidentKind.DEPARTED]


async def test_a_bot_that_comes_back_before_its_match_begins_has_not_left(here: Arena) -> None:
    one, two = [await here.connect(bot) for bot in BOTS]
    offer_id = await here.offer(*BOTS)
    await take(one)
    await taken(here, offer_id, ONE)
    await here.leave(one, ONE)
    again = await here.connect(ONE)
    match_id = await take(two)
    await again.told(match_id)
    assert (await live(here, match_id)).seats[0].used_ms == 0
    assert await story(here, match_id, ONE) == []


async def test_two_bots_that_leave_after_their_ready_are_both_to_blame(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    are_gone, begin = asyncio.Event(), Offers._begin

    async def begin_late(offers: Offers, *arguments: object, **fields: object) -> None:
        await are_gone.wait()
        await begin(offers, *arguments, **fields)  # type: ignore

    monkeypatch.setattr(Offers, "_begin", begin_late)
    async with arena(redis_url) as here:
        clients = [await here.connect(bot) for bot in BOTS]
        offer_id = await here.offer(*BOTS, times=(60_000, 1_000, 500))
        match_id, _ = [await take(client) for client in clients]
        for client, bot in zip(clients, BOTS, strict=True):
            await taken(here, offer_id, bot)
            await here.leave(client, bot)
        are_gone.set()
        await come(lambda: here.service.store.matches.load(match_id))
        await here.filed(match_id)
        request = match_service_pb2.GetMatchRequest(match_id=match_id)
        outcome = (await here.stub.GetMatch(request)).match.outcome
        assert outcome.result == game_pb2.RESULT_NO_CONTEST
        assert outcome.termination == game_pb2.TERMINATION_ABANDONED
        assert outcome.culprit == game_pb2.CULPRIT_BOTH


async def test_a_bot_whose_server_drains_between_its_ready_and_its_match_is_credited(redis_url: str) -> None:
    async with arena(redis_url, replica="left") as left, arena(redis_url, replica="right") as right:
        right.tokens = left.tokens
        one, two = await right.connect(ONE), await left.connect(TWO)
        offer_id = await left.offer(*BOTS)
        await take(one)
        await taken(left, offer_id, ONE)
        await right.service.room.host.drain(0.0)
        await one.end()
        await until(lambda: not len(right.service.room.sessions))
        await seen_off(left, ONE)
        match_id = await take(two)
        await two.told(match_id)
        seat = (await live(left, match_id)).seats[0]
        assert not seat.connected and seat.credited
        assert await story(left, match_id, ONE) == []


async def ready_at(here: Arena, other: OtherReplica) -> PlayClient:
    """The first bot, connected to the other server process, after its Ready."""
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{other.port}")
    one = PlayClient(channel, await here.register(ONE))
    here.channels.append(channel)
    here.clients.append(one)
    await one.hello()
    offer_id = await here.offer(*BOTS)
    await take(one)
    await taken(here, offer_id, ONE)
    return one


async def test_a_bot_whose_server_is_killed_between_its_ready_and_its_match_is_credited(
    here: Arena, redis_url: str, tmp_path: Path
) -> None:
    two = await here.connect(TWO)
    with other_replica(redis_url, tmp_path) as other:
        one = await ready_at(here, other)
        other.process.kill()
        await one.end()
        match_id = await take(two)
        await two.told(match_id)
        assert (await live(here, match_id)).seats[0].credited
        again = await here.connect(ONE)
        await again.told(match_id)
        assert (await live(here, match_id)).seats[0].used_ms == 0


async def test_a_bot_that_gives_up_on_a_server_that_stands_still_is_credited(
    here: Arena, redis_url: str, tmp_path: Path
) -> None:
    two = await here.connect(TWO)
    with other_replica(redis_url, tmp_path) as other:
        one = await ready_at(here, other)
        other.process.send_signal(signal.SIGSTOP)
        try:
            stopped_ms = here.service.store.matches.now_ms()
            await one.cut()
            match_id = await take(two)
            await two.told(match_id)
            await until(lambda: here.service.store.matches.now_ms() > stopped_ms + 2_500)
        finally:
            other.process.send_signal(signal.SIGCONT)
        await seen_off(here, ONE)
        assert other.leaves("running") == 0  # it has dealt with the end of the stream

        async def is_gone() -> bool:
            return not (await live(here, match_id)).seats[0].connected

        await come(is_gone)
        assert (await live(here, match_id)).seats[0].credited
