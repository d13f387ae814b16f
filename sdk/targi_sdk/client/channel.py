"""gRPC channels to an arena, and the metadata that says who calls."""

from __future__ import annotations

from pathlib import Path

import grpc
import grpc.aio

from targi_sdk.client.address import Address
from targi_sdk.errors import UsageError

__all__ = ["bearer", "open_aio", "open_blocking"]

MAX_FRAME_BYTES = 16 * 1024 * 1024

Options = list[tuple[str, int]]
Metadata = tuple[tuple[str, str], ...]


def open_aio(address: Address) -> grpc.aio.Channel:
    """A channel for asyncio, with a connection of its own. Must be called inside a running loop."""
    if address.tls:
        return grpc.aio.secure_channel(address.target, _trust(address), options=_options(address))
    return grpc.aio.insecure_channel(address.target, options=_options(address))


def open_blocking(address: Address) -> grpc.Channel:
    """A channel for calls that block."""
    if address.tls:
        return grpc.secure_channel(address.target, _trust(address), options=_options(address))
    return grpc.insecure_channel(address.target, options=_options(address))


def bearer(token: str) -> Metadata:
    """Metadata that carries a token; none for the empty token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def _options(address: Address) -> Options:
    """Keepalive stays off (its default): the heartbeat is events of the stream.

    The caller has its own backoff, so a channel must not inherit that of the channel before it.
    """
    return [
        ("grpc.max_receive_message_length", MAX_FRAME_BYTES),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.enable_http_proxy", 0 if address.is_loopback else 1),
    ]


def _trust(address: Address) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(_content(address.ca), _content(address.key), _content(address.cert))


def _content(path: Path | None) -> bytes | None:
    try:
        return None if path is None else path.read_bytes()
    except OSError as error:
        raise UsageError(f"the certificate file {path} cannot be read: {error.strerror}") from error
