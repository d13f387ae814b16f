"""Becomes another program, tied to the life of its parent.

Run as a script with the interpreter's `-I` and `-S`: `launcher.py PARENT SIGNAL PROGRAM ARGUMENT...`. On
Linux the kernel sends the signal when the *thread* that started this process ends, so start it from the main
thread. This tie outlives `exec`. Elsewhere a process beside the program watches the parent and kills for it,
if the signal is SIGKILL; with a milder one, the program outlives a killed parent (whose next run adopts its
Redis).
"""

import ctypes
import os
import signal
import sys
import time
from typing import NoReturn

PR_SET_PDEATHSIG = 1
PARENT_GONE = 3
LOOK_S = 1.0
LINUX = sys.platform == "linux"


def tied(*command: str, by: signal.Signals = signal.SIGTERM) -> list[str]:
    """The command line that runs `command` as a child of this process that gets the signal at its end."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(by)), *command]


def tie_to_parent(parent: int, number: int) -> None:
    """Asks for the signal at the parent's end."""
    if LINUX:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    elif number == signal.SIGKILL:
        program = os.getpid()
        if os.fork() == 0:
            watch(parent, program)


def watch(parent: int, program: int) -> NoReturn:
    """Kills the program, this process's own parent, once its parent is gone; ends with either."""
    while os.getppid() == program:
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os.kill(program, signal.SIGKILL)
        time.sleep(LOOK_S)
    os._exit(0)


def main(parent: int, number: int, command: list[str]) -> NoReturn:
    """Runs the command in place of this process."""
    tie_to_parent(parent, number)
    if os.getppid() != parent:  # it ended before the tie held
        sys.exit(PARENT_GONE)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
