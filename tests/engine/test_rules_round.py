"""B3: the Robber, placing Targis, markers, action turns, the end of a round."""

from __future__ import annotations

import pytest
from positions import ROBBER_OF_ROUND, Position, Side, idle, legal, play
from rule_cases import Case, check, read
from targi_engine import new_game

SEED = bytes(range(32))


def test_the_robber_walks_round_the_ring() -> None:
    """B3.1: it stands on 1 2 3 5 6 7 9 10 11 13 14 15 in rounds 1 to 12."""
    state = new_game("base", SEED)
    seen = {}
    while not state.is_over:
        if state.decision != "raid":
            seen[state.round] = state.robber
        shown = state.ply
        idle(state, lambda s, shown=shown: s.ply > shown or s.is_over)  # type: ignore[misc]
    assert seen == dict(enumerate(ROBBER_OF_ROUND[1:], start=1))


def test_raids_come_before_rounds_4_7_and_10_and_after_round_12() -> None:
    """B3.1: at a corner its raid is paid, and the Robber moves on at once."""
    state = new_game("base", SEED)
    seen = []
    for corner, standing in ((4, 5), (8, 9), (12, 13), (16, 16)):
        idle(state, lambda s: s.decision == "raid")
        seen.append((state.round, state.robber))
        assert state.robber == corner
        idle(state, lambda s: s.decision == "place" or s.is_over)
        assert state.robber == standing
    assert seen == [(4, 4), (7, 8), (10, 12), (12, 16)]
    assert state.is_over


@pytest.mark.parametrize(("round_", "first"), [(1, 0), (2, 1)], ids=["B3.2 round 1", "B3.2 round 2"])
def test_three_targis_each_are_placed_in_turn(round_: int, first: int) -> None:
    state = idle(new_game("base", SEED), lambda s: s.round == round_)
    seats = []
    while state.decision == "place":
        seats.append(state.current_seat)
        state.apply(state.legal_actions()[0])
    assert seats == [first, 1 - first] * 3
    assert [player.targis.bit_count() for player in state.players] == [3, 3]


PLACES = (
    Case(
        pins="B3.3 not on a corner",
        given=Position(at="place", robber=2, other=Side(targis="1")),
        legal="@3 @5 @6 @7 @9 @10 @13 @14 @15",
    ),
    Case(
        pins="B3.3 not on the Robber's card",
        given=Position(at="place", robber=9),
        legal="@1 @2 @3 @5 @6 @7 @10 @11 @13 @14 @15",
    ),
    Case(
        pins="B3.3 not on an occupied card, neither an own one nor the opponent's",
        given=Position(at="place", robber=2, other=Side(targis="5"), me=Side(targis="6")),
        lacks="@5 @6",
        offers="@7",
    ),
    Case(
        pins="B3.3 not facing an opposing Targi",
        given=Position(at="place", robber=2, other=Side(targis="5 1"), me=Side(targis="7")),
        lacks="@15 @11",
        offers="@13",
    ),
    Case(
        pins="B3.3 facing an own Targi is allowed",
        given=Position(at="place", robber=2, me=Side(targis="14 1"), other=Side(targis="3 7")),
        offers="@6 @11",
        lacks="@9 @13",
    ),
    Case(
        pins="B3.3 facing the Robber is allowed",
        given=Position(at="place", robber=2),
        offers="@10",
    ),
)


@pytest.mark.parametrize("case", PLACES, ids=lambda case: case.pins)
def test_where_a_targi_may_go(case: Case) -> None:
    check(case)


MARKERS = (
    Case(
        pins="B3.4 three Targis on three lines give two markers",
        given=Position(at="place", first=1, robber=4, me=Side(targis="1 5"), other=Side(targis="3 9 13")),
        play="@6",
        then={"markers 0": "0 3", "markers 1": "8"},
    ),
    Case(
        pins="B3.4 two Targis that face each other give one marker",
        given=Position(at="place", first=1, robber=4, me=Side(targis="1 11"), other=Side(targis="3 2 13")),
        play="@14",
        then={"markers 0": "3", "markers 1": "7 8"},
    ),
    Case(
        pins="B3.4 three Targis on one axis give none",
        given=Position(at="place", first=1, robber=4, me=Side(targis="5 6"), other=Side(targis="1 2 14")),
        play="@13",
        then={"markers 0": "", "markers 1": "3 4"},
    ),
    Case(
        pins="B3.4 an empty cell gets none",
        given=Position(
            at="place",
            first=1,
            robber=4,
            me=Side(targis="1 5"),
            other=Side(targis="3 9 13"),
            centre={3: "-", 8: "-"},
        ),
        play="@6",
        then={"markers 0": "0", "markers 1": ""},
    ),
)


