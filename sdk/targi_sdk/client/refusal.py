"""What a failed gRPC call means: the border at which gRPC's errors become the SDK's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from targi_sdk.client.address import Address
from targi_sdk.client.diagnosis import diagnose
from targi_sdk.errors import (
    ArenaError,
    BadTokenError,
    RefusedError,
    ReplacedError,
    UnreachableError,
    VersionError,
)

__all__ = ["Failed", "is_final", "reason_of", "refusal"]

DOMAIN = "targi"
DETAILS_KEY = "grpc-status-details-bin"

Failed = grpc.RpcError
"""What gRPC raises; every one that a call raises has code, details and trailing metadata."""

ERRORS: dict[str, type[RefusedError]] = {
    "BAD_TOKEN": BadTokenError,
    "REPLACED": ReplacedError,
    "VERSION_MISMATCH": VersionError,
}
"""Reasons with an error class of their own."""

ASSUMED = {
    grpc.StatusCode.UNAUTHENTICATED: "BAD_TOKEN",
    grpc.StatusCode.PERMISSION_DENIED: "FORBIDDEN",
    grpc.StatusCode.UNIMPLEMENTED: "UNIMPLEMENTED",
    grpc.StatusCode.INVALID_ARGUMENT: "INVALID",
}
"""Reason that is assumed where a status, as of a proxy in between, carries none."""

UNREACHABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

STATUS_LOST = "Internal error from Core"
"""What grpc.aio says in place of a stream's status when a write failed because the stream is over (its issue
36066). The arena says why again when the bot comes back: a reason that is final ends it then."""

FINAL = frozenset(
    {
        "BAD_TOKEN",
        "BOT_PAUSED",
        "FORBIDDEN",
        "INVALID",
        "NOT_FOUND",
        "PROTOCOL",
        "REPLACED",
        "TOO_LARGE",
        "UNIMPLEMENTED",
        "VERSION_MISMATCH",
    }
)
"""Reasons that another try does not change."""


def reason_of(error: Failed) -> str:
    """The machine-readable reason of a failed call, "" if it carries none."""
    # Blocking and asyncio errors carry pairs alike; the stubs have a type of its own for the former.
    metadata = cast("Iterable[tuple[str, str | bytes]] | None", error.trailing_metadata())
    for key, value in metadata or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return _reason_in(value)
    return ""


def _reason_in(details: bytes) -> str:
    info = error_details_pb2.ErrorInfo()
    try:
        for detail in status_pb2.Status.FromString(details).details:
            if detail.Unpack(info) and info.domain == DOMAIN:
                return str(info.reason)
    except DecodeError:
        return ""
    return ""


def refusal(error: Failed, address: Address) -> ArenaError:
    """The SDK's error for a failed call. Looks at the address itself when nobody answered there."""
    reason = reason_of(error) or ASSUMED.get(error.code(), "")
    if not reason and error.code() in UNREACHABLE:
        return UnreachableError(diagnose(address))
    if not reason and error.details() == STATUS_LOST:
        return UnreachableError("the stream ended while something was being sent, and its reason was lost")
    return ERRORS.get(reason, RefusedError)(reason, _words(error, reason, address))


def is_final(error: ArenaError) -> bool:
    """Whether trying again is of no use."""
    return isinstance(error, RefusedError) and error.reason in FINAL


def _words(error: Failed, reason: str, address: Address) -> str:
    said = error.details() or error.code().name
    if reason == "BAD_TOKEN":
        return f"{address} does not accept the token: {said}"
    if reason == "UNIMPLEMENTED":
        return f"{address} does not offer this call ({said}): is it an arena, and of this version?"
    return said
