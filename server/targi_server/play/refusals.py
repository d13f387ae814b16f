"""Why an Act is refused, in words for its bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from targi_server import errors
from targi_server.echo import echoed
from targi_server.play.links import is_empty
from targi_server.play.sent import Sent
from targi_server.store import answers

__all__ = ["ELSEWHERE", "illegal_words", "not_your_turn"]


def illegal_words(sent: Sent, link: int, strikes: int) -> str:
    """Of the link after `link` others, and the strike that it was."""
    fault = _fault(sent, link) if sent.act.actions else "an Act without any action"
    return f"{fault}: choose from `legal` of the open turn; strike {strikes}, the third loses the match"


def _fault(sent: Sent, link: int) -> str:
    action = sent.act.actions[link]
    if is_empty(action):
        return "an empty action: give its id or its name"
    what = echoed(action.name) if action.name else f"id {action.id}"
    if not action.name and not sent.session.action_ids:
        return f"{what} without notation, which this session must use (see Welcome.action_ids)"
    return f"{what} is not legal at ply {sent.act.ply + link}"


def not_your_turn(sent: Sent) -> errors.ServerError:
    """The other seat is to move."""
    return errors.NotYourTurn(f"seat {1 - sent.seat} is to move at ply {sent.act.ply}: wait for a turn")


def _stale(sent: Sent) -> errors.ServerError:
    return errors.Stale(f"ply {sent.act.ply} was answered already, in another way: answer the open turn")


def _behind(sent: Sent) -> errors.ServerError:
    return errors.Unavailable(f"ply {sent.act.ply} was lost by the store: answer the turn that is open now")


def _waiting(sent: Sent) -> errors.ServerError:
    return errors.Unavailable("a clock ran out while both bots were away: the verdict falls in two seconds")


def _missing(sent: Sent) -> errors.ServerError:
    return errors.MatchOver("the match is over: see its MatchEnded")


ELSEWHERE: Final[Mapping[type, Callable[[Sent], errors.ServerError]]] = {
    answers.Stale: _stale,
    answers.NotYourTurn: not_your_turn,
    answers.Gap: _behind,
    answers.Waiting: _waiting,
    answers.Missing: _missing,
}
"""By the answer of a log that stands elsewhere than its table."""
