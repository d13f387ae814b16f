"""Ports for what tests start."""

from __future__ import annotations

import random
import socket
from pathlib import Path

__all__ = ["free_port", "is_free", "spared"]

LOWEST = 10_000
GIVEN_FROM = 49_152
"""By the system, where it does not say so itself (IANA's dynamic ports)."""
FEW = 1_000
TRIES = 100


def free_port() -> int:
    """A port of the loopback interface that nobody listens on at the moment.

    It is none of those that the system gives to whoever asks for any: one of them may be taken by the time
    that it is used, by a connection or by another test.
    """
    for _ in range(TRIES):
        port = random.choice(spared())
        if is_free(port):
            return port
    raise AssertionError(f"{TRIES} ports in a row are in use, of {spared()}")


def spared() -> range:
    """The ports that the system does not give away by itself; all high ones if those are few."""
    given = Path("/proc/sys/net/ipv4/ip_local_port_range")
    first = int(given.read_text().split()[0]) if given.exists() else GIVEN_FROM
    return range(LOWEST, first if first > LOWEST + FEW else GIVEN_FROM)


def is_free(port: int) -> bool:
    """Whether it can be had alone."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
