"""What owners, bots, administrators and versions may be called."""

from __future__ import annotations

import re

from targi_server.echo import echoed
from targi_server.errors import Invalid

__all__ = ["checked_name", "checked_version"]

_NAME = re.compile(r"[a-z][a-z0-9_-]{2,31}")
_VERSION_LENGTH = 64


def checked_name(name: str, what: str) -> str:
    """The name itself; `what` ("owner", "bot", ..) is the field that the words of Invalid name."""
    if not _NAME.fullmatch(name):
        raise Invalid(
            f"{what} {echoed(name)}: a name has 3 to 32 of a-z, 0-9, '-' and '_', and begins with a letter"
        )
    return name


def checked_version(version: str) -> str:
    """The version of a bot itself: 1 to 64 printable characters without a blank at either end."""
    if not (0 < len(version) <= _VERSION_LENGTH and version.isprintable() and version == version.strip()):
        raise Invalid(
            f"bot version {echoed(version)}: 1 to {_VERSION_LENGTH} printable characters are allowed,"
            " without blanks around them"
        )
    return version
