"""Matches as the messages of MatchService."""

from __future__ import annotations

from collections.abc import Iterator

from targi.v1 import match_service_pb2
from targi_sdk.wire import action_to_proto, clocks_to_proto, time_control_to_proto

from targi_server.match.entries import Entry
from targi_server.match.model import Culprit, Kind, Verdict
from targi_server.play.endings import outcome_of, public_words
from targi_server.play.lookup import Seen
from targi_server.play.redact import published
from targi_server.play.views import commitment_of, rules_of, seats_of

__all__ = ["match_response", "summary"]

MOST_LAG_MS = 50
"""What an answer takes of the allowance for lag at most; if more is free, that was an outage or a Hold."""

_SEATS = {Culprit.SEAT0: 0, Culprit.SEAT1: 1}


def match_response(seen: Seen, *, timeline: bool, private_error: str) -> match_service_pb2.GetMatchResponse:
    """All that may be known of a match; its secrets once it is over."""
    return match_service_pb2.GetMatchResponse(
        match=summary(seen),
        timeline=_timeline(seen) if timeline else (),
        private_error=private_error,
        secrets=published(seen.header) if seen.verdict else None,
    )


def summary(seen: Seen) -> match_service_pb2.MatchSummary:
    """What anybody may know about a match."""
    header, verdict = seen.header, seen.verdict
    running, ended = match_service_pb2.MATCH_STATE_RUNNING, match_service_pb2.MATCH_STATE_ENDED
    return match_service_pb2.MatchSummary(
        match_id=header.match_id,
        pair_id=header.pair_id,
        game=header.game,
        rated=header.kind is Kind.RATED,
        state=ended if verdict else running,
        seats=seats_of(header),
        rules=rules_of(header),
        time_control=time_control_to_proto(header.base_ms, header.increment_ms),
        seed_commitment=commitment_of(header),
        ply=len(seen.entries),
        clocks=clocks_to_proto(seen.clocks),
        started_unix_ms=header.created_ms,
        ended_unix_ms=verdict.at_ms if verdict else 0,
        outcome=outcome_of(seen.position(), verdict) if verdict else None,
        strikes=seen.strikes,
    )


def _timeline(seen: Seen) -> Iterator[match_service_pb2.TimelineEntry]:
    at_ms = seen.header.created_ms
    for ply, item in enumerate(seen.entries):
        at_ms += item.elapsed_ms
        yield _moment(ply, item, at_ms)
    if seen.verdict is not None:
        yield _end(len(seen.entries), seen.verdict)


def _moment(ply: int, item: Entry, at_ms: int) -> match_service_pb2.TimelineEntry:
    free = max(0, item.elapsed_ms - item.charged_ms - item.out_ms - item.in_ms)
    beyond = max(0, free - MOST_LAG_MS)
    return match_service_pb2.TimelineEntry(
        ply=ply,
        seat=item.seat,
        action=action_to_proto(item.action, named=True),
        charged_ms=item.charged_ms,
        out_ms=item.out_ms,
        in_ms=item.in_ms,
        lag_ms=free - beyond,
        committed_unix_ms=at_ms,
        words=f"{beyond} ms more were not charged: an outage, or a clock that stood still" if beyond else "",
    )


def _end(ply: int, verdict: Verdict) -> match_service_pb2.TimelineEntry:
    """The verdict; where nobody is to blame the seat says nothing."""
    return match_service_pb2.TimelineEntry(
        ply=ply,
        seat=_SEATS.get(verdict.culprit, 0),
        committed_unix_ms=verdict.at_ms,
        words=f"{verdict.termination}: {public_words(verdict)}",
    )
