"""Hello and Welcome: who connects, what it can do, and what both sides may rely on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

from targi.v1 import play_pb2, reason_pb2
from targi_engine import RULES, RULESETS, VOCABULARY

from targi_server.accounts.identity import Identity
from targi_server.accounts.names import checked_version
from targi_server.echo import echoed
from targi_server.errors import Invalid
from targi_server.fairness import SECRET_BYTES
from targi_server.lobby.presence import ALL, NOBODY, OWN, Arrival
from targi_server.match.versions import EDITION
from targi_server.play.links import MAX_CHAIN
from targi_server.play.session import Form
from targi_server.settings import Settings

__all__ = ["Greeting", "read_hello", "welcome"]

NOTATION_ONLY = 0
"""Vocabulary version of a bot that never uses ids."""

_SESSION_LENGTH = range(16, 65)
_MOST_UNKNOWN = 8
_CHALLENGES: Mapping[int, str] = {
    play_pb2.CHALLENGE_POLICY_OWN: OWN,
    play_pb2.CHALLENGE_POLICY_NONE: NOBODY,
}


@dataclass(frozen=True, slots=True)
class Greeting:
    """A Hello, checked. `notices` are words for the bot's author."""

    arrival: Arrival
    form: Form
    action_ids: bool
    digest: str
    """What is kept of the token with which it came."""
    notices: tuple[tuple[reason_pb2.Reason.ValueType, str], ...]


def read_hello(hello: play_pb2.Hello, identity: Identity, settings: Settings) -> Greeting:
    """Check a Hello of the bot behind `identity`. Raises Invalid, which ends the stream."""
    rulesets, unknown = _rulesets(hello.rulesets or ("base",))
    arrival = Arrival(
        bot=identity.bot,
        owner=identity.owner,
        session=_session(hello.session),
        version=checked_version(hello.bot_version),
        capacity=_capacity(hello.capacity, settings.max_capacity),
        rulesets=rulesets,
        ladder=hello.ladder,
        chain_head=_chain_head(hello.nonce_chain_head),
        edition=EDITION if _has_rules(hello) else "",
        challenges=_CHALLENGES.get(hello.challenges, ALL),
    )
    mismatch = _mismatch(hello)
    compact = hello.view == play_pb2.VIEW_FORM_COMPACT
    same = not mismatch and hello.vocabulary_version == VOCABULARY
    form = Form(compact=compact, named=not (compact and same))
    notices = [(reason_pb2.REASON_VERSION_MISMATCH, words) for words in mismatch]
    notices += [(reason_pb2.REASON_INVALID, words) for words in unknown]
    return Greeting(arrival, form, same, identity.digest, tuple(notices))


def welcome(greeting: Greeting, settings: Settings, running_matches: int) -> play_pb2.Welcome:
    """The answer to a Hello."""
    return play_pb2.Welcome(
        session=greeting.arrival.session,
        bot=greeting.arrival.bot,
        server_version=version("targi"),
        rules_versions=[RULES],
        vocabulary_version=VOCABULARY,
        limits=play_pb2.Limits(
            max_frame_bytes=settings.max_frame_bytes,
            max_capacity=settings.max_capacity,
            heartbeat_ms=settings.heartbeat_ms,
            offer_ms=settings.offer_ms,
            disconnect_budget_ms=settings.disconnect_budget_ms,
            max_chain=MAX_CHAIN,
        ),
        running_matches=running_matches,
        action_ids=greeting.action_ids,
    )


def _mismatch(hello: play_pb2.Hello) -> tuple[str, ...]:
    """What differs, in words, for each thing that makes action ids unsafe."""
    words = []
    if hello.vocabulary_version not in (NOTATION_ONLY, VOCABULARY):
        words.append(
            f"vocabulary version {hello.vocabulary_version} there, {VOCABULARY} here:"
            " send and read actions by notation"
        )
    if not _has_rules(hello):
        theirs = ", ".join(map(str, hello.rules_versions[:8]))
        words.append(
            f"rules version {theirs} there, {RULES} here: no new matches for this bot, and notation in those"
            " that run; update the SDK"
        )
    return tuple(words)


def _has_rules(hello: play_pb2.Hello) -> bool:
    """Whether the bot plays by this server's rules; one that names none plays by any."""
    return not hello.rules_versions or RULES in hello.rules_versions


def _rulesets(names: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    """The names that this server plays, without doubles, and words about the others."""
    wanted = dict.fromkeys(names)
    known = tuple(name for name in wanted if name in RULESETS)
    played = ", ".join(RULESETS)
    if not known:
        raise Invalid(f"Hello names no ruleset that this server plays; there are {played}")
    unknown = [name for name in wanted if name not in RULESETS][:_MOST_UNKNOWN]
    words = [f"this server does not play the ruleset {echoed(name)}; there are {played}" for name in unknown]
    return known, words


def _session(session: str) -> str:
    if len(session) not in _SESSION_LENGTH or not session.isprintable():
        raise Invalid("session: 16 to 64 printable characters are needed, the same after a reconnect")
    return session


def _capacity(capacity: int, most: int) -> int:
    if capacity < 1:
        raise Invalid("capacity: 1 or more matches at the same time are needed")
    return min(capacity, most)


def _chain_head(head: bytes) -> bytes:
    if len(head) not in (0, SECRET_BYTES):
        raise Invalid(f"nonce_chain_head has {len(head)} bytes: 32 are needed, or none")
    return head
