"""Lists that the service gives page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["LONGEST_PAGE", "first_rows"]

T = TypeVar("T")

LONGEST_PAGE = 500
"""Rows that the service gives at a time, at most."""


def first_rows(count: int, page: Callable[[int, str], tuple[Sequence[T], str]]) -> list[T]:
    """The first `count` rows, or all there are.

    `page` takes a size and the token of the page before, "" for the first, and gives rows and the next token.
    """
    rows: list[T] = []
    token = ""
    while len(rows) < count:
        found, token = page(min(count - len(rows), LONGEST_PAGE), token)
        rows += found
        if not token:
            break
    return rows
