"""Matches in words, for the author's console."""

from __future__ import annotations

from targi.v1 import play_pb2 as pb
from targi.v1 import reason_pb2 as reasons

from targi_sdk.bot import End
from targi_sdk.client.match import Match

__all__ = ["clipped", "end_words", "reason_name", "standing_of", "start_words"]

WON_BY = ("1-0", "0-1")
GAP = "\n[...]\n"


def standing_of(end: End) -> str:
    """ "won", "lost", "drew", "void" from the own seat's side; "" where the seat is not known."""
    if end.seat < 0:
        return ""
    words = {WON_BY[end.seat]: "won", WON_BY[1 - end.seat]: "lost", "*": "void"}
    return words.get(end.result, "drew")


def start_words(message: pb.MatchStarted) -> str:
    """One line about a match that starts or goes on."""
    other = message.seats[1 - message.seat]
    again = f", from ply {message.ply}" if message.ply else ""
    pair = f", game {message.game} of pair {message.pair_id}" if message.pair_id else ""
    kind = "rated" if message.rated else "unrated"
    return (
        f"match {message.match_id} against {other.bot} {other.version} "
        f"({kind} {message.rules.ruleset}, seat {message.seat}{pair}{again})"
    )


def end_words(end: End, match: Match | None) -> str:
    """One line about the end of a match."""
    score = "" if end.scores is None else f" {end.scores[0]}-{end.scores[1]}"
    cause = f" ({end.termination}: {end.words})" if end.termination != "normal" else ""
    if match is None:
        return f"match {end.match_id} ended while this bot was away: {end.result}{score}{cause}"
    return f"match {end.match_id} {standing_of(end)} against {match.start.opponent}{score}{cause}"


def clipped(text: str, most: int) -> str:
    """A text of at most `most` bytes in UTF-8: the middle of a longer one is left out."""
    data = text.encode()
    if len(data) <= most:
        return text
    head = most // 4
    tail = most - head - len(GAP)
    return data[:head].decode(errors="ignore") + GAP + data[-tail:].decode(errors="ignore")


def reason_name(reason: int) -> str:
    """The name of a reason without its prefix; the number of one that this SDK does not know."""
    known = reasons.Reason.DESCRIPTOR.values_by_number.get(reason)
    return f"reason {reason}" if known is None else known.name.removeprefix("REASON_")
