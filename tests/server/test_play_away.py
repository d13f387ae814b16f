"""Silence, slow readers, and the end of the server."""

import asyncio
import time

import grpc
import pytest
from play_client import WITHIN_S, Arena, PlayClient, arena, hello, until
from targi.v1 import play_pb2, reason_pb2
from targi_server.lobby.presence import Arrival, Claim
from targi_server.lobby.terms import Times
from targi_server.play.encoding import encoded
from targi_server.play.intake import Pace
from targi_server.play.outbox import Outbox


async def test_both_sides_may_ask_for_a_sign_of_life(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=100) as here:
        client = await here.connect("bot-one")
        await client.send(ping=play_pb2.Ping(token=2**63))
        assert (await client.next("pong")).token == 2**63
        session = here.service.room.sessions.get("bot-one")
        assert session is not None
        await until(lambda: len(client.frames) > 8)
        assert client.ended is None


async def test_a_silent_bot_is_taken_for_gone(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=100) as here:
        client = await here.connect("bot-one")
        client.pongs = False
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE")
        assert "heartbeat" in ended.words
        await until(lambda: not len(here.service.room.sessions))


async def test_on_its_own_turn_the_clock_judges_a_silent_bot(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=100) as here:
        duel = await here.duel()
        mover = duel.mover
        for client in duel.clients:
            client.pongs = False
        await duel.waiter.end()
        assert mover.ended is None
        await duel.mover.act(duel.match_id, 0, duel.state.legal_actions()[0])
        assert (await mover.next("applied")).taken == 1


async def test_a_flag_that_falls_ends_the_match_for_both(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(300, 0, 60_000))
        first, second = [await client.next("match_ended") for client in duel.clients]
        assert first == second
        assert (first.outcome.termination, first.outcome.culprit) == (3, 2 + duel.state.current_seat)


async def flood(outbox: Outbox, client: PlayClient) -> None:
    """Ask for Pongs and read none until the server has enough; then read how it ended."""
    client.reading.clear()
    ping = play_pb2.BotEvent(ping=play_pb2.Ping(token=2**63))

    async def pour() -> None:
        while not outbox.closed:
            await client.send_all(*[ping] * 500)

    pouring = asyncio.create_task(pour())
    await until(lambda: outbox.closed)
    # The status waits behind what was not read, and a write that is under way waits for the status.
    client.reading.set()
    await asyncio.wait_for(asyncio.gather(pouring, return_exceptions=True), WITHIN_S)


async def slow_reader(here: Arena, bot: str) -> tuple[PlayClient, Outbox]:
    """A bot with a small window, whose connection holds little of what it does not read; and its queue."""
    channel = here.channel(("grpc.http2.bdp_probe", 0))
    client = PlayClient(channel, await here.register(bot))
    here.clients.append(client)
    client.pongs = False  # grpc reports a write to a stream that has ended in place of how it ended
    await client.hello()
    session = here.service.room.sessions.get(bot)
    assert session is not None
    return client, session.outbox


async def test_who_does_not_read_is_cut_off_and_nobody_else(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel, (slow, outbox) = await here.duel(), await slow_reader(here, "bot-slow")
        await flood(outbox, slow)
        ended = await slow.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")
        for _ in range(10):
            await duel.move()


async def test_who_does_not_read_is_told_so_while_its_own_flood_waits(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    wait_s = Pace.wait_s

    def observed(pace: Pace, now: float, count: int = 1) -> float:
        waits.append(wait_s(pace, now, count))
        return 3_600.0 if waits[-1] else 0.0

    monkeypatch.setattr(Pace, "wait_s", observed)
    async with arena(redis_url, queue_limit=10_000) as here:
        slow, outbox = await slow_reader(here, "bot-slow")
        slow.reading.clear()
        ping = play_pb2.BotEvent(ping=play_pb2.Ping())
        await slow.send_all(*[ping] * 10_000)
        await until(lambda: waits and waits[-1])
        for _ in range(20_000):  # what others do fills the queue of a bot that is not read from for an hour
            outbox.push(encoded("notice", play_pb2.Notice(words="news").SerializeToString()))
        slow.reading.set()
        ended = await slow.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")


async def test_a_stop_tells_everybody_and_lets_nobody_in(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        await duel.move()
        drain = asyncio.create_task(here.service.room.host.drain(0.5))
        for client in duel.clients:
            assert (await client.next("draining")).grace_ms == 500
        late = here.client(await here.register("bot-late"))
        await late.send(hello=hello())
        refused = await late.end()
        assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        for client in duel.clients:
            assert (await client.end()).reason == "DRAINING"
        await drain


async def test_a_match_goes_on_after_the_server_was_started_anew(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(7):
            await duel.move()
        tokens = here.tokens
    async with arena(redis_url) as there:
        there.tokens = tokens
        duel.clients = [await there.connect("bot-one"), await there.connect("bot-two")]
        for client in duel.clients:
            await client.told(duel.match_id)
        first, second = await duel.play_out()
        assert first == second
        assert first.outcome.termination == 1


async def test_an_answer_after_the_flag_fell_loses_on_time(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel(times=Times(150, 0, 60_000))
        clock, mover = here.service.store.matches, duel.mover
        fallen_ms = clock.now_ms(duel.match_id) + 300
        await until(lambda: clock.now_ms(duel.match_id) > fallen_ms)
        await mover.act(duel.match_id, 0, duel.state.legal_actions()[0])
        ended = await mover.next("match_ended")
        assert ended.outcome.termination == 3
        assert (await mover.next("rejected")).reason == reason_pb2.REASON_MATCH_OVER
        assert await duel.waiter.next("match_ended") == ended


async def test_a_stream_that_breaks_while_it_is_let_in_leaves_no_claim(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena(redis_url) as here:
        presence = here.service.parts.lobby.presence
        claim, claiming, go_on = presence.claim, asyncio.Event(), asyncio.Event()

        async def slow_claim(arrival: Arrival) -> Claim:
            claimed = await claim(arrival)
            claiming.set()
            await go_on.wait()
            return claimed

        monkeypatch.setattr(presence, "claim", slow_claim)
        client = here.client(await here.register("bot-one"))
        await client.send(hello=hello())
        await claiming.wait()
        assert await presence.of("bot-one") is not None
        await client.cut()
        streams = here.service.metrics.streams
        await until(lambda: streams._value.get() == 0)
        go_on.set()
        while await presence.of("bot-one") is not None:  # noqa: ASYNC110 (Redis has no event for it)
            await asyncio.sleep(0.01)
        assert not len(here.service.room.sessions)


async def test_a_server_that_stood_still_does_not_take_its_bots_for_gone(redis_url: str) -> None:
    async with arena(redis_url, heartbeat_ms=400) as here:
        duel = await here.duel()
        for _ in range(3):
            time.sleep(1.2)  # noqa: ASYNC251 (the loop stands still, as after SIGSTOP)
            await duel.move()
        assert all(client.ended is None for client in duel.clients)
