"""Errors as gRPC statuses that carry ``google.rpc.ErrorInfo``."""

from __future__ import annotations

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status

from targi_server.errors import DOMAIN, ServerError

__all__ = ["MOST_WORDS", "rich_status"]

MOST_WORDS = 600
"""Characters of words in a status: it has them twice, escaped, in headers that hold 16 kB in all."""


def rich_status(error: ServerError) -> grpc.Status:
    """Status of `error`: its code, its words, and its reason without prefix in the domain ``targi``."""
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN))
    code = code_pb2.Code.Value(error.status.name)
    status = status_pb2.Status(code=code, message=error.words[:MOST_WORDS], details=[detail])
    return rpc_status.to_status(status)
