"""What a bot process was told and what it sent, written down before anything else is done with it.

One line each: the right wall clock in ms, a letter, fields. It is written with one system call, so a process
that is killed loses no line that it acted upon.

    W                                           welcomed
    X words                                       the stream is lost
    S match seat ply pair game log                a match starts or goes on; log: actions by ply, "-" unknown
    T match ply crc                               asked; crc of the encoded observation
    A match ply action                            answered
    P match ply taken charged clock0 clock1 next log        applied; log: "<seat>:<action>" of what was asked
    R match ply reason strikes                    refused
    G match                                       gave it up
    E match result termination culprit            ended, in the words of a record
    N match                                       ended, as news: its process may not have played it
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

__all__ = ["Notebook", "now_ms"]


def now_ms() -> int:
    """The right wall clock, which is Redis' on the same machine."""
    return int(time.clock_gettime(time.CLOCK_REALTIME) * 1000)


class Notebook:
    """A file that is only added to."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, *fields: object) -> None:
        """One line."""
        self.write_all([fields])

    def write_all(self, rows: Iterable[Iterable[object]]) -> None:
        """Lines of one moment."""
        at = now_ms()
        text = "".join(f"{at} {' '.join(map(str, fields))}\n" for fields in rows)
        if text:
            os.write(self._file, text.encode())
