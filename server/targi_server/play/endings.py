"""How a match ended, as both bots are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from targi.v1 import game_pb2, play_pb2
from targi_engine import State
from targi_sdk.wire import clocks_to_proto, outcome_to_proto

from targi_server.match.model import Culprit, MatchHeader, Termination, Verdict
from targi_server.play.encoding import encoded
from targi_server.play.redact import published

__all__ = ["ended_message", "match_ended", "match_lost", "outcome_of", "public_words", "server_error"]

_WHO: Mapping[Culprit, str] = {
    Culprit.SEAT0: "seat 0",
    Culprit.SEAT1: "seat 1",
    Culprit.BOTH: "both seats",
    Culprit.SERVER: "the server",
    Culprit.NONE: "nobody",
}


_UNSAID: Mapping[Termination, str] = {Termination.NORMAL: "the game was played to its end"}


def match_ended(header: MatchHeader, state: State | None, clocks: Sequence[int], verdict: Verdict) -> bytes:
    """The event that ends a match, the same for both seats; without a state it has no scores."""
    return encoded("match_ended", ended_message(header, state, clocks, verdict).SerializeToString())


def match_lost(header: MatchHeader) -> bytes:
    """The same of a match that the store lost whole. Nothing is published: its offer may deal it again."""
    words = "the store lost this match in a crash, soon after it began"
    verdict = Verdict("*", Termination.ABORTED, Culprit.NONE, words)
    event = play_pb2.MatchEnded(
        match_id=header.match_id, outcome=outcome_of(None, verdict), pair_id=header.pair_id
    )
    return encoded("match_ended", event.SerializeToString())


def ended_message(
    header: MatchHeader, state: State | None, clocks: Sequence[int], verdict: Verdict
) -> play_pb2.MatchEnded:
    """The same as a message."""
    return play_pb2.MatchEnded(
        match_id=header.match_id,
        outcome=outcome_of(state, verdict),
        secrets=published(header),
        clocks=clocks_to_proto(clocks),
        pair_id=header.pair_id,
    )


def outcome_of(state: State | None, verdict: Verdict) -> game_pb2.Outcome:
    """The verdict with the scores of the final position, or as they would count there.

    Without a position there are the scores of the verdict, if it has any.
    """
    counted = state.outcome() if state is not None else None
    return outcome_to_proto(
        verdict.result,
        verdict.termination,
        verdict.culprit,
        scores=counted.scores if counted else verdict.scores or (),
        breakdowns=counted.breakdown if counted else (),
        words=public_words(verdict),
    )


def public_words(verdict: Verdict) -> str:
    """The cause in words for anybody: what a bot said of its own failure is for its owner."""
    if verdict.termination is Termination.BOT_ERROR:
        return f"{_WHO[verdict.culprit]} reported that its own code failed"
    return verdict.words or _UNSAID.get(verdict.termination, "")


def server_error(words: str) -> Verdict:
    """The verdict on a match in which the server failed."""
    return Verdict("*", Termination.SERVER_ERROR, Culprit.SERVER, words)
