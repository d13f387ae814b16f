"""Where an arena is, and how a command gets there: the options and variables that `targi bot` has, too."""

import argparse
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from targi_server.start_errors import BadSetting

__all__ = ["Address", "add_address", "address_of"]

PORT = 7400
HERE = f"127.0.0.1:{PORT}"
SCHEMES = {"": False, "grpc": False, "http": False, "grpcs": True, "https": True}
"""Scheme of an address to whether it means TLS."""
FILES = {
    "ca": "certificates to trust, in PEM; means TLS",
    "cert": "own certificate, in PEM, for servers that ask for one",
    "key": "its private key, in PEM",
}
"""Options that name files, and what is in them; the variable is the name behind `TARGI_`."""


@dataclass(frozen=True, slots=True)
class Address:
    """An arena's address. The files are read when a connection is made."""

    target: str
    """Host and port."""
    tls: bool = False
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether the address leads to this machine."""
        host = urlsplit(f"//{self.target}").hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def add_address(parser: argparse.ArgumentParser) -> None:
    """Adds `--server`, `--ca`, `--cert` and `--key`."""
    text = f"host:port, or grpcs://host:port for TLS (default: $TARGI_SERVER, else {HERE})"
    parser.add_argument("--server", metavar="ADDRESS", help=text)
    for name, words in FILES.items():
        parser.add_argument(
            f"--{name}", type=Path, metavar="FILE", help=f"{words} (default: ${variable(name)})"
        )


def address_of(args: argparse.Namespace, environment: Mapping[str, str]) -> Address:
    """The address that options and environment give. Raises BadSetting."""
    text = args.server or environment.get("TARGI_SERVER") or HERE
    files = {name: getattr(args, name) or path_in(environment, name) for name in FILES}
    if (files["cert"] is None) != (files["key"] is None):
        given = "key" if files["cert"] is None else "cert"
        words = "--cert and --key belong together: give both, or neither"
        raise BadSetting(f"--{given}", str(files[given]), words)
    scheme, _, rest = text.rpartition("://")
    tls = SCHEMES.get(scheme, False) or any(path is not None for path in files.values())
    return Address(target_of(text, scheme, rest), tls, files["ca"], files["cert"], files["key"])


def target_of(text: str, scheme: str, rest: str) -> str:
    """Host and port of an address."""
    words = "no address: write host:port, or grpcs://host:port for TLS"
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port or PORT
    except ValueError as error:
        raise BadSetting("--server", text, f"{words} ({error})") from error
    if not host or scheme not in SCHEMES or parts.path.strip("/") or parts.username:
        raise BadSetting("--server", text, words)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def variable(name: str) -> str:
    """The environment variable of a file option."""
    return f"TARGI_{name.upper()}"


def path_in(environment: Mapping[str, str], name: str) -> Path | None:
    """The file that the environment names, if it does."""
    text = environment.get(variable(name), "")
    return Path(text) if text else None
