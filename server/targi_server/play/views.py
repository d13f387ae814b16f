"""What a session is told about a match, encoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from targi.v1 import game_pb2, play_pb2, reason_pb2
from targi_engine import ACTIONS, State
from targi_sdk.wire import (
    action_to_proto,
    clocks_to_proto,
    logged_to_proto,
    time_control_to_proto,
    view_to_proto,
)

from targi_server.errors import ServerError
from targi_server.fairness import commitment
from targi_server.match.model import Kind, Live, MatchHeader, Presence
from targi_server.play.chain import Step
from targi_server.play.encoding import encoded, entry
from targi_server.play.session import Form

__all__ = ["applied", "commitment_of", "match_started", "rejected", "rules_of", "seats_of", "turn"]


def turn(header: MatchHeader, state: State, clocks: Sequence[int], form: Form, *, view: bool = True) -> bytes:
    """The body of the open Turn, with the position unless the message around it has it."""
    message = play_pb2.Turn(
        match_id=header.match_id, ply=state.ply, decision=state.decision, clocks=clocks_to_proto(clocks)
    )
    if view:
        position = state.observation(state.current_seat)
        message.view.CopyFrom(view_to_proto(position, compact=form.compact))
    entries = _legal_entries(form.named)
    return message.SerializeToString() + b"".join([entries[action] for action in state.legal_actions()])


def match_started(
    header: MatchHeader, live: Live, state: State, log: Iterable[tuple[Step, int]], seat: int, form: Form
) -> bytes:
    """The event that opens a match for `seat`, at its start and after each reconnect.

    `log` holds all steps with the time charged for each.
    """
    message = play_pb2.MatchStarted(
        match_id=header.match_id,
        pair_id=header.pair_id,
        game=header.game,
        rated=header.kind is Kind.RATED,
        seat=seat,
        seats=seats_of(header),
        rules=rules_of(header),
        time_control=time_control_to_proto(header.base_ms, header.increment_ms),
        seed_commitment=commitment_of(header),
        log=[_logged(step, charged_ms, form) for step, charged_ms in log],
        ply=state.ply,
        clocks=clocks_to_proto(live.clocks),
        view=view_to_proto(state.observation(seat), compact=form.compact),
        strikes=live.strikes[seat],
        disconnect_budget_ms=_budget_left(header, live.seats[seat]),
    )
    body = message.SerializeToString()
    if state.current_seat == seat and live.verdict is None:
        body += entry(play_pb2.MatchStarted, "turn", turn(header, state, live.clocks, form, view=False))
    return encoded("match_started", body)


def applied(
    header: MatchHeader,
    steps: Sequence[Step],
    *,
    ply: int,
    taken: int,
    charged_ms: int,
    clocks: Sequence[int],
    form: Form,
) -> bytes:
    """The event that tells both seats of committed actions. The time is charged to the first."""
    charges = (charged_ms, *([0] * (len(steps) - 1)))
    message = play_pb2.Applied(
        match_id=header.match_id,
        ply=ply,
        actions=[_logged(step, charge, form) for step, charge in zip(steps, charges, strict=True)],
        taken=taken,
        charged_ms=charged_ms,
        clocks=clocks_to_proto(clocks),
        next_ply=ply + taken,
    )
    return encoded("applied", message.SerializeToString())


def rejected(
    error: ServerError,
    *,
    match_id: str = "",
    ply: int = 0,
    strikes: int = 0,
    offer_id: str = "",
    turn: bytes | None = None,
) -> bytes:
    """The event that refuses something; `turn` is the body of the open Turn, if the bot is to move."""
    message = play_pb2.Rejected(
        match_id=match_id,
        ply=ply,
        reason=reason_pb2.Reason.Value(f"REASON_{error.reason}"),
        words=error.words,
        strikes=strikes,
        offer_id=offer_id,
    )
    body = message.SerializeToString()
    if turn is not None:
        body += entry(play_pb2.Rejected, "turn", turn)
    return encoded("rejected", body)


def seats_of(header: MatchHeader) -> list[game_pb2.Seat]:
    """Who sits where."""
    return [game_pb2.Seat(bot=seat.bot, version=seat.version, owner=seat.owner) for seat in header.seats]


def rules_of(header: MatchHeader) -> game_pb2.Rules:
    """Rules and cards of a match."""
    return game_pb2.Rules(
        ruleset=header.ruleset,
        variants=header.variants,
        card_set_hash=header.cards_hash,
        rules_version=header.rules,
    )


def commitment_of(header: MatchHeader) -> bytes:
    """SHA-256 of the match's seed: all that may be known of it while the match runs."""
    return commitment(header.seed)


def _logged(step: Step, charged_ms: int, form: Form) -> game_pb2.LoggedAction:
    return logged_to_proto(
        step.ply, step.seat, step.action, forced=step.forced, charged_ms=charged_ms, named=form.named
    )


def _budget_left(header: MatchHeader, seat: Presence) -> int:
    return max(0, header.budget_ms - seat.used_ms)


@cache
def _legal_entries(named: bool) -> tuple[bytes, ...]:
    """For each action its entry in the field `legal` of a Turn."""
    bodies = (action_to_proto(number, named=named).SerializeToString() for number in range(len(ACTIONS)))
    return tuple(entry(play_pb2.Turn, "legal", body) for body in bodies)
