"""What a client says when it is refused, finds nobody, or cannot trust whom it finds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest
from certificates import CERTIFICATE
from fake_arena import FakeArena, fake_arena, welcome
from spare_port import free_port
from targi_sdk.client import Address, Summary
from targi_sdk.errors import (
    BadTokenError,
    RefusedError,
    UnreachableError,
    VersionError,
)
from trial_bots import First

Launch = Callable[..., "asyncio.Task[Summary]"]


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
