"""Why nobody answers at an address, in words: looked for only after a call failed."""

from __future__ import annotations

import socket
import ssl

from targi_sdk.client.address import Address

__all__ = ["diagnose"]

TIMEOUT_S = 2.0


def diagnose(address: Address) -> str:
    """What stands in the way to an arena, and what to do. Blocks for a few seconds at most."""
    try:
        with socket.create_connection((address.host, address.port), timeout=TIMEOUT_S):
            pass
    except socket.gaierror:
        return f"there is no host {address.host!r}: check the address of the server"
    except ConnectionRefusedError:
        return f"nobody listens at {address}: is the server running? (`targi serve` starts one)"
    except OSError as error:
        return f"no connection to {address}: {error.strerror or error}"
    return _diagnose_tls(address) if address.tls else _diagnose_plain(address)


def _diagnose_plain(address: Address) -> str:
    if _handshake(address, verify=False) is None:
        return f"{address} expects TLS: write grpcs://{address}"
    return f"something listens at {address}, but it does not answer as an arena: is it the gRPC port?"


def _diagnose_tls(address: Address) -> str:
    problem = _handshake(address, verify=True)
    if isinstance(problem, ssl.SSLCertVerificationError):
        return (
            f"the certificate of {address} is not trusted ({problem.verify_message}): "
            "name the file with its authority (--ca)"
        )
    if problem is not None:
        return f"{address.target} does not speak TLS: write it without grpcs://"
    return f"something listens at {address}, but it does not answer as an arena: is it the gRPC port?"


def _handshake(address: Address, *, verify: bool) -> Exception | None:
    """What a TLS handshake fails with, None if it succeeds."""
    context = ssl.create_default_context(cafile=None if address.ca is None else str(address.ca))
    context.set_alpn_protocols(["h2"])
    if not verify:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((address.host, address.port), timeout=TIMEOUT_S) as plain,
            context.wrap_socket(plain, server_hostname=address.host),
        ):
            return None
    except OSError as error:
        return error
