"""Becomes another program, tied to the life of its parent where the system can do that.

Run as a script with the interpreter's `-I` and `-S`: `launcher.py PARENT PROGRAM ARGUMENT...`. On Linux the
kernel sends SIGTERM when the *thread* that started this process ends, so start it from the main thread. This
tie outlives `exec`. Elsewhere a killed supervisor leaves its Redis alive, and the next one adopts it.
"""

import ctypes
import os
import signal
import sys
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PARENT_GONE = 3


def tied(*command: str) -> list[str]:
    """The command line that runs `command` as a tied child of this process."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def tie_to_parent() -> None:
    """Asks for SIGTERM at the parent's end."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")


def main(parent: int, command: list[str]) -> NoReturn:
    """Runs the command in place of this process."""
    tie_to_parent()
    if os.getppid() != parent:  # it ended before the tie held
        sys.exit(PARENT_GONE)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
