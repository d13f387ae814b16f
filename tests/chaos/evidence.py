"""What the service has to say after all is healed: its matches, its pairs, its keys, its logs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import redis
from arena_api import Api
from arena_process import wait_for
from facts import Facts
from journal import BotNotes, Told
from spans import Span, impairments, services
from storm import Done
from targi.v1 import match_service_pb2, match_service_pb2_grpc
from targi_server.ladder.finished import Finished
from targi_server.store.keys import ALL_BUCKETS, bot_keys

__all__ = ["Course", "facts_of", "finished", "keys_left", "settle", "tracebacks"]

SETTLE_S = 120.0
FENCE = "fence:"
"""Field of the term that a leader reserved in: it holds no place."""
HOT = re.compile(r"\}:m:[^:]+:(head|live|log|memo|end|story)$")


def settle(client: redis.Redis) -> list[str]:
    """Waits until no match runs and none waits to be filed; returns those that do, in words."""
    names = [name for bucket in ALL_BUCKETS for name in (bucket.deadlines, bucket.outbox)]

    def left() -> list[str]:
        return [f"{name} still has {match!r}" for name in names for match in client.zrange(name, 0, -1)]

    try:
        wait_for("all matches to be over and filed", lambda: not left(), SETTLE_S)
    except AssertionError:
        return left()
    return []


def finished(client: redis.Redis) -> dict[str, Finished]:
    """All matches that are kept, by id."""
    found = {}
    for key in client.scan_iter("targi:{*}:m:*:done", count=1000):
        kept = Finished.decode(_bytes(client.get(key)))
        found[kept.header.match_id] = kept
    return found


def keys_left(client: redis.Redis, bots: Sequence[str]) -> Iterator[str]:
    """What finished matches and bots that left should not leave behind, in words."""
    for raw in client.scan_iter("*", count=1000):
        if HOT.search(key := _text(raw)):
            yield f"key {key} is left of a finished match"
    for bot in bots:
        names = map(_text, client.hkeys(bot_keys(bot).slots))
        held = [name for name in names if not name.startswith(FENCE)]
        if held:
            yield f"{bot} still holds {held!r}"


def _bytes(reply: object) -> bytes:
    """What a client that decodes nothing answers."""
    assert isinstance(reply, bytes), reply
    return reply


def _text(reply: object) -> str:
    return _bytes(reply).decode()


@dataclass(frozen=True, slots=True)
class Course:
    """What happened besides the matches."""

    notes: Mapping[str, BotNotes]
    """Of each bot."""
    ledger: Sequence[Done]
    busy: Sequence[Span]
    starving: Sequence[Span]


def facts_of(calls: Api, kept: Finished, course: Course) -> Facts:
    """All that is known of one match."""
    stub = match_service_pb2_grpc.MatchServiceStub(calls.channel)
    match_id, notes = kept.header.match_id, course.notes
    answer = stub.GetMatch(match_service_pb2.GetMatchRequest(match_id=match_id, timeline=True), timeout=30)
    record = stub.GetRecord(match_service_pb2.GetRecordRequest(match_id=match_id), timeout=30).record
    names = [seat.bot for seat in kept.header.seats]
    told: list[Told | None] = [notes[name].matches.get(match_id) for name in names]
    hit = [impairments(name, course.ledger, notes[name].welcomes) for name in names]
    return Facts(
        kept,
        answer,
        record,
        told=(told[0], told[1]),
        impaired=(hit[0], hit[1]),
        services=services(course.ledger),
        busy=course.busy,
        starving=course.starving,
    )


def tracebacks(logs: Sequence[Path]) -> Iterator[str]:
    """Exceptions that nobody caught, or that were caught as a last resort."""
    for path in logs:
        text = path.read_text(errors="replace")
        for found in re.finditer(r"Traceback \(most recent call last\)(?:.|\n(?=[\s+|]))*\n.*", text):
            yield f"{path.name} has an exception: {found.group()[-600:]}"
