"""Names of all keys and channels in Redis: the only place that builds them.

    targi:{<tag>}:m:<match>:<part>     a match: head, live, log, memo, end, done
    targi:{<tag>}:<part>               a bucket: deadlines, beats, outages, outbox
    targi:{<tag>}:news                 the channel of a bucket
    targi:{<tag>}:<area>:<id>:<part>   anything else with an id: a bot, an offer, an owner

A tag is that of the bucket of the id. Keys of one script must have one tag.
"""

from __future__ import annotations

from dataclasses import dataclass

from targi_server.store.buckets import BUCKETS, TAGS, bucket_of

__all__ = ["ALL_BUCKETS", "BucketKeys", "MatchKeys", "area_key", "bucket_keys", "channel_of", "match_keys"]


@dataclass(frozen=True, slots=True)
class BucketKeys:
    """Keys of a bucket; the scripts' headers say what each holds."""

    matches: str
    """Prefix of the keys of its matches."""
    deadlines: str
    beats: str
    outages: str
    outbox: str
    news: str
    """Channel."""


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """Keys of a match; the scripts' headers say what each holds."""

    head: str
    live: str
    log: str
    memo: str
    end: str
    done: str
    bucket: BucketKeys


def _of_bucket(tag: str) -> BucketKeys:
    root = f"targi:{{{tag}}}:"
    return BucketKeys(
        f"{root}m:", f"{root}deadlines", f"{root}beats", f"{root}outages", f"{root}outbox", f"{root}news"
    )


ALL_BUCKETS: tuple[BucketKeys, ...] = tuple(_of_bucket(tag) for tag in TAGS)


def bucket_keys(name: str) -> BucketKeys:
    """Keys of the bucket of a match id, an offer id or a bot's name."""
    return ALL_BUCKETS[bucket_of(name)]


def match_keys(match_id: str) -> MatchKeys:
    """Keys of a match."""
    bucket = bucket_keys(match_id)
    root = f"{bucket.matches}{match_id}:"
    return MatchKeys(
        f"{root}head", f"{root}live", f"{root}log", f"{root}memo", f"{root}end", f"{root}done", bucket
    )


def area_key(area: str, name: str, part: str) -> str:
    """Key of a part of something with a name: `area_key("bot", "alice", "account")`.

    All keys of one name are in one bucket, whatever the area; that of a bot is also the bucket of its news.
    """
    return f"targi:{{{TAGS[bucket_of(name)]}}}:{area}:{name}:{part}"


def channel_of(bucket: int) -> str:
    """Channel of a bucket, 0 to 63."""
    return ALL_BUCKETS[bucket % BUCKETS].news
