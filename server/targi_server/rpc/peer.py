"""Where a call comes from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import unquote

__all__ = ["address_of"]

FORWARDED = "x-forwarded-for"


def address_of(peer: str, metadata: Mapping[str, str], trusted: Collection[str]) -> str:
    """Address of the caller, from a peer name like ``ipv4:127.0.0.1:5000`` or ``ipv6:%5B::1%5D:5000``.

    What a proxy forwarded counts only if the proxy itself is `trusted`: the last address, for that is the one
    which the proxy saw.
    """
    kind, _, rest = unquote(peer).partition(":")
    address = rest.rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else peer
    forwarded = metadata.get(FORWARDED, "").rpartition(",")[2].strip()
    return forwarded if forwarded and address in trusted else address
