"""The tool behind `make mutation`: an edit that breaks a rule is noticed, one without effect survives."""

from __future__ import annotations

from contextlib import ExitStack

import mutation
import pytest
from mutants import ROOT

BOARD = "engine/targi_engine/board.py"
TESTS = {"tests/engine/test_rules_board.py": 1.0}


def edit(before: str, after: str) -> mutation.Edit:
    source = (ROOT / BOARD).read_text()
    assert source.count(before) == 1
    line = source[: source.index(before)].count("\n") + 1
    return mutation.Edit(BOARD, line, "by hand", source.replace(before, after))


@pytest.mark.parametrize(
    ("before", "after", "noticed_by"),
    [
        ("bits[other] = 1 << one", "bits[other] = 1 << other", "tests/engine/test_rules_board.py"),
        ("bits[other] = 1 << one", "bits[other] = (1) << one", ""),
    ],
    ids=["a rule", "nothing"],
)
def test_an_edit_is_judged_by_the_tests_in_a_copy(before: str, after: str, noticed_by: str) -> None:
    with ExitStack() as stack:
        copy = mutation.new_copy(stack)
        assert mutation.judge(edit(before, after), copy, mutation.Order(TESTS)) == noticed_by
        assert (copy / BOARD).read_text() == (ROOT / BOARD).read_text()


def test_an_edit_is_shown_with_file_line_and_both_forms() -> None:
    shown = edit("bits[other] = 1 << one", "bits[other] = 1 << other").shown().splitlines()
    assert shown[0].startswith(f"{BOARD}:")
    assert [line[0] + line[1:].strip() for line in shown[1:]] == [
        "-bits[other] = 1 << one",
        "+bits[other] = 1 << other",
    ]


def test_tests_that_notice_much_in_little_time_come_first() -> None:
    order = mutation.Order({"slow.py": 9.0, "test_rules_board.py": 0.5, "quick.py": 0.1})
    change = mutation.Edit(BOARD, 1, "by hand", "")
    assert order.files(change) == ["test_rules_board.py", "quick.py", "slow.py"]
    for _ in range(10):
        order.noticed_by("quick.py")
    assert order.files(change) == ["quick.py", "test_rules_board.py", "slow.py"]
