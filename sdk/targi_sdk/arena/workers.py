"""Processes that play for this one: they start clean, leave Ctrl-C to it, and end with it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess

__all__ = ["begin_worker", "kill", "new_pool", "processes_of", "status"]


def new_pool(jobs: int, *, fresh: bool = False) -> ProcessPoolExecutor:
    """A pool of `jobs` processes; with `fresh` each task gets a new one."""
    return ProcessPoolExecutor(
        jobs,
        # A forked child would share the parent's threads and locks; a spawned one starts clean.
        mp_context=get_context("spawn"),
        initializer=begin_worker,
        max_tasks_per_child=1 if fresh else None,
    )


def processes_of(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes that a pool has now."""
    return list((pool._processes or {}).values())  # Python 3.11 has no public way


def kill(pool: ProcessPoolExecutor) -> None:
    """End what a pool runs, where waiting for it could last for ever."""
    for process in processes_of(pool):
        process.kill()


def status(code: int | None) -> str:
    """The exit code of a process in words."""
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit status {code}"


def begin_worker() -> None:
    """What a process that plays does first."""
    if sys.stdout is not None and sys.stderr is not None:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is none of the results
    # Ctrl-C reaches all processes of the terminal; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the parent: a killed one cannot tell its workers, which would wait for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
