"""The file of a batch: one line a game, in order. A later run goes on after the last whole line."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from targi_sdk.arena.gameline import GameLine, heading
from targi_sdk.arena.schedule import fixture
from targi_sdk.arena.series import Series
from targi_sdk.errors import SdkError

__all__ = ["BatchFileError", "Journal", "series_of"]

REMEDY = "name another file, or give --force to replace this one"


class BatchFileError(SdkError):
    """The file of a batch cannot be written, or holds something else. The text begins with its name."""


class Journal:
    """An open file of a batch. One process at a time writes it.

    Use it as a context: `old_games` first, then `add` for each game that follows.
    """

    def __init__(self, path: Path, series: Series, *, force: bool = False) -> None:
        """Open the file, or make it; `force` throws away what it holds. Raises `BatchFileError`."""
        self._path = path
        self._series = series
        self.games = 0
        """Games that are in the file, as far as `old_games` and `add` have come."""
        self._file = _opened(path)
        try:
            _lock(self._file, path)
            if force:
                self._file.truncate(0)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.fsync(self._file.fileno())
        self._file.close()

    def old_games(self) -> Iterator[GameLine]:
        """The games of an earlier run; a line without an end is cut off. Raises `BatchFileError`.

        Every line must be the one that the series would have there, as far as that is known without playing.
        """
        end = 0
        for text in self._file:
            if not text.endswith(b"\n"):
                break
            yield self._checked(text)
            end += len(text)
            self.games += 1
        self._file.seek(end)
        self._file.truncate()

    def add(self, text: str) -> None:
        """Write the next line."""
        try:
            self._file.write(text.encode())
            self._file.flush()
        except OSError as error:
            raise BatchFileError(f"{self._path}: {error.strerror}") from error
        self.games += 1

    def _checked(self, text: bytes) -> GameLine:
        number, series = self.games + 1, self._series
        line = _parsed(text, f"{self._path}: line {number}")
        if number > series.games:
            raise BatchFileError(
                f"{self._path}: has more than game {series.games}: ask for more --games, or give --force"
            )
        for field, due in heading(series, fixture(series.seed, number, mirrored=series.mirrored)).items():
            if line.get(field) != due:
                raise BatchFileError(
                    f"{self._path}: line {number} is of another series: its {field} is {line.get(field)!r}, "
                    f"not {due!r}: {REMEDY}"
                )
        return line


def series_of(path: Path) -> bytes | None:
    """The seed of the series that a file holds the beginning of; None if there is no whole line.

    Raises `BatchFileError` if the first line is no game.
    """
    try:
        with path.open("rb") as file:
            text = file.readline()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BatchFileError(f"{path}: {error.strerror}") from error
    if not text.endswith(b"\n"):
        return None
    try:
        return bytes.fromhex(_parsed(text, f"{path}: line 1")["series"])
    except (KeyError, TypeError, ValueError) as error:
        raise BatchFileError(f"{path}: line 1 is no game of a batch: {REMEDY}") from error


def _opened(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path.open("r+b")
    except OSError as error:
        raise BatchFileError(f"{path}: {error.strerror}") from error


def _lock(file: BinaryIO, path: Path) -> None:
    """Keep other processes from writing; the lock goes with the file's closing."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BatchFileError(f"{path}: another process is writing this file") from error


def _parsed(text: bytes, where: str) -> GameLine:
    try:
        line = json.loads(text)
    except ValueError as error:
        raise BatchFileError(f"{where} is no JSON: {REMEDY}") from error
    if not isinstance(line, dict):
        raise BatchFileError(f"{where} is no game of a batch: {REMEDY}")
    return line
