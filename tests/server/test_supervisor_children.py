"""How children are kept alive, and in which order they stop."""

import asyncio
import errno
from dataclasses import dataclass, field

import pytest
from targi_server import children
from targi_server.children import Deaths, Family
from targi_server.health import Health
from targi_server.metrics import SupervisorMetrics, exposition
from targi_server.start_errors import KeepsDying, WorkerFailed


@dataclass
class Scripted:
    """A child that ends when it is told to and fails to start as often as it is told to."""

    diary: list[str]
    name: str = "worker"
    failures: list[int] = field(default_factory=list)
    starts: int = 0
    error: Exception | None = None
    how: str = "worker fell over"
    end: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> None:
        self.starts += 1
        self.diary.append(f"start {self.name}")
        if self.starts in self.failures:
            raise self.error or WorkerFailed(f"{self.name} has no luck")
        self.end.clear()
        self.started.set()

    async def ended(self) -> str:
        await self.end.wait()
        return self.how

    async def stop(self, grace_s: float) -> None:
        self.diary.append(f"stop {self.name} within {grace_s:g} s")

    async def die(self) -> None:
        """Ends and returns when it was started again."""
        self.started.clear()
        self.end.set()
        await asyncio.wait_for(self.started.wait(), 10)


def family(*kinds: str) -> tuple[Family, Health, SupervisorMetrics]:
    metrics = SupervisorMetrics()
    health = Health(metrics, *kinds)
    health.go()
    return Family(health, metrics), health, metrics


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "BACKOFF_S", (0.0,) * 4)


def test_pauses_grow_from_a_tenth_to_five_seconds_and_the_fifth_death_is_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    deaths = Deaths()
    assert [deaths.pause(float(second)) for second in range(5)] == [0.1, 0.4, 1.6, 5.0, None]


def test_deaths_of_more_than_a_minute_ago_are_forgotten() -> None:
    deaths = Deaths()
    assert all(deaths.pause(20.0 * n) is not None for n in range(100))


async def test_a_child_that_dies_is_started_again_and_counted() -> None:
    kin, health, metrics = family("worker")
    child = Scripted([])
    await kin.start(child)
    assert health.missing() == []
    await child.die()
    assert child.starts == 2
    text = exposition(None, metrics.registry).decode()
    assert 'targi_child_restarts_total{child="worker"} 1.0' in text
    await kin.stop(1)


async def test_a_child_that_was_told_to_end_is_started_again_without_a_complaint(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kin, health, metrics = family("worker")
    child = Scripted([], how="")
    with caplog.at_level("INFO"):
        await kin.start(child)
        for _ in range(6):  # nor is that a death, of which five are too many
            await child.die()
    assert child.starts == 7
    assert {record.levelname for record in caplog.records} == {"INFO"}
    assert "worker was told to end and is started again" in caplog.text
    assert 'targi_child_restarts_total{child="worker"} 0.0' in exposition(None, metrics.registry).decode()
    assert health.missing() == []
    await kin.stop(1)


async def test_a_start_that_fails_after_an_end_that_was_wanted_is_a_death() -> None:
    kin, _, metrics = family("worker")
    child = Scripted([], failures=[2], how="")
    await kin.start(child)
    await child.die()
    assert child.starts == 3
    assert 'targi_child_restarts_total{child="worker"} 1.0' in exposition(None, metrics.registry).decode()
    await kin.stop(1)


async def test_the_fifth_death_in_a_minute_ends_it_all_with_the_reason() -> None:
    kin, _, _ = family("worker")
    child = Scripted([])
    await kin.start(child)
    for _ in range(4):
        await child.die()
    child.end.set()
    with pytest.raises(
        KeepsDying, match="worker died five times in a minute, the last time: worker fell over"
    ):
        await asyncio.wait_for(kin.failure(), 10)
    assert child.starts == 5
    await kin.stop(1)


async def test_a_start_that_fails_counts_as_a_death() -> None:
    kin, health, _ = family("worker")
    child = Scripted([], failures=[2, 3])
    await kin.start(child)
    await child.die()
    assert child.starts == 4
    await kin.stop(1)
    assert health.missing() == []


async def test_what_the_system_refuses_counts_as_a_death_and_is_told_in_words() -> None:
    kin, _, _ = family("worker")
    child = Scripted([], failures=[2, 3, 4, 5], error=BlockingIOError(errno.EAGAIN, "No more processes"))
    await kin.start(child)
    child.end.set()
    words = rf"the last time: worker cannot be started: \[Errno {errno.EAGAIN}\] No more processes; see"
    with pytest.raises(KeepsDying, match=words):
        await asyncio.wait_for(kin.failure(), 10)
    assert child.starts == 5
    await kin.stop(1)


async def test_a_child_that_never_starts_again_ends_it_all() -> None:
    kin, _, _ = family("worker")
    child = Scripted([], failures=[2, 3, 4, 5, 6])
    await kin.start(child)
    child.end.set()
    with pytest.raises(KeepsDying, match="the last time: worker has no luck"):
        await asyncio.wait_for(kin.failure(), 10)
    await kin.stop(1)


async def test_the_last_generation_stops_first() -> None:
    kin, _, _ = family("redis", "worker", "bot")
    diary: list[str] = []
    for name in ("redis", "worker", "bot"):
        await kin.start(Scripted(diary, name))
    await kin.stop(3)
    assert diary[3:] == ["stop bot within 3 s", "stop worker within 3 s", "stop redis within 3 s"]


async def test_when_one_of_a_generation_does_not_start_all_of_it_is_stopped() -> None:
    kin, _, _ = family("worker")
    diary: list[str] = []
    with pytest.raises(WorkerFailed, match="no luck"):
        await kin.start(Scripted(diary), Scripted(diary, failures=[1]))
    await kin.stop(3)
    assert diary.count("stop worker within 3 s") == 2


async def test_ready_needs_all_once_and_one_of_each_kind_from_then_on() -> None:
    health = Health(SupervisorMetrics(), "redis", "worker")
    assert health.missing() == ["starting", "redis", "worker"]
    for kind in ("redis", "worker", "worker"):
        health.came(kind)
    assert health.missing() == ["starting"]
    health.go()
    assert health.missing() == []
    health.went("worker")
    assert health.missing() == []
    health.went("worker")
    assert health.missing() == ["worker"]
    health.stop()
    assert health.missing() == ["stopping", "worker"]
