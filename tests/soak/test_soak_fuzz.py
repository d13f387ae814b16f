"""Damaged inputs are refused with the documented errors, and a fault is told so that it can be seen again."""

from __future__ import annotations

import dataclasses

import fuzz
import pytest
from fuzz_targets import TARGETS, Input, Target

SECONDS = 5
SEED = 0

by_target = pytest.mark.parametrize("target", TARGETS, ids=[target.name for target in TARGETS])


@by_target
def test_valid_inputs_are_read(target: Target) -> None:
    for case in target.valid():
        assert fuzz.judge(target, case) is None


@by_target
def test_damaged_inputs_are_read_or_refused(target: Target) -> None:
    with fuzz.watched():
        count = fuzz.fuzz(target, SEED, fuzz.for_seconds(SECONDS / len(TARGETS)))
    assert count.faults == []
    assert count.refused > 0


def test_damage_is_not_always_noticed_at_once() -> None:
    """Some damaged inputs of each target are read: the damage goes deep enough."""
    for target in TARGETS:
        assert fuzz.fuzz(target, SEED, range(100)).read > 0


def broken(data: Input) -> None:
    if len(data) % 2:
        raise OverflowError("of no error tree")


def circling(data: Input) -> None:
    while True:
        pass


def test_another_error_is_a_fault_with_its_case() -> None:
    target = dataclasses.replace(TARGETS[0], read=broken)
    count = fuzz.fuzz(target, 7, range(100))
    assert len(count.faults) == fuzz.MOST_FAULTS
    assert "fuzz.py --seed 7 --target record --case " in count.faults[0]
    assert "OverflowError: of no error tree" in count.faults[0]
    assert f"{fuzz.MOST_FAULTS} faults" in count.line(target, 0)


def test_a_circle_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "LONGEST_S", 0.1)
    target = dataclasses.replace(TARGETS[2], read=circling)
    with fuzz.watched():
        count = fuzz.fuzz(target, 7, range(1))
    assert "CircleError" in count.faults[0]


def test_a_case_can_be_run_again(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["fuzz.py", "--target", "cards", "--case", "3"])
    assert fuzz.main() == 0
    assert "fuzz cards: 1 cases" in capsys.readouterr().out
