"""The benchmark's child process plays, and tells which form of the engine it has."""

import sys
from pathlib import Path

import pytest
from pace import Pace, Side
from playouts import CLONES, GAMES
from wheel_builds import ROOT

TASKS = [row.task for row in (*GAMES, *CLONES) if row.side == "pure"]


def test_a_side_measures_every_task_of_the_report() -> None:
    with Side(Path(sys.executable), "pace_targi.py", PYTHONPATH=str(ROOT / "engine")) as side:
        assert side.form == "pure"
        paces = {task: side.measure(task, 0.01) for task in TASKS}
    assert side.process.returncode == 0
    assert all(pace.decisions > 0 and pace.seconds >= 0.01 for pace in paces.values())
    assert paces["games:base"].branches >= 2 * paces["games:base"].decisions


def test_chance_nodes_are_counted_apart() -> None:
    pace = Pace(seconds=2.0, decisions=100, chances=80)
    assert (pace.decisions_a_second, pace.nodes_a_second) == (50.0, 90.0)


def test_a_side_that_ends_says_what_to_do() -> None:
    with pytest.raises(SystemExit, match="make bench"):
        Side(Path(sys.executable), "no_such_script.py")
