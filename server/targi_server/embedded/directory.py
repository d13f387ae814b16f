"""The data directory: one supervisor at a time, and a note of which server runs or ran on it."""

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from targi_server.embedded.version import ServerVersion
from targi_server.start_errors import DataDirInUse, DataDirUnusable

__all__ = ["DataDirectory", "Note", "hold"]

ADVICE = "give one that this user may write, with --data-dir"


@dataclass(frozen=True, slots=True)
class Note:
    """What `server.json` says: the server that runs on the directory, or the last one that did."""

    pid: int
    program: str
    version: str
    socket: str

    @property
    def wrote(self) -> ServerVersion:
        """The version that wrote the files."""
        return ServerVersion.parse(self.version)


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """A directory that this process holds."""

    path: Path

    @property
    def log(self) -> Path:
        """What the server prints."""
        return self.path / "redis.log"

    @property
    def configuration(self) -> Path:
        """The server's configuration, written anew for each start."""
        return self.path / "redis.conf"

    @property
    def _note(self) -> Path:
        return self.path / "server.json"

    def note(self) -> Note | None:
        """The note, if there is one. Raises DataDirUnusable when it does not read."""
        try:
            text = self._note.read_text()
        except FileNotFoundError:
            return None
        try:
            return Note(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise DataDirUnusable(
                f"{self._note} does not read ({error}); take it away if no server runs on the directory"
            ) from error

    def write(self, note: Note) -> None:
        """Replaces the note in one step."""
        fresh = self._note.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(note), indent=1) + "\n")
        fresh.replace(self._note)


@contextlib.contextmanager
def hold(path: Path) -> Iterator[DataDirectory]:
    """Makes the directory if need be and holds its lock.

    Raises DataDirUnusable, or DataDirInUse with the pid of the supervisor that holds it.
    """
    with open_lock(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            raise DataDirInUse(
                f"{path} is in use by the supervisor with pid {owner}; stop it, or give another --data-dir"
            ) from error
        lock.seek(0)
        lock.truncate()
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield DataDirectory(path)


def open_lock(path: Path) -> IO[str]:
    """The lock file, made with its directory; it is never removed, so that all lock the same file."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return (path / "lock").open("a+")
    except OSError as error:
        raise DataDirUnusable(f"cannot write data directory {path}: {error.strerror}; {ADVICE}") from error
