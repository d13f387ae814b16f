"""What can go wrong with a run, as one tree.

LoadError
├── BadPlan       the run cannot be as it was asked for
├── StreamEnded   a stream that should live ended
├── ClientFailed  a client process ended before it should
└── NeverRan      what was to run at once never did
"""

from __future__ import annotations

import grpc.aio

__all__ = ["BadPlan", "ClientFailed", "LoadError", "NeverRan", "StreamEnded"]


class LoadError(Exception):
    """Its words say what is wrong, and what to do."""


class BadPlan(LoadError):  # noqa: N818
    """The run cannot be as it was asked for."""


class ClientFailed(LoadError):  # noqa: N818
    """A client process ended before it should; it said why on its own."""


class NeverRan(LoadError):  # noqa: N818
    """What was to run at once never did."""


class StreamEnded(LoadError):  # noqa: N818
    """A stream that should live ended; `whose`, and the error unless the server closed it in good order."""

    def __init__(self, whose: str, error: grpc.aio.AioRpcError | None = None) -> None:
        how = f"ended: {error.code().name} {error.details()}" if error else "was closed by the server"
        super().__init__(f"the stream of {whose} {how}")
