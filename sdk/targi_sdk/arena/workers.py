"""Processes that play for this one: they start clean, leave Ctrl-C to it, and end with it."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process

__all__ = ["begin_worker", "new_pool"]


def new_pool(jobs: int, *, fresh: bool = False) -> ProcessPoolExecutor:
    """A pool of `jobs` processes; with `fresh` each task gets a new one."""
    return ProcessPoolExecutor(
        jobs,
        # A forked child would share the parent's threads and locks; a spawned one starts clean.
        mp_context=get_context("spawn"),
        initializer=begin_worker,
        max_tasks_per_child=1 if fresh else None,
    )


def begin_worker() -> None:
    """What a process that plays does first."""
    # Ctrl-C reaches all processes of the terminal; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the parent: a killed one cannot tell its workers, which would wait for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
