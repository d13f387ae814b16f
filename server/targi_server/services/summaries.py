"""Matches as the messages of MatchService."""

from __future__ import annotations

from targi.v1 import match_service_pb2
from targi_sdk.wire import clocks_to_proto, outcome_to_proto, time_control_to_proto

from targi_server.match.model import Kind
from targi_server.play.endings import outcome_of, public_words
from targi_server.play.lookup import Seen
from targi_server.play.redact import published
from targi_server.play.views import commitment_of, rules_of, seats_of
from targi_server.services.timeline import timeline

__all__ = ["listed", "match_response", "summary"]


def match_response(
    seen: Seen, *, with_timeline: bool, private_error: str
) -> match_service_pb2.GetMatchResponse:
    """All that may be known of a match; its secrets once it is over."""
    return match_service_pb2.GetMatchResponse(
        match=summary(seen),
        timeline=timeline(seen) if with_timeline else (),
        private_error=private_error,
        secrets=published(seen.header) if seen.verdict else None,
    )


def summary(seen: Seen) -> match_service_pb2.MatchSummary:
    """What anybody may know about a match, with the breakdown of the scores."""
    shown = _facts(seen)
    if seen.verdict:
        shown.outcome.CopyFrom(outcome_of(seen.position(), seen.verdict))
    return shown


def listed(seen: Seen) -> match_service_pb2.MatchSummary:
    """The same as a row of many: nothing for which the game would have to be replayed."""
    shown, verdict = _facts(seen), seen.verdict
    if verdict:
        outcome = outcome_to_proto(
            verdict.result,
            verdict.termination,
            verdict.culprit,
            scores=seen.scores or verdict.scores or (),
            words=public_words(verdict),
        )
        shown.outcome.CopyFrom(outcome)
    return shown


def _facts(seen: Seen) -> match_service_pb2.MatchSummary:
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
        strikes=seen.strikes,
    )
