"""Processor time by role: on a machine that is busy with other things too, the steadiest measure there is."""

from collections.abc import Iterable, Mapping

import psutil
from arena_process import Arena, role_of

__all__ = ["of", "spent", "table"]

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


def table(seconds: Mapping[str, float], actions: float) -> Iterable[str]:
    """Microseconds of processor time for each committed action, by role, the largest first."""
    for role, used in sorted(seconds.items(), key=lambda item: -item[1]):
        yield f"    {role:<12s} {used / max(1.0, actions) * 1e6:7.1f} us an action"
    yield f"    {'together':<12s} {sum(seconds.values()) / max(1.0, actions) * 1e6:7.1f} us an action"
