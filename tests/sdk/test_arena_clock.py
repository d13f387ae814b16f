"""Time controls and clocks of games in process."""

from __future__ import annotations

import pytest
from targi_sdk.arena.clock import NO_CLOCKS, Clocks, TimeControl
from targi_sdk.errors import UsageError


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60+1", TimeControl(60_000, 1_000)),
        ("60", TimeControl(60_000, 0)),
        ("0.5+0.05", TimeControl(500, 50)),
        ("none", NO_CLOCKS),
    ],
)
def test_a_time_control_is_read_from_seconds(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["", "0", "0+1", "-5", "60+", "1h", "60+1+1"])
def test_a_bad_time_control_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="60\\+1"):
        TimeControl.parse(text)


def test_an_answer_takes_its_time_off_one_clock() -> None:
    clocks = Clocks(TimeControl(2_000, 500))
    assert clocks.charge(0, 0.75)
    assert (clocks.left_ms(0), clocks.left_ms(1)) == (1_250, 2_000)


def test_the_end_of_an_own_turn_adds_the_increment() -> None:
    clocks = Clocks(TimeControl(2_000, 500))
    clocks.end_turn(1)
    assert (clocks.left_ms(0), clocks.left_ms(1)) == (2_000, 2_500)


def test_an_answer_after_the_end_of_the_clock_is_too_late() -> None:
    clocks = Clocks(TimeControl(2_000, 0))
    assert clocks.charge(0, 2.0)
    assert not clocks.charge(0, 0.001)


def test_the_deadline_is_when_the_clock_ends() -> None:
    assert Clocks(TimeControl(2_000, 0)).deadline(0, 100.0) == 102.0


def test_without_clocks_no_answer_is_late() -> None:
    clocks = Clocks(NO_CLOCKS)
    assert clocks.deadline(0, 100.0) == float("inf")
    assert clocks.charge(0, 1e9)
    assert clocks.left_ms(0) == 0
