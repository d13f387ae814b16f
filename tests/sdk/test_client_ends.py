"""How a client ends: by leaving, by being replaced, and when it cannot play at all."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import psutil
import pytest
from certificates import CERTIFICATE
from fake_arena import PATIENCE_S, FakeArena, FakeMatch, fake_arena, offer, welcome
from targi.v1 import play_pb2 as pb
from targi_sdk.client import Address, Kind, News, Summary
from targi_sdk.errors import (
    BadTokenError,
    RefusedError,
    ReplacedError,
    UnreachableError,
    VersionError,
)
from trial_bots import First

Launch = Callable[..., "asyncio.Task[Summary]"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


@pytest.mark.parametrize(
    ("code", "reason", "error", "words"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN", BadTokenError, "does not accept the token"),
        (grpc.StatusCode.UNAUTHENTICATED, "", BadTokenError, "does not accept the token"),
        (grpc.StatusCode.PERMISSION_DENIED, "BOT_PAUSED", RefusedError, "said"),
        (grpc.StatusCode.FAILED_PRECONDITION, "VERSION_MISMATCH", VersionError, "said"),
        (grpc.StatusCode.INVALID_ARGUMENT, "INVALID", RefusedError, "said"),
        (grpc.StatusCode.UNIMPLEMENTED, "", RefusedError, "is it an arena"),
    ],
)
async def test_a_refusal_that_trying_again_does_not_change_ends_the_client(
    arena: FakeArena,
    launch: Launch,
    code: grpc.StatusCode,
    reason: str,
    error: type[RefusedError],
    words: str,
) -> None:
    client = launch(First)
    line = await arena.line()
    line.end(code, reason, "said")
    with pytest.raises(error, match=words) as caught:
        await client
    assert caught.value.reason == (reason or {"UNAUTHENTICATED": "BAD_TOKEN"}.get(code.name, code.name))


async def test_a_server_with_other_rules_is_named_with_both_versions(
    arena: FakeArena, launch: Launch
) -> None:
    client = launch(First)
    line = await arena.line()
    await line.hear("hello")
    await line.say(welcome(rules=99))
    with pytest.raises(VersionError, match=r"version 99, this SDK \(.*\) version 1"):
        await client


async def test_a_takeover_that_comes_too_early_is_tried_again(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line = await arena.line()
    line.end(grpc.StatusCode.RESOURCE_EXHAUSTED, "TAKEOVER_LIMIT", "wait")
    await (await arena.line()).hear("hello")


async def test_nobody_at_the_address_is_said_in_words(launch: Launch) -> None:
    with pytest.raises(UnreachableError, match=r"nobody listens at .*targi serve"):
        await launch(First, server=f"127.0.0.1:{free_port()}", patience_s=0)


async def test_an_unknown_host_is_said_in_words(launch: Launch) -> None:
    with pytest.raises(UnreachableError, match=r"there is no host 'arena\.invalid'"):
        await launch(First, server="arena.invalid:7400", patience_s=0)


async def test_a_listener_that_is_no_arena_is_said_in_words(launch: Launch) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError, match="does not answer as an arena"):
            await launch(First, server=f"127.0.0.1:{port}", patience_s=0)


@pytest.fixture
async def secure_arena() -> AsyncIterator[FakeArena]:
    async with fake_arena(tls=True) as running:
        yield running


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    path.write_bytes(CERTIFICATE)
    return path


async def test_an_encrypted_arena_is_played_on_with_its_authority(
    secure_arena: FakeArena, launch: Launch, authority: Path
) -> None:
    launch(First, server=Address.parse(secure_arena.address, authority))
    await (await secure_arena.line()).hear("hello")


async def test_plain_words_to_an_encrypted_arena_are_explained(
    secure_arena: FakeArena, launch: Launch
) -> None:
    with pytest.raises(UnreachableError, match=r"expects TLS: write grpcs://127\.0\.0\.1"):
        await launch(First, server=secure_arena.address, patience_s=0)


async def test_a_certificate_that_nobody_vouches_for_is_explained(
    secure_arena: FakeArena, launch: Launch
) -> None:
    with pytest.raises(UnreachableError, match=r"is not trusted .*--ca"):
        await launch(First, server=f"grpcs://{secure_arena.address}", patience_s=0)


async def test_tls_to_a_plain_arena_is_explained(arena: FakeArena, launch: Launch) -> None:
    with pytest.raises(UnreachableError, match="does not speak TLS"):
        await launch(First, server=f"grpcs://{arena.address}", patience_s=0)


@asynccontextmanager
async def bot_process(arena: FakeArena, tmp_path: Path, bot: str = "First") -> AsyncIterator[Process]:
    """`targi bot run` as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "targi_sdk.cli", "bot", "run", f"trial_bots:{bot}"),
        *("--server", arena.address, "--name", "trial"),
        cwd=Path(__file__).parents[1] / "support",
        env={"TARGI_HOME": str(tmp_path), "TARGI_TOKEN": "secret"},
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(process: Process) -> tuple[int | None, str, str]:
    out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, out.decode(), err.decode()


async def test_the_command_ends_with_75_when_replaced(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.welcomed()
        line.end(grpc.StatusCode.ABORTED, "REPLACED", "a newer session took over")
        code, _, err = await ended(process)
    assert code == 75
    assert "another process plays this bot now" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_one_signal_leaves_and_finishes_what_runs(
    arena: FakeArena, tmp_path: Path, number: signal.Signals
) -> None:
    async with bot_process(arena, tmp_path) as process:
        line, match = await arena.welcomed(), FakeMatch()
        await line.say(match.started())
        act = (await line.hear("act")).act
        process.send_signal(number)
        await line.hear("leave")
        await line.say(*match.answer(act))
        await line.hear("act")
        await line.say(match.ended("1-0", "resigned", "1"))
        line.end()
        code, out, err = await ended(process)
    assert code == 0
    assert out == "1 matches: 1 won, 0 drawn, 0 lost, 0 void\n"
    assert "leaving after 1 running matches" in err


async def test_a_second_signal_stops_at_once(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.welcomed()
        await line.say(FakeMatch().started())
        await line.hear("act")
        process.send_signal(signal.SIGINT)
        await line.hear("leave")
        process.send_signal(signal.SIGINT)
        code, _, err = await ended(process)
    assert code == 130
    assert "Traceback" not in err


async def test_no_worker_outlives_a_client_that_is_killed(arena: FakeArena, tmp_path: Path) -> None:
    async with bot_process(arena, tmp_path, "Stuck") as process:
        line = await arena.welcomed()
        await line.say(FakeMatch("a" * 16).started())
        await line.settle()
        workers = psutil.Process(process.pid).children(recursive=True)
        assert workers
        process.kill()
        await process.wait()
    _, alive = await asyncio.to_thread(psutil.wait_procs, workers, PATIENCE_S)
    assert not alive


async def test_the_command_says_in_one_line_what_is_wrong_with_the_token(
    arena: FakeArena, tmp_path: Path
) -> None:
    async with bot_process(arena, tmp_path) as process:
        line = await arena.line()
        line.end(grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN", "nobody has this token")
        code, _, err = await ended(process)
    assert code == 1
    assert err == f"targi: {arena.address} does not accept the token: nobody has this token\n"


async def test_a_pong_answers_each_ping(arena: FakeArena, launch: Launch) -> None:
    launch(First)
    line = await arena.welcomed()
    await line.say(*(pb.ServerEvent(ping=pb.Ping(token=token)) for token in (7, 8)))
    assert [(await line.hear("pong")).pong.token for _ in range(2)] == [7, 8]
