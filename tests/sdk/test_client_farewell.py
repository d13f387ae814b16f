"""What a client learns of the end of its stream while it writes."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from fake_arena import FakeArena
from targi_sdk.client.address import Address
from targi_sdk.client.players import InProcess
from targi_sdk.client.profile import Profile
from targi_sdk.client.session import Session
from targi_sdk.client.stream import run_stream
from targi_sdk.errors import RefusedError, ReplacedError
from trial_bots import First


@pytest.mark.parametrize(
    ("code", "reason", "error"),
    [(grpc.StatusCode.ABORTED, "REPLACED", ReplacedError), (None, "", None)],
)
async def test_the_end_of_a_stream_is_told_as_the_service_gave_it_also_while_the_client_writes(
    arena: FakeArena, code: grpc.StatusCode | None, reason: str, error: type[RefusedError] | None
) -> None:
    """Nearly each time the end meets a write, which fails over it."""
    profile = Profile()
    for _ in range(10):
        session = Session(profile, InProcess(First, bytes(32)), lambda news: None, time.monotonic)
        stream = asyncio.create_task(run_stream(session, Address.parse(arena.address), "token"))
        line = await arena.line()
        line.mute = True
        flood = asyncio.create_task(flooding(session))
        await line.hear("ping")
        line.end(code, reason, "said")
        if error is None:
            await stream
        else:
            with pytest.raises(error, match="said"):
                await stream
        flood.cancel()


async def flooding(session: Session) -> None:
    """Keep the writer of a session busy."""
    while True:
        for _ in range(100):
            session.ping()
        await asyncio.sleep(0)
