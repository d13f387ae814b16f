"""Processor time by role: on a machine that is busy with other things too, the steadiest measure there is.

And how long processes waited for a processor: how busy the machine was with others.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import psutil
from arena_process import Arena, role_of

__all__ = ["of", "queued", "spent", "table"]

ROLES = ("worker", "redis", "supervisor")


def spent(server: Arena) -> dict[str, float]:
    """Processor seconds of the server's processes so far, by role."""
    seconds = dict.fromkeys(ROLES, 0.0)
    for process in server.tree():
        role = role_of(process)
        if role in seconds:
            seconds[role] += of(process)
    return seconds


def of(process: psutil.Process) -> float:
    """Processor seconds of one process so far."""
    times = process.cpu_times()
    return times.user + times.system


def queued(server: Arena) -> float:
    """Seconds so far that threads of the workers were ready to run and had no processor; 0 where unknown."""
    return sum(_queued(process) for process in server.find_all("worker"))


def _queued(process: psutil.Process) -> float:
    found = Path(f"/proc/{process.pid}/task").glob("*/schedstat")  # Linux only
    try:
        return sum(int(each.read_text().split()[1]) for each in found) / 1e9
    except OSError:
        return 0.0


def table(seconds: Mapping[str, float], actions: float) -> Iterable[str]:
    """Microseconds of processor time for each committed action, by role, the largest first."""
    for role, used in sorted(seconds.items(), key=lambda item: -item[1]):
        yield f"    {role:<12s} {used / max(1.0, actions) * 1e6:7.1f} us an action"
    yield f"    {'together':<12s} {sum(seconds.values()) / max(1.0, actions) * 1e6:7.1f} us an action"
