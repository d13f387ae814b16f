"""Processes that are no children of this one."""

import os
import subprocess
from pathlib import Path

__all__ = ["command_of"]


def command_of(pid: int) -> str:
    """The command line of a process; empty if it ended, even if its parent has not collected it yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:  # it runs, as somebody else
        pass
    proc = Path("/proc") / str(pid) / "cmdline"
    if Path("/proc/self").exists():
        return read_words(proc)
    shown = subprocess.run(
        ["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip()


def read_words(path: Path) -> str:
    """A /proc command line with blanks between its words; empty when the process ended meanwhile."""
    try:
        return path.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
