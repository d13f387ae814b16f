"""Traces: what one line of a trace shows."""

from __future__ import annotations

import json

import pytest
from positions import Position, Side, play
from targi_engine import Record, action_id, new_game, ruleset, trace
from targi_engine.trace import describe

SEED = bytes(range(32))
OPEN = Side(targis="3")

KEYS = [
    "ply", "round", "first", "seat", "decision", "legal", "players", "centre", "robber", "targia", "targis",
    "markers", "dunes", "top", "decks", "discards",
]  # fmt: skip


def test_a_line_shows_the_state_before_the_action() -> None:
    state = new_game("base", SEED)
    actions = [state.legal_actions()[0], action_id("@7")]
    lines = list(trace(Record.of_game(ruleset("base"), SEED, None, actions, result="*")))
    assert [line.get("action") for line in lines] == ["@2", "@7", None]
    assert list(lines[0]) == [*KEYS, "action"]
    player = {
        "dates": 2, "salt": 2, "pepper": 2, "gold": 1, "water": 0, "vp": 4,
        "hand": [], "display": [[], [], []], "tokens": [], "stored_gold": 0,
    }  # fmt: skip
    assert json.loads(json.dumps(lines[0])) == {
        "ply": 0,
        "round": 1,
        "first": 0,
        "seat": 0,
        "decision": "place",
        "legal": ["@2", "@3", "@5", "@6", "@7", "@9", "@10", "@11", "@13", "@14", "@15"],
        "players": [player, player],
        "centre": ["salt", "W9", "dates+salt", "K4", "pepper", "C1", "salt", "W3", "gold"],
        "robber": 1,
        "targia": None,
        "targis": [[], []],
        "markers": [[], []],
        "dunes": [None, None, None],
        "top": None,
        "decks": {"tribe": 41, "goods": 14, "dunes": 0},
        "discards": {"tribe": 0, "goods": 0, "dunes": 0},
        "action": "@2",
    }
    assert (lines[1]["targis"], lines[1]["seat"], lines[1]["ply"]) == ([[2], []], 1, 1)


def test_the_last_line_shows_the_outcome() -> None:
    lines = list(trace(Record.of_game(ruleset("base"), SEED, None, [], result="*")))
    counted = {"tokens": 4, "printed": 0, "effects": 0, "rows": 0, "water": 0}
    assert lines == [{"result": "*", "score": [4, 4], "breakdown": [counted, counted]}]


SHOWN: tuple[tuple[str, Position, str, dict[str, object]], ...] = (
    (
        "a card in its cell until the choice is made",
        Position(me=Side(targis="7", markers="1"), other=OPEN, centre={1: "O2"}),
        "c1",
        {"centre": "O2", "markers": [[], []], "revealed": None},
    ),
    (
        "a goods card in its cell while its gain is asked",
        Position(me=Side(targis="7", markers="1"), other=OPEN, centre={1: "dates|salt|pepper"}),
        "c1",
        {"centre": "dates|salt|pepper", "markers": [[], []], "revealed": None},
    ),
    (
        "the refill face down",
        Position(me=Side(stock="", targis="7", markers="1"), other=OPEN, centre={1: "O2"}),
        "c1",
        {"centre": "?", "markers": [[], []], "revealed": None},
    ),
    (
        "an empty cell as null",
        Position(me=Side(targis="7 2"), other=OPEN, centre={1: "-"}),
        "",
        {"centre": None, "markers": [[], []], "revealed": None},
    ),
    (
        "a figure gone when its action is chosen, a card turned up",
        Position(me=Side(targis="14 7", markers="4"), other=OPEN, centre={1: "O2"}, tribe="K4"),
        "b14",
        {"targis": [[7], [3]], "markers": [[4], []], "revealed": ["K4"]},
    ),
    (
        "a goods card turned up by the Caravan",
        Position(me=Side(targis="13 7"), other=OPEN, goods="dates|salt|pepper"),
        "b13",
        {"targis": [[7], [3]], "revealed": ["dates|salt|pepper"]},
    ),
    (
        "nothing turned up once it was gained",
        Position(me=Side(targis="13 7"), other=OPEN, goods="dates|salt|pepper"),
        "b13 +salt",
        {"revealed": None},
    ),
)


@pytest.mark.parametrize(
    ("given", "actions", "shown"), [row[1:] for row in SHOWN], ids=[f"shows {row[0]}" for row in SHOWN]
)
def test_a_line_in_the_middle_of_an_action(given: Position, actions: str, shown: dict[str, object]) -> None:
    line = describe(play(given.build(), actions))
    found = {**line, "centre": line["centre"][1], "revealed": line.get("revealed")}  # type: ignore[index]
    assert {key: found[key] for key in shown} == shown
    assert line.get("revealed") != []


def test_a_player_in_a_line() -> None:
    given = Position(
        me=Side(stock="1d 2g 3v", hand="K4", display="W9 C1/T7", targis="7 2", markers="8 0"), other=OPEN
    )
    line = describe(given.build())
    assert line["players"][0] == {  # type: ignore[index]
        "dates": 1, "salt": 0, "pepper": 0, "gold": 2, "water": 0, "vp": 3,
        "hand": ["K4"], "display": [["W9", "C1"], ["T7"], []], "tokens": [], "stored_gold": 1,
    }  # fmt: skip
    assert (line["targis"], line["markers"]) == ([[2, 7], [3]], [[0, 8], []])


def test_costs_are_taken_when_the_last_choice_is_made_gives_at_once() -> None:
    given = Position(me=Side(stock="2d 2s 2p 1g", display="W8 W9 K6", targis="7", hand="K2"), other=OPEN)
    state = given.build()
    stocks = []
    for action in ("hand", "row1", "~pepper", "from:card", "-salt"):
        stocks.append(describe(state)["players"][0])  # type: ignore[index]
        play(state, action)
    held = [(line["dates"], line["salt"], line["stored_gold"]) for line in stocks]
    assert held == [(2, 2, 1)] * 5
    after = describe(state)["players"][0]  # type: ignore[index]
    assert (after["dates"], after["salt"], after["stored_gold"]) == (1, 1, 0)


def test_the_robber_is_the_corner_during_a_raid() -> None:
    given = Position(at="raid", round=7, robber=8, first=1, me=Side(stock="3d 3v"), other=Side())
    line = describe(given.build())
    assert (line["robber"], line["round"], line["decision"], line["first"]) == (8, 7, "raid", 1)
