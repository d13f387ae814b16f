"""What goes to a bot, wherever it runs, and what comes back: plain values that can cross processes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Answer", "Failure", "Question", "Reply"]


@dataclass(frozen=True, slots=True)
class Question:
    """A turn on its way to the bot."""

    match_id: str
    ply: int
    decision: str
    """Name of the decision."""
    legal: tuple[int, ...]
    """Ids of what may be chosen, ascending."""
    view: bytes
    """The observation, encoded."""
    clock_ms: int
    opponent_clock_ms: int
    deadline: float
    """When the own clock ends, in seconds of `time.monotonic()`, which processes of a machine share."""
    number: int = 0
    """Of all questions of the client: a ply may be asked twice, in different positions."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot's choice, known to be legal."""

    match_id: str
    ply: int
    action: int
    question: int = 0
    """Number of the question."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The bot failed: it raised, returned no action, or its process ended. It loses that match."""

    match_id: str
    ply: int
    """Ply of the turn, -1 where there was none."""
    words: str
    """One line: what happened."""
    details: str = ""
    """The turn and the traceback, for the author."""


Reply = Answer | Failure
