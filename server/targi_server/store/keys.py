"""Names of all keys and channels in Redis: the only place that builds them.

    targi:{<tag>}:m:<match>:<part>     a match: head, live, log, memo, end, story, done
    targi:{<tag>}:<part>               a bucket: deadlines, beats, outages, outbox, unexported
    targi:{<tag>}:news                 the channel of a bucket
    targi:{<tag>}:<area>:<id>:<part>   anything else with an id: a bot, an offer, an owner

A tag is that of the bucket of the id. Keys of one script must have one tag.
"""

from __future__ import annotations

from dataclasses import dataclass

from targi_server.store.buckets import BUCKETS, TAGS, bucket_of

__all__ = [
    "ALL_BUCKETS",
    "ALL_LOBBIES",
    "BotKeys",
    "BucketKeys",
    "LadderKeys",
    "LobbyKeys",
    "MatchKeys",
    "account_key",
    "archive_key",
    "area_key",
    "audit_key",
    "bans_key",
    "bot_keys",
    "bucket_keys",
    "channel_of",
    "drain_key",
    "ladder_bot_key",
    "ladder_keys",
    "leader_keys",
    "lobby_keys",
    "match_keys",
    "notes_key",
    "offer_key",
    "owned_key",
    "pauses_key",
    "registrations_key",
    "replica_key",
    "token_key",
]


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
    unexported: str


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
    story: str
    """Of its incidents; the scripts make its name of that of `live`."""


def _of_bucket(tag: str) -> BucketKeys:
    root = f"targi:{{{tag}}}:"
    return BucketKeys(
        f"{root}m:",
        f"{root}deadlines",
        f"{root}beats",
        f"{root}outages",
        f"{root}outbox",
        f"{root}news",
        f"{root}unexported",
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
        f"{root}head",
        f"{root}live",
        f"{root}log",
        f"{root}memo",
        f"{root}end",
        f"{root}done",
        bucket,
        f"{root}story",
    )


def notes_key(match_id: str) -> str:
    """What bots said about their own moves, in one bucket with `match_keys`."""
    return area_key("match", match_id, "notes")


def area_key(area: str, name: str, part: str) -> str:
    """Key of a part of something with a name: `area_key("bot", "alice", "account")`.

    All keys of one name are in one bucket, whatever the area; that of a bot is also the bucket of its news.
    """
    return f"targi:{{{TAGS[bucket_of(name)]}}}:{area}:{name}:{part}"


def channel_of(bucket: int) -> str:
    """Channel of a bucket, 0 to 63."""
    return ALL_BUCKETS[bucket % BUCKETS].news


def account_key(kind: str, name: str) -> str:
    """Account of an owner, a bot or an administrator."""
    return area_key(kind, name, "account")


def token_key(kind: str, digest: str) -> str:
    """What leads from the SHA-256 of a token to its account."""
    return area_key("token", digest, kind)


def owned_key(owner: str) -> str:
    """Names of the bots of an owner."""
    return area_key("owner", owner, "bots")


def registrations_key(address: str) -> str:
    """Owners that were made from an address of late."""
    return area_key("address", address, "registrations")


@dataclass(frozen=True, slots=True)
class LobbyKeys:
    """Keys of a bucket for the bots and the offers in it."""

    online: str
    claims: str
    due: str
    lapsed: str


ALL_LOBBIES: tuple[LobbyKeys, ...] = tuple(
    LobbyKeys(*(f"targi:{{{tag}}}:{part}" for part in ("online", "claims", "due", "lapsed"))) for tag in TAGS
)


def lobby_keys(name: str) -> LobbyKeys:
    """Keys of the bucket of a bot's name or an offer id."""
    return ALL_LOBBIES[bucket_of(name)]


def replica_key(replica: str) -> str:
    """There as long as a replica lives."""
    return area_key("replica", replica, "beat")


@dataclass(frozen=True, slots=True)
class BotKeys:
    """Keys of a bot, in one bucket with `lobby_keys` of its name."""

    account: str
    slots: str
    ends: str
    faults: str


def bot_keys(bot: str) -> BotKeys:
    """Keys of a bot."""
    return BotKeys(*(area_key("bot", bot, part) for part in ("account", "slots", "ends", "faults")))


def offer_key(offer_id: str) -> str:
    """An offer, in one bucket with `lobby_keys` of its id."""
    return area_key("offer", offer_id, "saga")


@dataclass(frozen=True, slots=True)
class LadderKeys:
    """Keys of the rated results of one ruleset, in one bucket."""

    games: str
    pairs: str
    recent: str
    counts: str
    heads: str
    players: str
    totals: str
    table: str


def ladder_keys(ruleset: str) -> LadderKeys:
    """Keys of the ladder of a ruleset."""
    parts = ("games", "pairs", "recent", "counts", "heads", "players", "totals", "table")
    return LadderKeys(*(area_key("ladder", ruleset, part) for part in parts))


def ladder_bot_key(ruleset: str, bot: str) -> str:
    """Pairs of one bot, in the bucket of the ruleset's ladder."""
    return area_key("ladder", ruleset, f"of:{bot}")


def archive_key(bot: str) -> str:
    """Filed matches of a bot by their end; of all bots for an empty name."""
    return area_key("bot", bot, "filed") if bot else area_key("archive", "all", "filed")


def leader_keys(edition: str) -> tuple[str, str, str]:
    """Who leads the matchmaking of an edition of the rules, the term, and the newest edition that is led."""
    parts = (f"leader:{edition}", "terms", "newest")
    first, second, third = (area_key("matchmaker", "ladder", part) for part in parts)
    return first, second, third


def pauses_key() -> str:
    """Rulesets in which no pairs are made, and why."""
    return area_key("matchmaker", "ladder", "pauses")


def bans_key() -> str:
    """Banned bots that still hold matches or offers."""
    return area_key("admin", "bans", "open")


def audit_key() -> str:
    """What administrators did, by time."""
    return area_key("admin", "audit", "acts")


def drain_key(replica: str) -> str:
    """There once a replica shall send its streams away."""
    return area_key("replica", replica, "drain")
