"""Ports: whether one can be had alone, and the socket of the HTTP port."""

import socket
import time

from targi_server.start_errors import PortInUse

__all__ = ["listen", "probe"]

RETRY_S = 2.0
"""A worker whose supervisor was killed ends at once, but a supervisor started right then may be faster."""


def listen(host: str, port: int, *, what: str, flag: str) -> socket.socket:
    """A listening socket that nobody shares; port 0 takes a free one. Raises PortInUse in words."""
    end = time.monotonic() + RETRY_S
    while True:
        try:
            return bound(host, port)
        except OSError as error:
            if time.monotonic() > end or not port:
                raise PortInUse(
                    f"cannot have {what} {host}:{port}: {error.strerror or error}; "
                    f"stop who has it, or give another with {flag}"
                ) from error
        time.sleep(0.05)


def bound(host: str, port: int) -> socket.socket:
    """Binds the first address of the host, without SO_REUSEPORT, and listens."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # else TIME_WAIT would be in the way
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def probe(host: str, port: int) -> int:
    """The port that workers can open, a free one for 0. Raises PortInUse.

    gRPC itself would share a port with whoever has it and get half of the connections.
    """
    with listen(host, port, what="the gRPC port", flag="--port") as listener:
        return int(listener.getsockname()[1])
