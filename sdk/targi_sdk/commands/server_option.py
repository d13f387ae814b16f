"""The options that say which arena a command talks to."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from targi_sdk.client.address import DEFAULT, Address

__all__ = ["SERVER_VARIABLE", "add_server_arguments", "server_of"]

SERVER_VARIABLE = "TARGI_SERVER"
FILES = {
    "ca": "certificates to trust, in PEM; means TLS",
    "cert": "own certificate, in PEM, for arenas that ask for one",
    "key": "its private key, in PEM",
}
"""Options that name files; each also as a variable, such as `TARGI_CA`."""


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--server`, `--ca`, `--cert` and `--key`."""
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        help=f"host:port, or grpcs://host:port for TLS (default: ${SERVER_VARIABLE}, else {DEFAULT})",
    )
    for name, words in FILES.items():
        help_text = f"{words} (default: ${_variable(name)})"
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=help_text)


def server_of(args: argparse.Namespace) -> Address:
    """The address that options and environment give. Raises `UsageError`."""
    text = args.server or os.environ.get(SERVER_VARIABLE) or str(DEFAULT)
    return Address.parse(text, *(_file(args, name) for name in FILES))


def _file(args: argparse.Namespace, name: str) -> Path | None:
    given = getattr(args, name) or os.environ.get(_variable(name))
    return Path(given) if given else None


def _variable(name: str) -> str:
    return f"TARGI_{name.upper()}"
