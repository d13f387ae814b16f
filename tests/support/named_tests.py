"""Tests that are named elsewhere, whether they are there, and which suite runs them."""

from __future__ import annotations

import ast
from enum import StrEnum
from functools import cache
from pathlib import Path

__all__ = ["Suite", "suite_of"]

TESTS = Path(__file__).resolve().parents[1]
NEVER = ("skip", "xfail")
"""Marks of a test that holds nothing. One with `skipif` runs where it can."""


class Suite(StrEnum):
    """What runs a test."""

    NONE = "none"
    """It is not there, not collected, or skipped."""
    QUICK = "quick"
    """`make test`."""
    FULL = "full"
    """`make test-all` only."""


def suite_of(test: str) -> Suite:
    """Of "server/test_x.py::test_that_y". One with a part in the quick suite is of that."""
    path, _, name = test.partition("::")
    return _suites_in(path).get(name, Suite.NONE)


@cache
def _suites_in(path: str) -> dict[str, Suite]:
    """Of the tests in a file that pytest collects; none where there is no such file."""
    file = TESTS / path
    tree = ast.parse(file.read_text() if file.is_file() and file.name.startswith("test_") else "")
    of_all = _marks_in([node for node in tree.body if _is_named(node, "pytestmark")])
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        node.name: _suite(of_all | _marks_in(node.decorator_list))
        for node in functions
        if node.name.startswith("test_")
    }


def _suite(marks: frozenset[str]) -> Suite:
    if marks.intersection(NEVER):
        return Suite.NONE
    return Suite.FULL if "full" in marks else Suite.QUICK


def _marks_in(nodes: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    """Names of `pytest.mark.<name>`, but of those within the cases of a parametrization."""
    return frozenset(mark for node in nodes for mark in map(_mark, _marked(node)) if mark)


def _marked(node: ast.stmt | ast.expr) -> list[ast.expr]:
    """The marks that a decorator or an assignment applies."""
    value = node.value if isinstance(node, ast.Assign) else node
    values = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
    return [
        each.func if isinstance(each, ast.Call) else each for each in values if isinstance(each, ast.expr)
    ]


def _mark(value: ast.expr) -> str:
    """ "full" of `pytest.mark.full`, "" of anything else."""
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Attribute):
        return value.attr if value.value.attr == "mark" else ""
    return ""


def _is_named(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in node.targets
    )
