"""The archive directory: a file for each finished match, whole or not there.

<directory>/2026-11-30/<match>.targi    its record; the day is that of its end, in UTC
<directory>/2026-11-30/<match>.json     what there is of a match whose log does not replay
<directory>/.<match>.<replica>.part     a file that is being written
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from targi_server.ladder.finished import Finished
from targi_server.start_errors import ArchiveUnusable

__all__ = ["RecordFiles", "Written", "checked"]

PART: Final = ".part"
STALE_S: Final = 3_600


@dataclass(frozen=True, slots=True)
class Written:
    """What became of some matches."""

    match_ids: tuple[str, ...]
    """Those whose files are on the disk, also after a loss of power."""
    error: OSError | None
    """Why the first of the others is not there."""


class RecordFiles:
    """Writes files on behalf of one replica. Blocks: not for an event loop."""

    def __init__(self, directory: Path, *, replica: str) -> None:
        self.directory = directory
        self._replica = replica

    def path(self, match: Finished) -> Path:
        """Where the file of a match is."""
        day = datetime.fromtimestamp(match.verdict.at_ms / 1000, UTC).date().isoformat()
        return self.directory / day / f"{match.header.match_id}{'.targi' if match.record else '.json'}"

    def write(self, matches: Iterable[Finished]) -> Written:
        """Writes a file for each match. One that is there is replaced, by the same again."""
        paths: dict[str, Path] = {}
        error: OSError | None = None
        for match in matches:
            try:
                paths[match.header.match_id] = self._write(match)
            except OSError as failed:
                error = error or failed
        try:
            for folder in {path.parent for path in paths.values()}:
                _sync(folder)
        except OSError as failed:
            return Written((), failed)
        return Written(tuple(paths), error)

    def sweep(self) -> None:
        """Takes away what replicas that died left half written, once it is old enough to be theirs."""
        for part in self.directory.glob(f".*{PART}"):
            with suppress(FileNotFoundError):  # it is finished, or swept by another one
                if time.time() - part.stat().st_mtime > STALE_S:
                    part.unlink()

    def _write(self, match: Finished) -> Path:
        path = self.path(match)
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            _sync(self.directory)
        part = self.directory / f".{match.header.match_id}.{self._replica}{PART}"
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.write(match.record or _remains(match))
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return path


def checked(directory: Path) -> Path:
    """The archive directory, made if need be. Raises ArchiveUnusable if no file can be written there."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as error:
        raise ArchiveUnusable(
            f"cannot write archive directory {directory}: {error.strerror}; "
            "give one that this user may write with --archive-dir, or export nothing with --no-archive"
        ) from error


def _sync(folder: Path) -> None:
    """What was renamed into the folder stays there."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remains(match: Finished) -> str:
    """A match without record as JSON; each entry is seat, action id, ms charged, out, in, elapsed."""
    header, verdict = match.header, match.verdict
    document = {
        "match": header.match_id,
        "pair": header.pair_id,
        "game": header.game,
        "kind": header.kind,
        "rules": header.rules,
        "ruleset": header.ruleset,
        "variants": header.variants,
        "cards": header.cards_hash,
        "seats": [f"{seat.bot} {seat.version}" for seat in header.seats],
        "seed": header.seed.hex(),
        "opening": header.opening.hex() if header.opening else "",
        "created_ms": header.created_ms,
        "began_ms": match.began_ms,
        "ended_ms": verdict.at_ms,
        "result": verdict.result,
        "termination": verdict.termination,
        "culprit": verdict.culprit,
        "words": verdict.words,
        "clocks_ms": match.clocks,
        "strikes": match.strikes,
        "entries": [
            [each.seat, each.action, each.charged_ms, each.out_ms, each.in_ms, each.elapsed_ms]
            for each in match.entries
        ],
        "incidents": [incident.encode() for incident in match.story],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
