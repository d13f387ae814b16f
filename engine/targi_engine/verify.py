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


BY_SCORE: Final = "score"
# Results that a termination allows, by culprit.
_LOSES: Final[Mapping[str, str]] = {"0": "0-1", "1": "1-0"}
_VERDICTS: Final[Mapping[str, Mapping[str, str]]] = {
    "normal": {"none": BY_SCORE},
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
    normal = record.termination == "normal"
    if normal and record.result == "*" and not state.is_over:
        return  # an unfinished game
    if normal and not state.is_over:
        raise RecordResultError(f"Termination is 'normal', but the game is not over after {state.ply} plies")
    verdicts = _VERDICTS[record.termination]
    if state.is_over and not normal and "*" not in verdicts.values():
        raise RecordResultError(f"Termination is {record.termination!r}, but the game was played to its end")
    _check_result(record, verdicts, outcome)


def _check_result(record: Record, verdicts: Mapping[str, str], outcome: Outcome) -> None:
    """Culprit and result against what the termination allows; a record without culprit may mean any."""
    culprits = [record.culprit] if "Culprit" in record.tags else list(verdicts)
    if culprits[0] not in verdicts:
        allowed = ", ".join(verdicts)
        raise RecordResultError(
            f"Culprit is {record.culprit!r}; allowed with termination {record.termination}: {allowed}"
        )
    results = [verdicts[culprit] for culprit in culprits]
    expected = [outcome.result if result == BY_SCORE else result for result in results]
    if record.result not in expected:
        raise RecordResultError(f"Result is {record.result!r}, must be {' or '.join(expected)}")