@pytest.mark.parametrize("case", MARKERS, ids=lambda case: case.pins)
def test_markers_follow_from_the_targis(case: Case) -> None:
    check(case)


def test_markers_are_not_chosen() -> None:
    """B3.4: after the last placement the first player's action turn comes at once."""
    given = Position(at="place", first=1, robber=4, me=Side(targis="1 5"), other=Side(targis="3 9 13"))
    state = play(given.build(), "@6")
    assert (state.decision, state.current_seat) == ("act", 1)


TURNS = (
    Case(
        pins="B3.5 the own actions come in any order",
        given=Position(me=Side(targis="2 7 13", markers="2 8")),
        legal="b2 b7 b13 c2 c8 end",
    ),
    Case(
        pins="B3.5 an action is finished before the next",
        given=Position(me=Side(targis="2 13"), goods="dates|salt|pepper"),
        play="b13",
        legal="+dates +salt +pepper",
    ),
    Case(
        pins="B3.5 an executed Targi and an executed marker leave at once, others stay",
        given=Position(me=Side(targis="2 7", markers="0 2")),
        play="b2 c0",
        legal="b7 c2 end",
        then={"targis 0": "7", "markers 0": "2"},
    ),
    Case(
        pins="B3.5 ending the turn skips what is left, and the other player's turn follows",
        given=Position(me=Side(targis="2 7"), other=Side(targis="3 6")),
        play="b2 end",
        gains="+1d",
        legal="b3 b6 end",
        then={"seat": 1},
    ),
    Case(
        pins="B3.5 a skipped Targi and a skipped marker stay on the board",
        given=Position(me=Side(targis="2 7", markers="0"), other=Side(targis="3 6")),
        play="end",
        then={"targis 0": "2 7", "markers 0": "0", "cell 0": "dates"},
    ),
    Case(
        pins="B3.5 the second player acts last",
        given=Position(seat=1, first=0, me=Side(targis="2 7"), other=Side()),
        play="b2 end",
        decision="place",
        then={"round": 3},
    ),
)


@pytest.mark.parametrize("case", TURNS, ids=lambda case: case.pins)
def test_an_action_turn(case: Case) -> None:
    check(case)


ROUND_END = (
    Case(
        pins="B3.6 all Targis and markers leave the board",
        given=Position(me=Side(targis="2 7", markers="0"), other=Side(targis="3 6", markers="8")),
        play="end end",
        then={"targis 0": "", "targis 1": "", "markers 0": "", "markers 1": ""},
    ),
    Case(
        pins="B3.6 face-down centre cards are turned up",
        given=Position(me=Side(targis="2 7", markers="0"), centre={4: "?vp", 1: "?K9"}, tribe="K1"),
        play="c0 end",
        then={"cell 0": "K1", "cell 4": "vp", "cell 1": "K9"},
    ),
    Case(
        pins="B3.6 the first-player token changes hands and the next round begins",
        given=Position(seat=1, first=0, me=Side(targis="2 7"), other=Side()),
        play="end",
        decision="place",
        then={"first": 1, "seat": 1, "round": 3},
    ),
    Case(
        pins="B3.6 a Targi may go again where one stood in the round before",
        given=Position(me=Side(targis="2 7"), other=Side(targis="3 6")),
        play="end end",
        offers="@2 @7 @6 @10",
    ),
)


@pytest.mark.parametrize("case", ROUND_END, ids=lambda case: case.pins)
def test_the_end_of_a_round(case: Case) -> None:
    check(case)


def test_a_face_down_card_is_not_turned_up_before_the_round_ends() -> None:
    """B3.6: not at the end of the first player's turn."""
    given = Position(me=Side(targis="2 7", markers="0"), other=Side(targis="3 6"), tribe="K1")
    state = play(given.build(), "c0 end")
    assert (state.current_seat, read(state, "cell 0")) == (1, "?K1")
    play(state, "b3 end")
    assert read(state, "cell 0") == "K1"
    assert "@2" in legal(state)
