"""Was it the bot or the server? How a match ended, in one sentence, and how its time was spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from targi_sdk.client.chronicle import Ending, Match, Moment

__all__ = ["TimeSpent", "blamed", "sentence", "time_spent"]

_UNCOUNTED = "it counts for nobody"


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """How the time of one seat's answers was spent, in milliseconds."""

    answers: int
    charged_ms: int
    longest_ms: int
    """The longest answer that was charged."""
    server_ms: int
    """Spent in the server, not charged."""
    longest_server_ms: int
    lag_ms: int
    """Allowance for the network, not charged."""


def time_spent(moments: Iterable[Moment], seat: int) -> TimeSpent:
    """The sums over all actions of a seat."""
    own = [each for each in moments if each.action and each.seat == seat]
    inside = [each.out_ms + each.in_ms for each in own]
    charged = [each.charged_ms for each in own]
    return TimeSpent(
        answers=len(own),
        charged_ms=sum(charged),
        longest_ms=max(charged, default=0),
        server_ms=sum(inside),
        longest_server_ms=max(inside, default=0),
        lag_ms=sum(each.lag_ms for each in own),
    )


def sentence(match: Match) -> str:
    """The verdict: what happened, and whose doing it was."""
    if match.ending is None:
        return f"The match runs (ply {match.ply}): nobody is to blame for anything."
    return _SENTENCES[match.ending.termination](match, match.ending)


def blamed(ending: Ending | None) -> str:
    """Who caused the end: "seat 0", "seat 1", "both seats", "the server" or "nobody"."""
    return "nobody" if ending is None else _BLAMED[ending.culprit]


_BLAMED: Mapping[str, str] = {
    "0": "seat 0",
    "1": "seat 1",
    "both": "both seats",
    "server": "the server",
    "none": "nobody",
}


def _who(match: Match, culprit: str) -> str:
    return f"{match.bots[int(culprit)]} (seat {culprit})"


def _by_itself(what: str) -> Callable[[Match, Ending], str]:
    """A sentence about the seat that lost by its own doing."""
    return lambda match, ending: f"{_who(match, ending.culprit)} lost: {what}."


def _normal(match: Match, ending: Ending) -> str:
    first, second = ending.scores or (0, 0)
    if first == second and ending.result == "1/2-1/2":
        return f"The game was played to its end, {first} to {second}: a draw. Nobody is to blame."
    winner = 0 if ending.result == "1-0" else 1
    won, lost = (first, second) if winner == 0 else (second, first)
    who = _who(match, str(winner))
    return f"The game was played to its end: {who} won it, {won} to {lost}. Nobody is to blame."


def _abandoned(match: Match, ending: Ending) -> str:
    if ending.culprit == "both":
        return f"Both bots were away until their time was over: the match is no contest, {_UNCOUNTED}."
    away = "it was away for longer than its disconnect budget; that was its own connection, not the server's"
    return _by_itself(away)(match, ending)


_SENTENCES: Mapping[str, Callable[[Match, Ending], str]] = {
    "normal": _normal,
    "resigned": _by_itself("it resigned; that was its own decision"),
    "time": _by_itself("its clock ran out; that was its own time, not the server's"),
    "illegal": _by_itself("it sent three illegal actions; that was its own doing, not the server's"),
    "bot_error": _by_itself("its own code failed, as it reported; that was not the server"),
    "abandoned": _abandoned,
    "aborted": lambda match, ending: f"Neither bot is to blame: {ending.words}; {_UNCOUNTED}.",
    "server_error": lambda match, ending: (
        f"It was the server: {ending.words or 'it failed'}. Neither bot is to blame, and {_UNCOUNTED}."
    ),
}
