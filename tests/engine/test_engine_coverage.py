"""The coverage counter: what came up, what did not, and no change to the games it watches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from targi_engine import Coverage, Record, action_id, new_game, playout

FILES = sorted((Path(__file__).parent / "conformance").glob("*.targi"))


def counted(coverage: Coverage, group: str) -> dict[str, int]:
    return {row.name: row.times for row in coverage.rows() if row.group == group}


def test_a_watched_game_is_the_same_game() -> None:
    coverage = Coverage()
    state, plain = (new_game("expansion", bytes(32)) for _ in range(2))
    coverage.begin(state)
    rng = random.Random(1)
    while not state.is_over:
        legal = state.legal_actions()
        coverage.apply(state, legal[int(rng.random() * len(legal))])
    playout(plain, random.Random(1))
    assert plain.outcome() == state.outcome()
    assert sum(counted(coverage, "decision").values()) == state.ply
    assert coverage.games == 1


def test_a_record_counts_like_the_game() -> None:
    record = Record.parse(FILES[0].read_text("utf-8"))
    by_record, by_state = Coverage(), Coverage()
    by_record.add(record)
    state = new_game(record.ruleset(), record.seed, record.opening)
    by_state.begin(state)
    for action, _ in record.actions:
        by_state.apply(state, action)
    assert by_record.rows() == by_state.rows()


def test_one_action_is_counted_where_it_belongs() -> None:
    coverage = Coverage()
    state = new_game("base", bytes(range(32)))
    coverage.begin(state)
    for name in ("@3", "@5", "@2", "@14", "@7", "@6"):
        coverage.apply(state, action_id(name))
    coverage.apply(state, action_id("b3"))
    assert counted(coverage, "decision")["place"] == 6
    assert counted(coverage, "decision")["act"] == 1
    assert counted(coverage, "border")["goods"] == 1
    assert counted(coverage, "action")["b3"] == 1


def test_the_conformance_games_show_most_of_the_game() -> None:
    coverage = Coverage()
    for file in FILES:
        coverage.add(Record.parse(file.read_text("utf-8")))
    assert coverage.games == len(FILES)
    assert all(counted(coverage, "ending").values())
    assert all(counted(coverage, "border").values())
    missing = {(row.group, row.name) for row in coverage.missing()}
    assert len(missing) < len(coverage.rows()) / 4
    assert {row for row in missing if row[0] == "ending"} == set()


def test_what_no_card_of_the_ruleset_asks_for_is_not_expected() -> None:
    """The cards of T9 and W9 are not in the expansion's deck, but in the mixed one."""
    asked = {}
    for name in ("base", "expansion", "mixed"):
        coverage = Coverage()
        coverage.begin(new_game(name, bytes(32)))
        asked[name] = counted(coverage, "decision").keys() & {"bonus", "gold"}
        asked[name] |= counted(coverage, "action").keys() & {"get:vp", "from:card", "gold>2vp"}
    everything = {"bonus", "gold", "get:vp", "from:card", "gold>2vp"}
    assert asked == {"base": everything, "expansion": {"gold>2vp"}, "mixed": everything}


@pytest.mark.parametrize("termination", ["abandoned", "time"])
def test_a_game_that_ended_early_counts_its_termination(termination: str) -> None:
    record = Record.parse(FILES[0].read_text("utf-8"))
    short = Record.of_game(
        record.ruleset(),
        record.seed,
        record.opening,
        [action for action, _ in record.actions[:10]],
        termination=termination,
        culprit="0",
        result="0-1",
    )
    coverage = Coverage()
    coverage.add(short)
    assert counted(coverage, "ending") == {"twelfth card": 0, "fourth raid": 0, termination: 1}
