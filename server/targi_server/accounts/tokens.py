"""Bearer tokens: how they are made, read, and kept.

A token is `targi_<kind>_<random>`, the random part 32 bytes in URL-safe base 64. The server keeps only its
SHA-256: 256 random bits need no salt and no slow hash, and nothing that leaks from the store lets anybody in.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from targi_server.accounts.identity import TokenKind
from targi_server.errors import BadToken

__all__ = ["digest", "kind_of", "make", "same"]

_RANDOM_BYTES = 32
_TOKEN = re.compile(r"targi_(owner|bot|admin)_[A-Za-z0-9_-]{22,86}")


def make(kind: TokenKind) -> str:
    """A new token; it is never seen again once it was handed out."""
    return f"targi_{kind}_{secrets.token_urlsafe(_RANDOM_BYTES)}"


def kind_of(token: str) -> TokenKind:
    """What kind of account the token claims to be for; BadToken for a text that is no token."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise BadToken(
            "this is no token: it reads targi_owner_.., targi_bot_.. or targi_admin_.., copied whole"
        )
    return TokenKind(match[1])


def digest(token: str) -> str:
    """What is kept of a token: its SHA-256, 64 hex digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(kept: str, given: str) -> bool:
    """Whether two digests are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(kept.encode(), given.encode())
