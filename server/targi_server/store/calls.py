"""Calls of the scripts of a match: the KEYS and ARGV that each is given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from targi_server.match.entries import MOST_ACTION
from targi_server.store.answers import Append
from targi_server.store.commands import Argument
from targi_server.store.keys import BucketKeys, match_keys

__all__ = ["append_arguments", "digest_argument", "keys_of_bucket", "match_call", "scores_argument"]

DIGEST_BYTES: Final = 8


def match_call(
    match_id: str, replica: str, arguments: Sequence[Argument]
) -> tuple[Sequence[str], Sequence[Argument]]:
    """KEYS and ARGV of a script of a match, called by a replica."""
    names, prefix = _names(match_id)
    return names, (match_id, replica, prefix, *arguments)


def append_arguments(request: Append) -> tuple[Argument, ...]:
    """What append.lua is told of an answer. Raises ValueError for a request that no answer can make."""
    return (
        request.ply,
        request.seat,
        request.next_seat,
        int(request.turn_ended),
        request.received,
        digest_argument(request.digest),
        request.arrived_ms,
        max(0, request.out_ms),
        int(request.struck),
        request.result or "",
        scores_argument(request.scores),
        _actions(request.actions),
        request.since_ms,
        *((request.shown,) if request.struck else ()),
    )


@lru_cache(maxsize=8_192)
def _names(match_id: str) -> tuple[tuple[str, ...], str]:
    """KEYS of the scripts of a match, and the prefix of the keys of all matches of its bucket."""
    keys = match_keys(match_id)
    names = (*keys_of_bucket(keys.bucket), keys.head, keys.live, keys.log, keys.memo, keys.end, keys.done)
    return names, keys.bucket.matches


def keys_of_bucket(keys: BucketKeys) -> tuple[str, str, str, str, str]:
    """The first KEYS of each script of the match log."""
    return keys.deadlines, keys.beats, keys.outages, keys.outbox, keys.news


def scores_argument(scores: tuple[int, int] | None) -> str:
    """Scores, or that there are none."""
    return "- -" if scores is None else f"{scores[0]} {scores[1]}"


def _actions(actions: tuple[int, ...]) -> str:
    if not actions or max(actions) > MOST_ACTION:
        raise ValueError(f"an answer has one action at least, each at most {MOST_ACTION}, not {actions}")
    return " ".join(map(str, actions))


def digest_argument(digest: bytes) -> bytes:
    """A digest. Raises ValueError for one of another length."""
    if len(digest) != DIGEST_BYTES:
        raise ValueError(f"a digest has {DIGEST_BYTES} bytes, not {len(digest)}")
    return digest
