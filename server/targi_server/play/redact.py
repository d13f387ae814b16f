"""Which fields of a match are secret, and what of them may be published once it is over.

While a match runs, none of these may be in a view, an event, an answer, an error or a log line. A test takes
everything that a running match sends and looks for their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from targi.v1 import game_pb2

from targi_server.match.model import MatchHeader

__all__ = ["SECRET", "published", "secret_bytes"]

SECRET: Mapping[str, str] = {
    "seed": "decides what is dealt and shuffled; published at the end of its match",
    "opening": "decides the layout; published at the end of its match",
    "opening_secret": "S0; published at the end of game 1",
    "game_secrets": "S1 and S2, each published at the end of its own game",
    "nonce_a": "of seat 0 of game 1; published with the secrets",
    "nonce_b": "of seat 1 of game 1; published with the secrets",
    "deck order": "never part of an observation",
}
"""Secret fields of headers, states and `targi.v1.Secrets`, and when they stop to be secret."""


def published(header: MatchHeader) -> game_pb2.Secrets:
    """What may be known once the match is over: nothing that a later game of its pair rests on."""
    shown = game_pb2.Secrets(seed=header.seed, opening=header.opening or b"")
    if header.secrets is not None:
        shown.opening_secret = header.secrets.opening_secret
        shown.game_secrets.extend(header.secrets.game_secrets[: header.game])
        shown.nonce_a = header.secrets.nonce_a
        shown.nonce_b = header.secrets.nonce_b
    return shown


def secret_bytes(header: MatchHeader) -> tuple[bytes, ...]:
    """All secret values of a running match."""
    secrets = header.secrets
    hidden: tuple[bytes, ...] = (header.seed, header.opening or b"")
    if secrets is not None:
        hidden += (secrets.opening_secret, *secrets.game_secrets, secrets.nonce_a, secrets.nonce_b)
    return tuple(value for value in hidden if value)
