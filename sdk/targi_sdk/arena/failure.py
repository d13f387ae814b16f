"""What a bot's author is told when the bot failed in a game in process."""

from __future__ import annotations

import traceback
from typing import NamedTuple

from targi_sdk.bot import Turn
from targi_sdk.errors import ChoiceError, ProcessDiedError

__all__ = ["FAULTS", "NO_FAILURE", "Failure", "failure_of"]

FAULTS = (Exception, SystemExit)
"""What a bot's code may raise without stopping this process: `sys.exit()` in a bot loses its game only."""


class Failure(NamedTuple):
    """A failed bot's error; both texts are "" if no bot failed."""

    line: str
    """What was raised, and where, in one line."""
    report: str
    """The turn, and the traceback through the bot's code, in several lines."""


NO_FAILURE = Failure("", "")


def failure_of(error: BaseException, turn: Turn | None = None) -> Failure:
    """Describe what a bot raised, at a turn or outside of one.

    `ChoiceError` stands for what it returned, `ProcessDiedError` for the end of its process.
    """
    report = [] if turn is None else _describe(turn)
    if isinstance(error, ChoiceError | ProcessDiedError):
        return Failure(str(error), "\n".join([*report, str(error)]))
    last = traceback.format_exception_only(error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)[1:]
    if not frames:
        return Failure(last, "\n".join([*report, last]))
    where = f"{last} ({frames[-1].filename}, line {frames[-1].lineno})"
    trace = "".join(traceback.format_list(frames)).rstrip()
    return Failure(where, "\n".join([*report, trace, last]))


def _describe(turn: Turn) -> list[str]:
    """A turn in lines that an author can read, and paste to get the observation back."""
    legal = " ".join(map(turn.name, turn.legal))
    return [
        f"ply {turn.ply}, seat {turn.seat}, decision {turn.decision}, legal: {legal}",
        f"turn.observation = Observation.decode(bytes.fromhex({turn.observation.encode().hex()!r}))",
    ]
