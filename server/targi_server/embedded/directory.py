"""The data directory: one supervisor at a time, nobody else's eyes, and a note of which server runs on it."""

import contextlib
import errno
import fcntl
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from targi_server.embedded.version import ServerVersion
from targi_server.start_errors import DataDirInUse, DataDirUnusable

__all__ = ["DataDirectory", "Note", "hold", "usable"]

log = logging.getLogger(__name__)

ADVICE = "give one that this user may write, with --data-dir"
FULL = "make room on that disk, or give another with --data-dir"
ADVICE_FOR = {errno.ENOSPC: FULL, errno.EDQUOT: FULL}
PRIVATE = 0o700
"""The files hold the seeds of running matches."""
OURS = {
    *("lock", "server.json", "server.new", "redis.conf", "redis.log", "redis.old"),
    *("appendonlydir", "archive", "bots"),
}
"""What a directory holds that nobody uses but arenas."""


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
        with usable(path):
            lock.truncate(0)
            os.write(
                lock.fileno(), f"{os.getpid()}\n".encode()
            )  # a buffer would fail again when it is closed
            close_to_others(path)
        yield DataDirectory(path)


def open_lock(path: Path) -> IO[str]:
    """The lock file, made with its directory; it is never removed, so that all lock the same file."""
    with usable(path):
        path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return (path / "lock").open("a+")


@contextlib.contextmanager
def usable(path: Path) -> Iterator[None]:
    """Within it an OSError is about the data directory, and becomes a DataDirUnusable."""
    try:
        yield
    except OSError as error:
        file = "" if error.filename in (None, path, str(path)) else f" ({error.filename})"
        advice = ADVICE_FOR.get(error.errno or 0, ADVICE)
        words = f"cannot write data directory {path}: {error.strerror}{file}; {advice}"
        raise DataDirUnusable(words) from error


def close_to_others(path: Path) -> None:
    """Takes others' rights on the directory away; where it holds more than ours, only those on the data."""
    alone = {entry.name for entry in path.iterdir()} <= OURS
    data = path / "appendonlydir"
    for place in ((path,) if alone else ()) + ((data,) if data.is_dir() else ()):
        if is_open(place):
            with contextlib.suppress(PermissionError):  # another user's; the warning below remains
                place.chmod(PRIVATE)
    if is_open(path):
        log.warning(f"others may enter the data directory {path}: chmod 700 keeps them out")


def is_open(path: Path) -> bool:
    """Whether anybody but the owner has rights on it."""
    return bool(path.stat().st_mode & 0o077)
