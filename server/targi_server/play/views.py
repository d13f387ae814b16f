"""What a session is told about a match, encoded; see `moves` for what it is told at each move."""

from __future__ import annotations

from collections.abc import Iterable

from targi.v1 import game_pb2, play_pb2, reason_pb2
from targi_engine import State
from targi_sdk.wire import clocks_to_proto, logged_to_proto, time_control_to_proto, view_to_proto

from targi_server.errors import ServerError
from targi_server.fairness import commitment
from targi_server.match.model import Kind, Live, MatchHeader, Presence
from targi_server.play.chain import Step
from targi_server.play.encoding import encoded, entry
from targi_server.play.moves import turn
from targi_server.play.session import Form

__all__ = ["clock_let_go", "commitment_of", "match_started", "rejected", "rules_of", "seats_of"]


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


def clock_let_go(match_id: str, seat: int) -> bytes:
    """Tells of a clock that its seat held for as long as it may, and that runs again."""
    words = f"match {match_id}: the clock of seat {seat} was held for as long as it may be, and runs again"
    notice = play_pb2.Notice(reason=reason_pb2.REASON_HOLD_NOT_ALLOWED, words=words)
    return encoded("notice", notice.SerializeToString())


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
