"""The options that say which arena a command talks to."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from targi_sdk.client.address import DEFAULT, Address

__all__ = ["SERVER_VARIABLE", "add_server_arguments", "server_of"]

SERVER_VARIABLE = "TARGI_SERVER"
CA_VARIABLE = "TARGI_CA"


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--server` and `--ca`."""
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        help=f"host:port, or grpcs://host:port for TLS (default: ${SERVER_VARIABLE}, else {DEFAULT})",
    )
    parser.add_argument(
        "--ca",
        type=Path,
        metavar="FILE",
        help=f"certificates to trust, in PEM; means TLS (default: ${CA_VARIABLE}, else the system's)",
    )


def server_of(args: argparse.Namespace) -> Address:
    """The address that options and environment give. Raises `UsageError`."""
    ca = args.ca or os.environ.get(CA_VARIABLE)
    text = args.server or os.environ.get(SERVER_VARIABLE) or str(DEFAULT)
    return Address.parse(text, Path(ca) if ca else None)
