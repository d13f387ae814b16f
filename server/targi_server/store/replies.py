"""Replies of Redis as values of Python."""

from __future__ import annotations

from collections.abc import Iterator

from targi_server.store.commands import Reply

__all__ = ["mapping", "number", "optional", "rows", "text", "texts"]


def text(reply: Reply) -> str:
    """A string; empty where there is none."""
    return reply.decode() if isinstance(reply, bytes) else ""


def optional(reply: Reply) -> str | None:
    """A string, or None where there is none."""
    return reply.decode() if isinstance(reply, bytes) else None


def number(reply: Reply) -> int:
    """A whole number, also one written as a string; 0 where there is none."""
    return int(reply) if isinstance(reply, bytes | int) else 0


def rows(reply: Reply) -> list[Reply]:
    """An array; empty where there is none."""
    return reply if isinstance(reply, list) else []


def texts(reply: Reply) -> list[str]:
    """An array of strings."""
    return [text(row) for row in rows(reply)]


def mapping(reply: Reply) -> dict[str, str]:
    """What HGETALL, or a sorted set with its scores, answers."""
    flat: Iterator[str] = iter(texts(reply))
    return dict(zip(flat, flat, strict=True))
