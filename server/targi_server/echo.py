"""What a caller sent, said back in the words of an error."""

from __future__ import annotations

from typing import Final

__all__ = ["MOST_ECHOED", "echoed"]

MOST_ECHOED: Final = 40
"""Characters of a caller's text that are said back: a status travels in headers, which hold 16 kB in all."""


def echoed(text: str) -> str:
    """The text quoted, without anything that is not printable, and cut if it is long."""
    return repr(text if len(text) <= MOST_ECHOED else f"{text[:MOST_ECHOED]}..")
