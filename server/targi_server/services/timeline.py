"""The course of a match with its times: the evidence behind its verdict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from targi.v1 import game_pb2, match_service_pb2
from targi_engine import ACTIONS
from targi_sdk.wire import action_to_proto

from targi_server.match.clock import LAG_ACT_MS
from targi_server.match.entries import Entry
from targi_server.match.incidents import Incident, IncidentKind
from targi_server.match.model import Culprit, Verdict
from targi_server.play.endings import public_words
from targi_server.play.lookup import Seen, moments

__all__ = ["timeline"]

_SEATS = {Culprit.SEAT0: 0, Culprit.SEAT1: 1}


def timeline(seen: Seen) -> list[match_service_pb2.TimelineEntry]:
    """Plies, incidents and the end by time; of what happened at one moment, in that order."""
    times = moments(seen.entries, seen.began_ms)
    rows = [*_plies(seen.entries, times), *(_incident(incident, times) for incident in seen.story)]
    rows.sort(key=lambda row: row.committed_unix_ms)
    if seen.verdict is not None:
        rows.append(_end(len(seen.entries), seen.verdict))
    return rows


def _plies(entries: Sequence[Entry], times: Sequence[int]) -> Iterator[match_service_pb2.TimelineEntry]:
    for ply, (item, at_ms) in enumerate(zip(entries, times, strict=True)):
        yield _moment(ply, item, at_ms)


def _moment(ply: int, item: Entry, at_ms: int) -> match_service_pb2.TimelineEntry:
    """One asked decision. What an answer takes of the allowance for lag has a limit; more was credited.

    For an outage, a Hold, an absence that is the server's doing, or what passed before the bot was told of
    the match. The log does not tell these apart; the first three have rows of their own.
    """
    free = max(0, item.elapsed_ms - item.charged_ms - item.out_ms - item.in_ms)
    beyond = max(0, free - LAG_ACT_MS)
    return match_service_pb2.TimelineEntry(
        ply=ply,
        seat=item.seat,
        action=_action(item.action),
        charged_ms=item.charged_ms,
        out_ms=item.out_ms,
        in_ms=item.in_ms,
        lag_ms=free - beyond,
        committed_unix_ms=at_ms,
        words=f"{beyond} ms more were not charged: they were credited to this seat" if beyond else "",
    )


def _action(action: int) -> game_pb2.Action:
    """With its notation, unless it is of a later vocabulary than this server's."""
    return action_to_proto(action, named=True) if action < len(ACTIONS) else game_pb2.Action(id=action)


def _incident(incident: Incident, times: Sequence[int]) -> match_service_pb2.TimelineEntry:
    """Its words name whom it concerns; the seat says nothing where that is nobody.

    An outage is that of a bucket, which knows no plies: it came after what was committed by then.
    """
    of_bucket = incident.kind is IncidentKind.OUTAGE
    return match_service_pb2.TimelineEntry(
        ply=bisect_right(times, incident.at_ms) if of_bucket else incident.ply,
        seat=incident.seat or 0,
        committed_unix_ms=incident.at_ms,
        words=incident.words,
    )


def _end(ply: int, verdict: Verdict) -> match_service_pb2.TimelineEntry:
    """The verdict; where nobody is to blame the seat says nothing."""
    return match_service_pb2.TimelineEntry(
        ply=ply,
        seat=_SEATS.get(verdict.culprit, 0),
        committed_unix_ms=verdict.at_ms,
        words=f"{verdict.termination}: {public_words(verdict)}",
    )
