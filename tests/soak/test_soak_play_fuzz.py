"""Hostile frames and calls harm neither the server nor good bots beside them; what does harm is noticed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import play_fuzz
import pytest
from arena_process import arena
from google.protobuf.message import DecodeError
from neighbourhood import Neighbours
from neighbours import Seen
from play_frames import SHAPES, Known, Shape, frame
from server_state import BAD_LINE, BAD_METRIC, Snapshot, growth
from targi.v1 import play_pb2

PLAN = play_fuzz.Plan(frames=3_000, calls=600, bots=6, seed=2, looks=(), quiet_matches=1, think_ms=2.0)


def test_hostile_frames_and_calls_harm_nobody(tmp_path: Path) -> None:
    with arena(tmp_path / "data", *play_fuzz.FLAGS) as server:
        fuzzed = asyncio.run(play_fuzz.fuzz(server, PLAN))
        assert play_fuzz.faults(fuzzed) == []
    tally = fuzzed.tally
    assert tally.read >= PLAN.frames and fuzzed.calls.made >= PLAN.calls
    assert tally.endings and tally.heard["applied"] and tally.ends
    assert {"MALFORMED", "UNKNOWN_MATCH", "UNKNOWN_OFFER", "STALE"} <= set(tally.refused)
    assert {"OK", "BAD_TOKEN", "FORBIDDEN", "MALFORMED", "NOT_FOUND"} <= set(fuzzed.calls.answers)
    assert len(fuzzed.beside.over) > PLAN.quiet_matches


def known() -> Known:
    return Known({"0" * 16: (3, (1, 2))}, foreign=("f" * 16,))


def test_a_seed_gives_the_same_frames() -> None:
    drawn = [[frame(random.Random(f"{seed} {n}"), known()) for n in range(50)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("shape", [shape for _, shape in SHAPES], ids=range(len(SHAPES)))
def test_every_shape_of_frames_can_be_made(shape: Shape) -> None:
    for seed in range(20):
        assert isinstance(shape(random.Random(seed), known()), bytes)


def test_frames_are_of_both_kinds() -> None:
    """Many parse, and many do not."""
    rng, heard, read = random.Random(1), known(), 0
    for _ in range(500):
        try:
            play_pb2.PlayRequest.FromString(frame(rng, heard))
            read += 1
        except DecodeError:
            pass
    assert 200 < read < 450


@pytest.mark.parametrize(
    "line",
    [
        "17:00:01 ERROR   an errand failed [worker 0]",
        "Traceback (most recent call last):",
        "Task exception was never retrieved",
    ],
)
def test_a_failure_in_the_log_is_noticed(line: str) -> None:
    assert BAD_LINE.search(line)
    assert not BAD_LINE.search("17:00:01 INFO    match over: 1-0 normal match=00 [worker 0]")


@pytest.mark.parametrize(
    "line",
    [
        'targi_rpc_total{code="INTERNAL",method="MatchService.Play"} 1.0',
        'targi_rejections_total{reason="INTERNAL"} 3.0',
        'targi_matches_ended_total{termination="server_error"} 1.0',
    ],
)
def test_a_failure_in_the_metrics_is_noticed(line: str) -> None:
    assert BAD_METRIC.search(f"# HELP\n{line}\n")
    assert not BAD_METRIC.search(f"# HELP\n{line.rpartition(' ')[0]} 0.0\n")
    assert not BAD_METRIC.search('targi_rpc_total{code="OK",method="MatchService.Play"} 1.0\n')


def test_growth_is_noticed() -> None:
    before = Snapshot(100_000_000, Counter({"targi:*:lapsed": 3, "targi:*:m:*:log": 1}), 6)
    steady = Snapshot(108_000_000, Counter({"targi:*:lapsed": 64, "targi:*:m:*:log": 2}), 12)
    grown = Snapshot(112_000_000, Counter({"targi:*:lapsed": 64, "targi:*:m:*:log": 90}), 60)
    assert growth([before, steady]) == []
    assert len(growth([before, steady, grown])) == 3


def neighbours_that_saw(*answered_ms: float, termination: str = "TERMINATION_NORMAL") -> Neighbours:
    process = SimpleNamespace(returncode=0)
    seen = [Seen("0" * 16, [ms], termination=termination) for ms in answered_ms]
    return Neighbours(process, over=seen)  # type: ignore[arg-type]  # a process that has ended well


def test_a_disturbed_neighbour_is_noticed() -> None:
    steady = neighbours_that_saw(2.0, 2.0, 20.0)
    assert steady.faults() == [] and steady.slowed(2) == []
    assert neighbours_that_saw(2.0, 2.0, 90.0).slowed(2)
    assert neighbours_that_saw(2.0, termination="TERMINATION_TIME").faults()
    overcharged = neighbours_that_saw(2.0)
    overcharged.over[0].overcharged.append("ply 3: 90 ms of 20")
    overcharged.over[0].refused = 1
    assert len(overcharged.faults()) == 2
