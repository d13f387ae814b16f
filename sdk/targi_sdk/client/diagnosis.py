"""Why nobody answers at an address, in words: looked for only after a call failed."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress

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
    problem = _handshake(address, verify=False)
    if problem is None or _wants_certificate(problem):
        return f"{address} expects TLS: write grpcs://{address}"
    return f"something listens at {address}, but it does not answer as an arena: is it the gRPC port?"


def _diagnose_tls(address: Address) -> str:
    try:
        _context(address)
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        return f"the files of --ca, --cert and --key cannot be used together: {reason}; is it its key?"
    problem = _handshake(address, verify=True)
    if isinstance(problem, ssl.SSLCertVerificationError):
        return (
            f"the certificate of {address} is not trusted ({problem.verify_message}): "
            "name the file with its authority (--ca)"
        )
    if problem is not None and _wants_certificate(problem):
        own = "give yours with --cert and --key" if address.cert is None else f"not that in {address.cert}"
        return f"{address} asks for a certificate of its clients: {own}"
    if problem is not None:
        return f"{address.target} does not speak TLS: write it without grpcs://"
    return f"something listens at {address}, but it does not answer as an arena: is it the gRPC port?"


def _handshake(address: Address, *, verify: bool) -> Exception | None:
    """What a TLS handshake fails with, or what the server says after it; None if all is well."""
    try:
        context = _context(address)
        if not verify:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with (
            socket.create_connection((address.host, address.port), timeout=TIMEOUT_S) as plain,
            context.wrap_socket(plain, server_hostname=address.host) as secured,
        ):
            return _afterwards(secured)
    except OSError as error:
        return error


def _context(address: Address) -> ssl.SSLContext:
    """Raises OSError (ssl.SSLError is one) for files that hold no certificate, or the key of another."""
    context = ssl.create_default_context(cafile=None if address.ca is None else str(address.ca))
    context.set_alpn_protocols(["h2"])
    if address.cert is not None:
        context.load_cert_chain(address.cert, address.key)
    return context


def _afterwards(secured: ssl.SSLSocket) -> Exception | None:
    """A server that misses a certificate of ours ends the connection now; any other one greets."""
    with suppress(TimeoutError):
        if not secured.recv(1):
            return EOFError()
    return None


def _wants_certificate(problem: Exception) -> bool:
    alert = isinstance(problem, ssl.SSLError) and "CERTIFICATE_REQUIRED" in (problem.reason or "")
    return alert or isinstance(problem, EOFError)
