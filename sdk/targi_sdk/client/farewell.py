"""With what the service ended a stream.

A write that is under way when the stream ends fails, and grpc then puts INTERNAL in place of the status that
the service gave. So the status is read when it comes, before any write can fail over it.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc
import grpc.aio

__all__ = ["Farewell"]

T = TypeVar("T")


class Farewell:
    """Remembers the first status of a call, which is the service's own."""

    def __init__(self, call: grpc.aio.Call) -> None:
        self._first: grpc.aio.AioRpcError | None = None
        call.add_done_callback(lambda _: self._keep(call))

    def of(self, error: grpc.aio.AioRpcError) -> grpc.aio.AioRpcError:
        """What the service said, where `error` is how the call ended here. Its code may be OK."""
        return error if self._first is None else self._first

    def _keep(self, call: grpc.aio.Call) -> None:
        if self._first is None:
            self._first = grpc.aio.AioRpcError(
                _at_once(call.code()),
                _at_once(call.initial_metadata()),
                _at_once(call.trailing_metadata()),
                _at_once(call.details()),
            )


def _at_once(reading: Coroutine[Any, Any, T]) -> T:
    """The value of a coroutine that has nothing to wait for, as the parts of a status that is there."""
    try:
        reading.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    reading.close()
    raise RuntimeError("the status of a call that is over is not there")
