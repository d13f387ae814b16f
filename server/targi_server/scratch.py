"""Temporary directories with their owner's pid in their names, so that those of a killed arena can be told.

targi-demo-PID-..      data of a demo
targi-metrics-PID-..   figures of the workers
targi-redis-PID-..     socket of the embedded Redis, which may outlive its supervisor
"""

import os
import re
import shutil
import socket
import tempfile
from pathlib import Path

from targi_server.embedded.pids import is_alive

__all__ = ["SHORT", "SOCKET", "prefix", "sweep"]

SHORT = Path("/tmp")
"""For paths that must be short, wherever temporary directories are else."""
SOCKET = "redis.sock"
OURS = re.compile(r"targi-(demo|metrics|redis)-(?P<pid>\d+)-")


def prefix(kind: str) -> str:
    """How the name of a temporary directory of this process begins."""
    return f"targi-{kind}-{os.getpid()}-"


def sweep() -> None:
    """Removes what killed arenas of this user have left."""
    for place in {Path(tempfile.gettempdir()), SHORT}:
        for path in place.glob("targi-*"):
            if is_left(path):
                shutil.rmtree(path, ignore_errors=True)


def is_left(path: Path) -> bool:
    """Whether a path is a directory of a process of this user that is gone."""
    name = OURS.match(path.name)
    if name is None or path.is_symlink() or is_alive(int(name["pid"])):
        return False
    try:
        return path.is_dir() and path.stat().st_uid == os.getuid() and not answers(path / SOCKET)
    except OSError:  # swept by another arena meanwhile
        return False


def answers(path: Path) -> bool:
    """Whether somebody listens on a socket."""
    with socket.socket(socket.AF_UNIX) as peer:
        try:
            peer.connect(str(path))
        except OSError:
            return False
    return True
