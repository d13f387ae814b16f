"""Looking for signs of life in a crowd of bots, row by row, by a clock that the test sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from targi_server.errors import Silent
from targi_server.lobby.presence import Arrival, Claim, Presence
from targi_server.metrics import Metrics
from targi_server.play import sessions as rows
from targi_server.play.errands import Errands
from targi_server.play.heartbeat import Heartbeat
from targi_server.play.outbox import Outbox
from targi_server.play.pulse import Pulse
from targi_server.play.session import Form, Session
from targi_server.play.sessions import Sessions
from targi_server.play.tables import Tables
from targi_server.store.matches import MatchStore

HEARTBEAT_S = 5.0
BOTS = 4


class Clock:
    """A monotonic clock; each reading may move it on."""

    def __init__(self) -> None:
        self.now = 100.0
        self.on_reading: Callable[[], None] = lambda: None

    def __call__(self) -> float:
        now = self.now
        self.on_reading()
        return now


class QuietNotes:
    """Stands for the presence in Redis: notes who was said to be quiet."""

    def __init__(self) -> None:
        self.said: list[tuple[str, bool]] = []

    async def quiet(self, claim: Claim, quiet: bool) -> None:
        self.said.append((claim.bot, quiet))


def connected(bot: str, clock: Clock) -> Session:
    """A bot that is connected and plays nothing."""
    return Session(
        arrival=Arrival(bot, "owner", "s", "1", 1, ("base",), False, b""),
        claim=Claim(bot, "s", "1", "replica", 1, False),
        form=Form(compact=True, named=False),
        action_ids=True,
        outbox=Outbox(limit=100),
        pulse=Pulse(HEARTBEAT_S, clock.now),
        since_ms=0,
    )


@pytest.fixture
async def floor(monkeypatch: pytest.MonkeyPatch) -> tuple[Heartbeat, list[Session], Clock, QuietNotes]:
    """Four bots, of which two are looked at in one go."""
    monkeypatch.setattr(rows, "A_LOOK", 2)
    monkeypatch.setattr(rows, "LOOK", 0.0)
    clock, sessions, errands, presence = Clock(), Sessions(), Errands(), QuietNotes()
    everybody = [connected(f"bot{number}", clock) for number in range(BOTS)]
    for session in everybody:
        sessions.add(session)
    heartbeat = Heartbeat(
        sessions,
        Tables(cast(MatchStore, None), errands, Metrics()),
        cast(Presence, presence),
        errands,
        heartbeat_s=HEARTBEAT_S,
        clock=clock,
    )
    return heartbeat, everybody, clock, presence


Floor = tuple[Heartbeat, list[Session], Clock, QuietNotes]


async def beats(heartbeat: Heartbeat, clock: Clock, seconds: float) -> None:
    """So many seconds with a beat in each."""
    end = clock.now + seconds
    while clock.now < end:
        clock.now += heartbeat.every_s
        await heartbeat.beat()


async def ended_with(session: Session) -> Any:
    """The error with which its stream ended."""
    assert session.outbox.closed
    return await session.outbox.ended()


async def test_every_bot_of_every_row_is_pinged_once_a_heartbeat(floor: Floor) -> None:
    heartbeat, everybody, clock, _ = floor
    await beats(heartbeat, clock, HEARTBEAT_S)
    assert [session.outbox.waiting for session in everybody] == [1] * BOTS
    await beats(heartbeat, clock, HEARTBEAT_S)
    assert [session.outbox.waiting for session in everybody] == [2] * BOTS


async def test_who_is_silent_for_two_heartbeats_is_ended_and_who_answers_is_not(floor: Floor) -> None:
    heartbeat, everybody, clock, presence = floor
    await beats(heartbeat, clock, HEARTBEAT_S)
    everybody[1].pulse.heard(clock.now)
    await beats(heartbeat, clock, HEARTBEAT_S + heartbeat.every_s)
    assert [session.outbox.closed for session in everybody] == [True, False, True, True]
    assert isinstance(await ended_with(everybody[0]), Silent)
    assert ("bot0", True) in presence.said


async def test_a_standstill_between_two_rows_is_no_silence_of_the_later_row(floor: Floor) -> None:
    heartbeat, everybody, clock, _ = floor
    await beats(heartbeat, clock, HEARTBEAT_S)
    readings = iter((0.0, 60.0))  # a minute passes after the first row was looked at

    def stand_still() -> None:
        clock.now += next(readings, 0.0)

    clock.on_reading = stand_still
    clock.now += heartbeat.every_s
    await heartbeat.beat()
    clock.on_reading = lambda: None
    await heartbeat.beat()
    assert not any(session.outbox.closed for session in everybody)


async def test_time_without_any_bot_is_no_excuse_for_one_that_comes_later(floor: Floor) -> None:
    heartbeat, everybody, clock, _ = floor
    sessions = heartbeat._sessions
    for session in everybody:
        sessions.remove(session)
    await beats(heartbeat, clock, 600.0)
    late = connected("late", clock)
    sessions.add(late)
    await beats(heartbeat, clock, 2 * HEARTBEAT_S + heartbeat.every_s)
    assert isinstance(await ended_with(late), Silent)
