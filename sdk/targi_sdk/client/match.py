"""What the client knows of one running match."""

from __future__ import annotations

from dataclasses import dataclass, field

from targi.v1 import play_pb2 as pb

from targi_sdk.bot import End, Start
from targi_sdk.client.questions import Question
from targi_sdk.errors import WireError
from targi_sdk.wire import (
    culprit_from_proto,
    result_from_proto,
    scores_from_proto,
    termination_from_proto,
)

__all__ = ["Logged", "Match", "end_of", "start_of"]


@dataclass(frozen=True, slots=True)
class Logged:
    """An action of the match."""

    ply: int
    seat: int
    action: str
    """Notation."""
    forced: bool


@dataclass(slots=True)
class Match:
    """A match from the bot's side. At most one question is open, and one answer to it unacknowledged."""

    start: Start
    ply: int = 0
    """Decisions applied, as far as known."""
    log: list[Logged] = field(default_factory=list)
    readable: bool = False
    """Whether a position of it was decoded here: all of a match come in one form."""
    question: Question | None = None
    """The turn that the bot was last asked about."""
    thinking: bool = False
    """Whether the bot still thinks about it."""
    sent: pb.BotEvent | None = None
    """The answer to it, kept until it is acknowledged: a resend must be the same."""
    refused: int | None = None
    """The answer to it that the server called illegal."""
    lost: pb.BotEvent | None = None
    """The report that the bot failed, kept until the match is over."""

    def go_to(self, ply: int) -> None:
        """The match is at a ply: a question about another one is settled, and so is its answer.

        The ply is lower than it was where the service lost actions that it had acknowledged.
        """
        self.ply = ply
        if self.question is not None and self.question.ply != ply:
            self.question, self.thinking, self.sent, self.refused = None, False, None, None

    def is_open(self, ply: int) -> bool:
        """Whether the bot was asked about this ply already."""
        return self.question is not None and self.question.ply == ply

    def is_asked(self, number: int) -> bool:
        """Whether that question is the one that the bot was last asked."""
        return self.question is not None and self.question.number == number

    def moves(self) -> str:
        """All actions in notation, those that the engine took by itself in brackets."""
        return " ".join(f"[{each.action}]" if each.forced else each.action for each in self.log)


def start_of(message: pb.MatchStarted) -> Start:
    """What the bot is told at the start. Raises `WireError` for a match without seats."""
    if len(message.seats) != 2 or message.seat > 1:
        raise WireError(f"match {message.match_id} does not say who sits where")
    return Start(
        match_id=message.match_id,
        seat=message.seat,
        opponent=message.seats[1 - message.seat].bot,
        ruleset=message.rules.ruleset,
        variants=message.rules.variants,
        commitment=message.seed_commitment,
        base_ms=message.time_control.base_ms,
        increment_ms=message.time_control.increment_ms,
        ply=message.ply,
    )


def end_of(message: pb.MatchEnded, seat: int) -> End:
    """What the bot is told at the end; `seat` is its own, -1 where it is not known."""
    outcome = message.outcome
    return End(
        match_id=message.match_id,
        seat=seat,
        result=result_from_proto(outcome.result),
        termination=termination_from_proto(outcome.termination),
        culprit=culprit_from_proto(outcome.culprit),
        scores=scores_from_proto(outcome),
        words=outcome.words,
    )
