"""Tests that are named in tables: one that is skipped, not collected or not there holds nothing."""

from __future__ import annotations

from pathlib import Path

import named_tests
import pytest
from named_tests import Suite, suite_of

FILE = """
import pytest

pytestmark = [pytest.mark.filterwarnings("error")]

def test_of_every_day(): ...

@pytest.mark.full
async def test_of_the_long_suite(): ...

@pytest.mark.parametrize("games", [20, pytest.param(200, marks=pytest.mark.full)])
def test_with_a_long_case(games): ...

@pytest.mark.skipif("sys.platform != 'linux'")
def test_of_one_system(): ...

@pytest.mark.skip(reason="later")
def test_that_is_skipped(): ...

@pytest.mark.xfail
def test_that_fails(): ...

def no_test(): ...

def outer():
    def test_within(): ...
"""


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        ("test_of_every_day", Suite.QUICK),
        ("test_of_the_long_suite", Suite.FULL),
        ("test_with_a_long_case", Suite.QUICK),
        ("test_of_one_system", Suite.QUICK),
        ("test_that_is_skipped", Suite.NONE),
        ("test_that_fails", Suite.NONE),
        ("no_test", Suite.NONE),
        ("test_within", Suite.NONE),
        ("test_nobody_wrote", Suite.NONE),
    ],
)
def test_marks_and_places_say_which_suite_runs_a_test(
    name: str, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_tests, "TESTS", tmp_path)
    (tmp_path / f"test_{name}.py").write_text(FILE)
    (tmp_path / f"other_{name}.py").write_text(FILE)
    assert suite_of(f"test_{name}.py::{name}") is suite
    assert suite_of(f"other_{name}.py::{name}") is Suite.NONE


def test_a_mark_on_the_file_is_one_on_each_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_tests, "TESTS", tmp_path)
    (tmp_path / "test_long.py").write_text(
        "import pytest\npytestmark = pytest.mark.full\ndef test_it(): ...\n"
    )
    assert suite_of("test_long.py::test_it") is Suite.FULL
