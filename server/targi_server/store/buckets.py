"""The 64 buckets into which everything in the store falls.

The number of buckets and their tags are part of the data: they never change. A tag is what Redis Cluster
hashes of a key; its slot is 256 i + 128 for bucket i, so any number of masters gets about the same number of
buckets.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

__all__ = ["BUCKETS", "TAGS", "bucket_of"]

# fmt: off
TAGS: Final[tuple[str, ...]] = (
    "b00wkp", "b01lb", "b02dih", "b03eil", "b04bip", "b05cit", "b06qkh", "b07pkl",
    "b08gpy", "b09nye", "b10abak", "b11acen", "b12btw", "b13cts", "b14anxg", "b15aguz",
    "b16bih", "b17cil", "b18baxa", "b19bywl", "b20azvm", "b21ajpx", "b22aauo", "b23ahxr",
    "b24akhd", "b25abey", "b26aaiv", "b27qe", "b28eubv", "b29baqh", "b30kvn", "b31jvj",
    "b32gdw", "b33fds", "b34acjg", "b35abnb", "b36cdg", "b37bdc", "b38cp", "b39bazs",
    "b40lzg", "b41mzc", "b42fsw", "b43gss", "b44hzw", "b45ask", "b46bsg", "b47csc",
    "b48tyt", "b49lrx", "b50aalf", "b51aqjs", "b52hvr", "b53ivv", "b54amuj", "b55ne",
    "b56hzo", "b57ass", "b58bbdn", "b59bkis", "b60ahhr", "b61aaeo", "b62askp", "b63acme",
)
# fmt: on

BUCKETS: Final = len(TAGS)


def bucket_of(name: str) -> int:
    """Bucket of a match id, an offer id or a bot's name."""
    return crc32(name.encode()) % BUCKETS
