"""The coverage counter: what came up, what did not, and no change to the games it watches."""

from __future__ import annotations

import json
import random
from importlib import resources
from pathlib import Path

import pytest
from prolonging import prolong
from targi_engine import Coverage, Record, Ruleset, action_id, new_game, parse_cards, playout, ruleset
from targi_engine.actions import ROW, TAKE

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


NEVER = {
    "base": {"@d1", "d1", "targia", "water>gold", "reject", "h1", "2any>vp", "sym:well", "pay:card", "extra"},
    "expansion": {"hand", "2dates>vp", "4dates>3vp", "2salt>vp", "4pepper>3vp", "get:vp", "from:purse"},
    "mixed": {"2dates>vp", "4dates>3vp", "2salt>vp", "4pepper>3vp"},
}
GAMES = 200
FULL_ROWS = {f"x{cell}" for cell in (3, 4, 6, 7, 8, 9, 10, 11, 12)}
"""Cells that are seldom filled when a display is rearranged."""


@pytest.mark.parametrize("name", NEVER)
def test_what_cannot_come_up_is_not_expected_and_the_rest_does_come_up(name: str) -> None:
    """Long games and games that lay cards; in 700 of each only cells and the twelfth card miss."""
    coverage = Coverage()
    for number in range(GAMES):
        watched(coverage, ruleset(name), number)
    expected = counted(coverage, "action")
    assert not NEVER[name] & expected.keys()
    missing = {row.name for row in coverage.missing() if row.group != "ending"} - FULL_ROWS
    assert not missing


def watched(coverage: Coverage, rules: Ruleset, number: int) -> None:
    """A game that is counted: every third one long, the others with many cards laid."""
    rng = random.Random(number)
    state = new_game(rules, rng.randbytes(32))
    coverage.begin(state)
    while not state.is_over:
        legal = state.legal_actions()
        rows = [action for action in legal if ROW <= action < TAKE]
        if number % 3 == 0:
            cards = state.players[state.current_seat].powers.cards
            coverage.apply(state, prolong(legal, cards, state.round, rng))
        else:
            coverage.apply(state, rng.choice(rows) if rows and rng.random() < 0.7 else rng.choice(legal))


def test_cards_of_ones_own_decide_what_is_expected() -> None:
    data = json.loads(resources.files("targi_engine").joinpath("data", "base.json").read_text("utf-8"))
    for card in data["tribe"]:
        if card["id"] in ("W8", "O9", "K8"):
            card.update(kind="plain", effect=None)
    coverage = Coverage()
    coverage.begin(new_game(ruleset("base", base=parse_cards(json.dumps(data), "mine.json")), bytes(32)))
    assert not {"hand", "x1", "1dates>salt"} & counted(coverage, "action").keys()
    assert not {"arrange"} & counted(coverage, "decision").keys()


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
