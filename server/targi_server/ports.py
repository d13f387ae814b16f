"""Ports: whether one can be had alone, and the socket of the HTTP port."""

import errno
import socket
import time

from targi_server.start_errors import PortInUse

__all__ = ["listen", "probe"]

ADVICE = {
    errno.EADDRINUSE: "stop who has it, or give another with {port}",
    errno.EACCES: "this user may not open it; give one above 1023 with {port}",
    errno.EADDRNOTAVAIL: "this machine has no such address; give one of its own with {host}",
}
NO_ADDRESS = "that is neither an address nor a name that leads to one; give another with {host}"
RETRY_S = 2.0
"""A worker whose supervisor was killed ends at once, but a supervisor started right then may be faster."""


def listen(host: str, port: int, *, what: str, flag: str) -> socket.socket:
    """A listening socket that nobody shares; port 0 takes a free one. Raises PortInUse in words."""
    end = time.monotonic() + RETRY_S
    while True:
        try:
            return bound(host, port)
        except OSError as error:
            if time.monotonic() > end or not port or error.errno != errno.EADDRINUSE:
                words = advice(error).format(port=flag, host=flag.replace("port", "host"))
                raise PortInUse(
                    f"cannot have {what} {host}:{port}: {error.strerror or error}; {words}"
                ) from error
        time.sleep(0.05)


def advice(error: OSError) -> str:
    """What helps, with `{port}` and `{host}` for the flags."""
    if isinstance(error, socket.gaierror):
        return NO_ADDRESS
    return ADVICE.get(error.errno or 0, "give another with {port} or {host}")


def bound(host: str, port: int) -> socket.socket:
    """Binds the first address of the host, without SO_REUSEPORT, and listens."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except UnicodeError as error:  # what no name can look like is not even looked up
        raise socket.gaierror(socket.EAI_NONAME, "not a host name") from error
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
