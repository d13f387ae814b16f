"""TLS of the gRPC port: its certificate, and whether clients have to show one."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path

import grpc

from targi_server.settings import Settings
from targi_server.start_errors import BadSetting

__all__ = ["Certificates", "certificates_of"]

log = logging.getLogger(__name__)


class Certificates:
    """The files of the settings. A renewed certificate is used from the next connection on."""

    def __init__(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        self._cert = cert
        self._key = key
        self._client_ca = client_ca
        self._known = self._stamps()

    def credentials(self) -> grpc.ServerCredentials:
        """What the port is opened with. Raises BadSetting for files that will not do."""
        return grpc.dynamic_ssl_server_credentials(
            self._read(),
            self._renewed,  # type: ignore[arg-type]  # the stubs do not know that None means no change
            require_client_authentication=self._client_ca is not None,
        )

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """The configuration if the files changed, None if it stays; asked at each connection."""
        try:
            stamps = self._stamps()
            if stamps == self._known:
                return None
            renewed = self._read()
        except (BadSetting, OSError) as error:
            log.error("the renewed certificate is not used, the one before stays: %s", error)
            return None
        log.info("the certificate of the gRPC port was renewed")
        self._known = stamps
        return renewed

    def _stamps(self) -> list[tuple[int, int]]:
        """When the files were changed, and how long they are; nothing for one that is not there."""
        found = (path.stat() for path in self._paths() if path.exists())
        return [(status.st_mtime_ns, status.st_size) for status in found]

    def _paths(self) -> tuple[Path, ...]:
        return (
            (self._cert, self._key) if self._client_ca is None else (self._cert, self._key, self._client_ca)
        )

    def _read(self) -> grpc.ServerCertificateConfiguration:
        self._check()
        root = None if self._client_ca is None else self._client_ca.read_bytes()
        return grpc.ssl_server_certificate_configuration(
            [(self._key.read_bytes(), self._cert.read_bytes())], root_certificates=root
        )

    def _check(self) -> None:
        """grpc takes anything and fails at each handshake, so the files are tried beforehand."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self._cert, self._key, password=_no_password)
        except (OSError, ValueError) as error:  # SSLError is an OSError
            words = f"no certificate that fits the key {self._key}, both in PEM: {error}"
            raise BadSetting("--tls-cert", str(self._cert), words) from error
        try:
            if self._client_ca is not None:
                context.load_verify_locations(self._client_ca)
        except OSError as error:
            raise BadSetting(
                "--tls-client-ca", str(self._client_ca), f"no certificates in PEM: {error}"
            ) from error


def certificates_of(settings: Settings) -> Certificates | None:
    """The certificates that the settings name, None for a port without TLS."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return Certificates(settings.tls_cert, settings.tls_key, settings.tls_client_ca)


def _no_password() -> str:
    raise ValueError("the key is encrypted; it must be readable without a password")
