"""Processes that are no children of this one."""

import os
import subprocess
from pathlib import Path

__all__ = ["command_of", "is_alive"]

PROC = Path("/proc")
ENDED = ("Z", "X")
"""States of a process that only waits for its parent to collect it."""


def is_alive(pid: int) -> bool:
    """Whether a process runs, be it another user's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not state(pid).startswith(ENDED)


def command_of(pid: int) -> str:
    """The command line of a process; empty if it has none, as while it becomes another program."""
    if has_proc():
        return read(PROC / str(pid) / "cmdline").replace("\0", " ").strip()
    return shown(pid, "command=")


def state(pid: int) -> str:
    """The letter of its state, as `ps` shows it; Z when it is gone by now."""
    if has_proc():
        # The program's name stands in parentheses before it, and may itself contain some.
        return read(PROC / str(pid) / "stat").rpartition(")")[2].strip() or "Z"
    return shown(pid, "state=") or "Z"


def has_proc() -> bool:
    """Whether the system shows its processes as files, as Linux does and macOS does not."""
    return (PROC / "self").exists()


def read(path: Path) -> str:
    """A file of /proc; empty when the process ended meanwhile."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def shown(pid: int, column: str) -> str:
    """What `ps` shows of a process in one column."""
    command = ["ps", "-ww", "-o", column, "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
