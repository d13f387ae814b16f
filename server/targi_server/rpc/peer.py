"""Where a call comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import unquote

__all__ = ["Network", "address_of", "household_of", "networks_of"]

Network: TypeAlias = IPv4Network | IPv6Network

FORWARDED = "x-forwarded-for"
HOUSEHOLD = 64
"""Bits of an IPv6 address that are one customer's: whoever has one such address has all of them."""


def networks_of(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks, such as 10.0.0.0/8, from texts that the settings checked."""
    return tuple(ip_network(text) for text in texts)


def address_of(peer: str, metadata: Mapping[str, str], trusted: Collection[Network]) -> str:
    """Address of the caller, from a peer name like ``ipv4:127.0.0.1:5000`` or ``ipv6:%5B::1%5D:5000``.

    What a proxy forwarded counts only if the proxy itself is `trusted`: the last address that is no trusted
    proxy's, for that is the one which the outermost of them saw.
    """
    kind, _, rest = unquote(peer).partition(":")
    address = _plain(rest.rpartition(":")[0].strip("[]")) if kind in ("ipv4", "ipv6") else peer
    hops = [hop.strip() for hop in metadata.get(FORWARDED, "").split(",")]
    while hops and _is_within(address, trusted):
        hop = _plain(hops.pop())
        if not _is_address(hop):
            break
        address = hop
    return address


def household_of(address: str) -> str:
    """What limits count: an IPv4 address, or the network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, HOUSEHOLD), strict=False)) if isinstance(found, IPv6Address) else address


def _plain(address: str) -> str:
    """An IPv4 address that reads like an IPv6 one as what it is."""
    mapped = address.lower().removeprefix("::ffff:")
    return mapped if "." in mapped else address


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_within(address: str, networks: Collection[Network]) -> bool:
    return _is_address(address) and any(ip_address(address) in network for network in networks)
