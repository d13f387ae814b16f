"""Text of others, fit for a terminal or a log: it cannot move the cursor, colour, reorder or forge a line.

Whatever another program sent (names, versions, error texts, reasons) goes through `printable` where it is
printed: in `Console` and `cli`, in the log of the server, in its own commands.
"""

from __future__ import annotations

import json

__all__ = ["printable"]

KEPT = "\n\t"
"""What is not printable, but harmless in a text of several lines."""


def printable(text: str, kept: str = KEPT) -> str:
    r"""The text with everything that is not printable as `\uXXXX`: ESC, CR, C1, bidirectional controls.

    The escapes are those of JSON, so a JSON document stays one, with the same values. `kept` stays as it is:
    "" for what has to be one line.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else json.dumps(char)[1:-1] for char in text)
