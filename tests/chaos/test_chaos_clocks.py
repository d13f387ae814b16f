"""Nobody loses on time who was inside its clock by its own measure; `make bench-clocks` is the long run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = (
    *("--games", "60", "--matches", "12", "--plies", "30"),
    *("--think-ms", "80", "--base-ms", "4000", "--increment-ms", "60"),
    *("--margin-ms", "3000"),  # of the clock: a busy machine may keep the server itself from running
)


@pytest.mark.full
@pytest.mark.parametrize("workers", ["1", "2"])
def test_no_bot_that_was_inside_its_clock_loses_on_time(workers: str) -> None:
    paths = os.pathsep.join(str(ROOT / "tests" / name) for name in ("bench", "support"))
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/bench/clocks.py"), *RUN, "--workers", workers],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    games = re.search(r"^(\d+) games", done.stdout)
    assert games is not None and int(games[1]) >= 60
    assert "inside their clock by their own measure: 0" in done.stdout
    assert re.search(r"less it .* longest +[\d.]+ ms  \([1-9]\d*\)", done.stdout), done.stdout
