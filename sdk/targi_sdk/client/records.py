"""Records of finished matches, fetched into a directory: whole files, and none that is there already."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from targi_sdk.client.chronicle import Match
from targi_sdk.client.unary import Calls
from targi_sdk.errors import RefusedError, WireError
from targi_sdk.recordfile import SUFFIX, RecordFileError, write_record

__all__ = ["Missing", "Wanted", "fetched", "listed", "place"]

PAGE: Final = 200
"""Matches that are asked for in one go."""
CHUNK: Final = 64
"""Records that are in memory before they are written."""
WAITS_S: Final = {"NOT_AVAILABLE": 10.0, "LIMIT": 300.0}
"""Refusals that pass by themselves (just ended, too many calls) and how long to wait for that."""
PAUSE_S: Final = 0.5
GONE: Final = ("NOT_FOUND", *WAITS_S)
"""Refusals that are about one match."""

_MATCH_ID: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches; empty and 0 mean any."""

    bot: str = ""
    ruleset: str = ""
    rated: bool = False
    """Only rated ones."""
    since_ms: int = 0
    """Only those that ended then or later, Unix time in ms."""

    def is_met_by(self, match: Match) -> bool:
        """Whether a match that is over is one of these."""
        return (
            match.ended_unix_ms >= self.since_ms
            and self.ruleset in ("", match.ruleset)
            and (match.rated or not self.rated)
        )


@dataclass(frozen=True, slots=True)
class Missing:
    """A match that was listed, and of which no record is to be had."""

    match_id: str
    why: str


def listed(calls: Calls, wanted: Wanted) -> list[Match]:
    """All matches that are over and wanted, the newest first. Raises ArenaError."""
    found: list[Match] = []
    token = ""
    while True:
        page = calls.matches(running=False, bot=wanted.bot, size=PAGE, token=token)
        found += filter(wanted.is_met_by, page.matches)
        token = page.token
        is_before = page.matches and all(match.ended_unix_ms < wanted.since_ms for match in page.matches)
        if not token or is_before:
            return found


def place(directory: Path, match: Match) -> Path:
    """Where the record of a match belongs: as in the archive directory of a server."""
    if not _MATCH_ID.fullmatch(match.match_id):
        raise WireError(f"{match.match_id[:80]!r} is no id of a match: is the server an arena?")
    try:
        day = datetime.fromtimestamp(match.ended_unix_ms / 1000, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError) as error:
        words = f"match {match.match_id} ended at {match.ended_unix_ms} ms, which is no time"
        raise WireError(words) from error
    return directory / day / f"{match.match_id}{SUFFIX}"


def fetched(
    calls: Calls, directory: Path, matches: Sequence[Match], *, at_once: int, done: Callable[[], None]
) -> list[Missing]:
    """Fetches records into their places, `at_once` at a time; `done` is called after each match.

    Returns those that are not to be had. Raises ArenaError and RecordFileError; then the rest is left.
    """
    missing: list[Missing] = []
    with ThreadPoolExecutor(at_once) as pool:
        for start in range(0, len(matches), CHUNK):
            chunk = matches[start : start + CHUNK]
            for match, found in zip(chunk, pool.map(partial(_asked, calls), chunk), strict=True):
                if isinstance(found, Missing):
                    missing.append(found)
                else:
                    _write(place(directory, match), found)
                done()
    return missing


def _asked(calls: Calls, match: Match) -> str | Missing:
    try:
        return _record(calls, match.match_id)
    except RefusedError as error:
        if error.reason not in GONE:
            raise
        return Missing(match.match_id, str(error))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordFileError(f"{path.parent}: {error.strerror}") from error
    write_record(path, text, synced=True)


def _record(calls: Calls, match_id: str) -> str:
    """The record, also if the server has to be asked again for a while."""
    began = time.monotonic()
    while True:
        try:
            return calls.record(match_id)
        except RefusedError as error:
            if time.monotonic() - began >= WAITS_S.get(error.reason, 0.0):
                raise
        time.sleep(PAUSE_S)
