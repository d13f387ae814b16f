"""What is no message, no Hello and no token: what it is told, and that nobody else notices."""

import grpc
import pytest
from duel import Duel
from play_client import Arena, act, arena, hello
from rejections import rejection
from targi.v1 import play_pb2

BAD_FRAME = b"\xff\xff no message of anything"


async def test_a_frame_that_does_not_parse_is_told_and_forgotten(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(9):
            await duel.mover.write(BAD_FRAME)
            rejected = await rejection(duel.mover, "MALFORMED")
            assert (rejected.match_id, rejected.strikes) == ("", 0)
        await duel.move()
        await duel.move()


async def test_ten_bad_frames_in_a_row_end_the_stream(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await client.write(BAD_FRAME)
        await client.send(ping=play_pb2.Ping(token=1))
        for _ in range(10):
            await client.write(BAD_FRAME)
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        assert client.kinds().count("rejected") == 11


async def test_an_event_of_a_kind_to_come_is_told_and_the_rest_of_its_frame_counts(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await client.send_all(play_pb2.BotEvent(), play_pb2.BotEvent(ping=play_pb2.Ping(token=5)))
        await rejection(client, "MALFORMED")
        assert (await client.next("pong")).token == 5


async def test_a_frame_over_the_limit_is_told_and_the_stream_goes_on(redis_url: str) -> None:
    async with arena(redis_url, max_frame_bytes=4_096) as here:
        client = await here.connect("bot-one")
        await client.write(b"\0" * 5_000)
        assert "4096" in (await rejection(client, "TOO_LARGE")).words
        await client.send(ping=play_pb2.Ping(token=5))
        assert (await client.next("pong")).token == 5


async def test_a_frame_far_over_the_limit_ends_the_stream(redis_url: str) -> None:
    async with arena(redis_url, max_frame_bytes=4_096) as here:
        client = await here.connect("bot-one")
        await client.write(b"\0" * 50_000)
        ended = await client.end()
        assert ended.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "50000" in ended.words


async def test_hello_comes_once(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = await here.connect("bot-one")
        await client.send(hello=hello())
        await rejection(client, "PROTOCOL")
        await client.send(ping=play_pb2.Ping(token=5))
        assert (await client.next("pong")).token == 5


async def test_hello_comes_first(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = here.client(await here.register("bot-one"))
        await client.send(ping=play_pb2.Ping(token=5))
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "PROTOCOL")


async def test_a_hello_with_a_bad_field_names_it(redis_url: str) -> None:
    async with arena(redis_url) as here:
        client = here.client(await here.register("bot-one"))
        await client.send(hello=hello(session="short"))
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")
        assert "session" in ended.words


@pytest.mark.parametrize("token", ["", "no token", "targi_bot_" + "x" * 43])
async def test_without_a_good_token_there_is_no_stream(redis_url: str, token: str) -> None:
    async with arena(redis_url) as here:
        client = here.client(token)
        ended = await client.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN")


async def test_an_owners_token_does_not_play(redis_url: str) -> None:
    async with arena(redis_url) as here:
        await here.register("bot-one")
        ended = await here.client(here.tokens["owner-of-bot-one"]).end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.PERMISSION_DENIED, "FORBIDDEN")


async def misbehave(here: Arena, duel: Duel) -> None:
    """Everything that a bot should not send, from a third one."""
    bad = await here.connect("bot-bad")
    for frame in (BAD_FRAME, b"", b"\0" * 2_000_000):
        await bad.write(frame)
    events = [
        play_pb2.BotEvent(act=act(duel.match_id, 0, 1)),
        play_pb2.BotEvent(act=act("x" * 10_000, 2**31, *[2**31] * 10)),
        play_pb2.BotEvent(bot_error=play_pb2.BotError(match_id=duel.match_id, text="x" * 10_000)),
        play_pb2.BotEvent(hold=play_pb2.Hold(match_id=duel.match_id)),
        play_pb2.BotEvent(pong=play_pb2.Pong(token=2**63)),
        play_pb2.BotEvent(decline=play_pb2.Decline(offer_id="x" * 10_000)),
    ]
    await bad.send_all(*events * 20)
    for _ in range(4 * 20):
        await bad.next("rejected")
    await bad.cut()


async def test_nobody_else_is_disturbed(redis_url: str) -> None:
    async with arena(redis_url) as here:
        duel = await here.duel()
        for _ in range(5):
            await duel.move()
        await misbehave(here, duel)
        first, second = await duel.play_out()
        assert first == second
        assert first.outcome.termination == 1
        for client in duel.clients:
            assert "rejected" not in client.kinds()
