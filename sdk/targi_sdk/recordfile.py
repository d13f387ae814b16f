"""Records in files: reading with errors that name the file, and writing that never leaves half a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from targi_engine import Record, RecordError

from targi_sdk.errors import SdkError

__all__ = ["SUFFIX", "RecordFileError", "read_record", "write_record"]

SUFFIX = ".targi"


class RecordFileError(SdkError):
    """A file that cannot be read or written, or holds no valid record. The text begins with its name."""


def read_record(path: Path) -> Record:
    """Parse the record in a file. Raises `RecordFileError`; the moves are not checked."""
    try:
        return Record.parse(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RecordFileError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordFileError(f"{path}: not a record, byte {error.start} is not UTF-8 text") from error
    except RecordError as error:
        raise RecordFileError(f"{path}: {error}") from error


def write_record(path: Path, text: str, *, synced: bool = False) -> None:
    """Write a record's text so that the file is there whole or not at all. Raises `RecordFileError`.

    `synced`: also if the machine loses power, at the cost of a sync of the disk.
    """
    try:
        _replace(path, text, synced)
    except OSError as error:
        raise RecordFileError(f"{path}: {error.strerror}") from error


def _replace(path: Path, text: str, synced: bool) -> None:
    """Write beside the target, then rename: the one step that file systems do at once."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    scratch = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        scratch.chmod(0o666 & ~_umask())
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The process' umask: it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
