"""Tests that are named elsewhere, and whether they are there."""

import ast
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def is_there(test: str) -> bool:
    """Whether there is a test of that name: "server/test_x.py::test_that_y"."""
    path, _, name = test.partition("::")
    return name in _names_in(path)


@cache
def _names_in(path: str) -> frozenset[str]:
    """Names of the tests in a file; none where there is no file."""
    file = TESTS / path
    tree = ast.parse(file.read_text() if file.is_file() else "")
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = {node.name for node in tree.body if isinstance(node, functions)}
    return frozenset(name for name in names if name.startswith("test_"))
