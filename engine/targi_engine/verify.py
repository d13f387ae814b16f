"""Checking a record: does the game replay, and do score, result and blame fit it?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from targi_engine.errors import RecordActionError, RecordResultError
from targi_engine.record import Record
from targi_engine.ruleset import Ruleset
from targi_engine.scoring import Outcome
from targi_engine.state import State


class Verification(NamedTuple):
    """What a record that replays holds."""

    ruleset: Ruleset
    plies: int
    over: bool
    outcome: Outcome


# Results that a termination allows, by culprit; "score" stands for the result by score.
_LOSES: Final[Mapping[str, str]] = {"0": "0-1", "1": "1-0"}
_VERDICTS: Final[Mapping[str, Mapping[str, str]]] = {
    "normal": {"none": "score"},
    "resigned": _LOSES,
    "time": _LOSES,
    "illegal": _LOSES,
    "bot_error": _LOSES,
    "abandoned": {**_LOSES, "both": "*"},
    "aborted": {"none": "*"},
    "server_error": {"server": "*"},
}


def verify(record: Record, rules: Ruleset | None = None) -> Verification:
    """Replay a record and check all that it claims.

    `rules` is needed only for a game with cards of one's own. Raises RecordVersionError,
    RecordActionError (with the ply) or RecordResultError.
    """
    played = rules or record.ruleset()
    state = _replayed(record, played)
    outcome = state.outcome()
    _check_score(record, outcome)
    _check_verdict(record, state, outcome)
    return Verification(played, state.ply, state.is_over, outcome)


def _replayed(record: Record, rules: Ruleset) -> State:
    states = record.states(rules)
    state = next(states)
    for ply, number in enumerate(record.rounds):
        if state.round != number:
            raise RecordActionError(f"stands on the line of round {number}, belongs to {state.round}", ply)
        state = next(states)
    return state


def _check_score(record: Record, outcome: Outcome) -> None:
    score = f"{outcome.scores[0]}-{outcome.scores[1]}"
    claimed = record.tags.get("Score", score)
    if claimed != score:
        raise RecordResultError(f"Score is {claimed!r}, the final position counts {score!r}")


def _check_verdict(record: Record, state: State, outcome: Outcome) -> None:
    if record.result == "*" and record.termination == "normal" and not state.is_over:
        return  # an unfinished game
    verdicts = _VERDICTS[record.termination]
    if record.culprit not in verdicts:
        allowed = ", ".join(verdicts)
        raise RecordResultError(
            f"Culprit is {record.culprit!r}; allowed with termination {record.termination}: {allowed}"
        )
    expected = verdicts[record.culprit]
    if expected == "score":
        if not state.is_over:
            raise RecordResultError(
                f"the game is not over after {state.ply} plies, but its termination is normal"
            )
        expected = outcome.result
    if record.result != expected:
        raise RecordResultError(f"Result is {record.result!r}, must be {expected!r}")
