"""The gRPC server: options, registration, health and reflection."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from targi_server.rpc.concerns import Concern
from targi_server.rpc.handlers import handlers_of
from targi_server.rpc.peer import networks_of
from targi_server.rpc.tls import certificates_of
from targi_server.settings import Settings
from targi_server.start_errors import PortInUse

__all__ = ["Health", "Registration", "listening"]

log = logging.getLogger(__name__)

PING_INTERVAL_MS = 5_000
"""Keepalive pings of foreign clients are tolerated at this interval; grpc's own limit is 5 minutes.

Half of the 10 s that clients are promised, for pings that are sent 10 s apart may arrive a little sooner
after each other. grpc passes over an option that it does not know, so a misspelt name does nothing.
"""
IDLE_MS = 300_000
"""Connections without a call are closed after this time; clients open them again by themselves."""
HANDSHAKE_MS = 10_000
"""Time for TLS and HTTP/2 to be agreed on."""
HARD_LIMIT = 4
"""Frames up to this many times the limit are refused with words; larger ones by grpc, which ends the call."""

Registration = tuple[ServiceDescriptor, object]


@dataclass(frozen=True, slots=True)
class Health:
    """Standard health of this server and of each of its services."""

    servicer: health.aio.HealthServicer
    services: tuple[str, ...]

    async def set_serving(self, serving: bool) -> None:
        """Tell load balancers whether to send anything here."""
        status = health_pb2.HealthCheckResponse
        for service in (health.OVERALL_HEALTH, *self.services):
            await self.servicer.set(service, status.SERVING if serving else status.NOT_SERVING)


@contextlib.asynccontextmanager
async def listening(
    settings: Settings, registrations: Iterable[Registration], order: tuple[Concern, ...]
) -> AsyncIterator[tuple[int, Health]]:
    """Serve on the settings' address until left: the port, and the health to set. Raises PortInUse."""
    server = grpc.aio.server(options=_options(settings))
    trusted, names = networks_of(settings.trusted_proxy), []
    for service, servicer in registrations:
        handlers = handlers_of(service, servicer, order, trusted_proxies=trusted)
        server.add_generic_rpc_handlers((handlers,))
        names.append(service.full_name)
    status = _add_standard_services(server, names)
    port = _bind(server, settings)
    await server.start()
    try:
        yield port, status
    finally:
        await server.stop(None)


def _options(settings: Settings) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(settings.workers > 1)),
        ("grpc.http2.min_ping_interval_without_data_ms", PING_INTERVAL_MS),
        ("grpc.max_receive_message_length", HARD_LIMIT * settings.max_frame_bytes),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_connection_idle_ms", IDLE_MS),
        ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
    ]


def _add_standard_services(server: grpc.aio.Server, names: list[str]) -> Health:
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    standard = (health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection((*names, *standard), server)
    return Health(servicer, tuple(names))


def _bind(server: grpc.aio.Server, settings: Settings) -> int:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{host}:{settings.port}"
    certificates = certificates_of(settings)
    try:
        if certificates is not None:
            return server.add_secure_port(address, certificates.credentials())
        _warn_if_open(settings)
        return server.add_insecure_port(address)
    except RuntimeError as error:
        words = (
            f"cannot listen on {address}: another server has the port, or the address is not this machine's"
        )
        raise PortInUse(words) from error


def _warn_if_open(settings: Settings) -> None:
    """Say so where tokens may be read on their way."""
    if not _is_loopback(settings.host):
        log.warning(
            "the gRPC port is open to other machines without TLS: whoever sees the traffic can read tokens;"
            " give --tls-cert and --tls-key, or let a load balancer do it"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
