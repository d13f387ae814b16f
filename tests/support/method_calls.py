"""Every method of targi.v1, and one call of it with any bytes."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from play_client import Arena, bearer, reason_of
from targi.v1 import (
    account_service_pb2,
    admin_service_pb2,
    ladder_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
)

MODULES = (account_service_pb2, admin_service_pb2, ladder_service_pb2, lobby_service_pb2, match_service_pb2)


METHODS = [
    method
    for module in MODULES
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


async def answer(here: Arena, method: MethodDescriptor, request: bytes, token: str = "") -> str:
    """Reason with which a call is refused; OK if it is answered. The answer itself may be a stream."""
    channel = here.channel()
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = bearer(token) if token else ()
    try:
        if method.server_streaming:
            stream: Any = channel.unary_stream(path)
            async for _ in stream(request, metadata=metadata, timeout=10):
                break
        else:
            unary: Any = channel.unary_unary(path)
            await unary(request, metadata=metadata, timeout=10)
    except grpc.aio.AioRpcError as error:
        return reason_of(error)
    return "OK"
