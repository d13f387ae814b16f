"""Where an arena is: a host, a port and whether the way there is encrypted."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from targi_sdk.errors import UsageError

__all__ = ["DEFAULT", "DEFAULT_PORT", "Address"]

DEFAULT_PORT = 7400
SCHEMES = {"": False, "grpc": False, "http": False, "grpcs": True, "https": True}
"""Scheme of an address to whether it means TLS."""


@dataclass(frozen=True, slots=True)
class Address:
    """An arena's address. `str()` gives a text that `parse` reads back."""

    host: str
    port: int = DEFAULT_PORT
    tls: bool = False
    ca: Path | None = None
    """File with the certificates to trust (PEM), None for the usual authorities; not part of the text."""
    cert: Path | None = None
    """File with the own certificate (PEM), for arenas that ask for one; not part of the text."""
    key: Path | None = None
    """File with its private key (PEM)."""

    def __str__(self) -> str:
        return f"grpcs://{self.target}" if self.tls else self.target

    @property
    def target(self) -> str:
        """Host and port as gRPC takes them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the address leads to this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @classmethod
    def parse(
        cls, text: str, ca: Path | None = None, cert: Path | None = None, key: Path | None = None
    ) -> Address:
        """Read `host`, `host:port` or `grpcs://host:port`; any file means TLS too. Raises `UsageError`."""
        if (cert is None) != (key is None):
            raise UsageError("a certificate and its key belong together: give --cert and --key, or neither")
        scheme, _, rest = text.rpartition("://")
        try:
            parts = urlsplit(f"//{rest}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError(f"{text!r} is no address: {error}; write host:port") from error
        if not host or scheme not in SCHEMES or parts.path.strip("/") or parts.username:
            raise UsageError(f"{text!r} is no address: write host:port, or grpcs://host:port for TLS")
        tls = SCHEMES[scheme] or ca is not None or cert is not None
        return cls(host, DEFAULT_PORT if port is None else port, tls, ca, cert, key)


DEFAULT = Address("127.0.0.1")
"""The arena that `targi serve` starts on this machine."""
