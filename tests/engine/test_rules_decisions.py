"""How decisions are asked: forced choices, chains, equal cards, the vocabulary, illegal actions."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, names, play
from rule_cases import Case, check, read
from targi_engine import ACTIONS, IllegalAction, UnknownAction, action_id, action_name, new_game

OPEN = Side(targis="3 6")


def lay(card: str, stock: str, display: str = "", **side: str) -> Position:
    """A card in the centre under an own marker."""
    me = Side(stock=stock, display=display, targis="7", markers="1", **side)  # type: ignore[arg-type]
    return Position(me=me, other=OPEN, centre={1: card})


CASES = (
    Case(
        pins="forced: an action turn with nothing but end ends by itself",
        given=Position(me=Side(targis="9", stock=""), other=OPEN),
        then={"seat": 1, "forced": "end"},
    ),
    Case(
        pins="forced: after the last action the turn ends by itself",
        given=Position(me=Side(targis="2", stock=""), other=OPEN),
        play="b2",
        gains="+1d",
        then={"seat": 1, "forced": "end"},
    ),
    Case(
        pins="forced: a choice of one is taken, with all that follows",
        given=lay("T6", "1d 2s", hand="W2"),
        play="c1 row1",
        gains="-1d -2s",
        then={"forced": "cost1"},
    ),
    Case(
        pins="forced: a payment that can be made in one way only asks nothing",
        given=Position(at="raid", round=10, robber=12, first=1, me=Side(stock="3s 1v"), other=Side()),
        then={"forced": "pay:goods -salt -salt -salt"},
        decision="place",
    ),
    Case(
        pins="not offered: Noble with an empty hand, a Trader that affords nothing",
        given=Position(me=Side(stock="1d", targis="1 5 7")),
        legal="b7 end",
    ),
    Case(
        pins="not offered: Fata Morgana without a marker, Silversmith without goods",
        given=Position(me=Side(stock="1d", targis="9 10 7")),
        legal="b7 end",
    ),
    Case(
        pins="chain: row, cost, discounts, gold, then everything is paid",
        given=lay("T6", "2d 3s 1g", "T4 K6", hand="W2"),
        play="c1 row1",
        legal="cost1 cost2",
        gains="",
    ),
    Case(
        pins="chain: goods saved are asked one by one",
        given=Position(me=Side(stock="2d 2s 1p 1g", display="K6 K7", targis="1 7", hand="K3"), other=OPEN),
        play="b1 row1 ~salt",
        legal="~dates ~salt ~pepper",
        gains="",
    ),
    Case(
        pins="chain: a good that is saved up is not offered again",
        given=Position(me=Side(stock="2d 2s 1p 1g", display="K6 K7", targis="1 7", hand="K3"), other=OPEN),
        play="b1 row1 ~pepper",
        legal="~dates ~salt",
    ),
    Case(
        pins="chain: only rows from which it can be paid are offered",
        given=lay("K3", "2d 2s", "K6", hand="W2"),
        play="c1",
        legal="row1 row2 discard",
    ),
    Case(
        pins="chain: gold comes after the savings, the extra good last",
        given=Position(me=Side(stock="2d 2s 2p 1g", display="W8 W9 K6", targis="7", hand="K2"), other=OPEN),
        play="hand row1 ~pepper",
        legal="from:card from:purse",
        decision="gold",
    ),
    Case(
        pins="chain: the extra good is given before the cost is taken",
        given=Position(me=Side(stock="2d 2s 2p 1g", display="W8 W9 K6", targis="7", hand="K2"), other=OPEN),
        play="hand row1 ~pepper from:card",
        legal="-dates -salt -pepper",
        decision="give",
        gains="",
    ),
    Case(
        pins="chain: then all is paid at once and the card is laid",
        given=Position(me=Side(stock="2d 2s 2p 1g", display="W8 W9 K6", targis="7", hand="K2"), other=OPEN),
        play="hand row1 ~pepper from:card -salt",
        gains="-1d -1s",
        then={"display 0": "W8 W9 K6 K2"},
    ),
    Case(
        pins="chain: a saving that would leave the rest unpayable is not offered",
        given=lay("K3", "2d 1s 1p", "K6", hand="W2"),
        play="c1 row1",
        gains="-2d -1s -1p",
        then={"forced": "~salt"},
    ),
    Case(
        pins="a gain: what is fixed first, what is chosen next",
        given=Position(
            me=Side(stock="", display="T8", targis="7", markers="0"), centre={0: "dates|salt|pepper"}
        ),
        play="c0",
        gains="",
        decision="gain",
    ),
    Case(
        pins="end of a turn: first the good without goods, then the limits",
        given=Position(me=Side(stock="10d 5g", display="O8", targis="7 2"), other=OPEN),
        play="end",
        gains="",
        decision="gain",
    ),
    Case(
        pins="end of a turn: gold above the limit goes before the choice of goods",
        given=Position(me=Side(stock="8d 4s 5g", targis="7 2"), other=OPEN),
        play="end",
        gains="-2g",
        decision="give",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.pins)
def test_what_is_asked(case: Case) -> None:
    check(case)


def test_a_forced_discard_is_told() -> None:
    """B4.2: the trap of a hand card that can only be discarded."""
    given = Position(me=Side(stock="", targis="1 7", hand="C1"), other=OPEN)
    state = play(given.build(), "b1")
    assert [(seat, action_name(action)) for seat, action in state.forced] == [(0, "discard")]
    play(state, "b7")
    assert [(seat, action_name(action)) for seat, action in state.forced] == [(0, "end")]


def test_an_illegal_action_is_refused_in_words_and_changes_nothing() -> None:
    state = new_game("base", bytes(32))
    before = state.observation(0)
    with pytest.raises(IllegalAction, match=r"legal.*@2"):
        state.apply(action_id("@1"))
    with pytest.raises(IllegalAction):
        state.apply(action_id("end"))
    assert state.observation(0) == before
    assert state.ply == 0


def test_an_action_after_the_end_is_refused() -> None:
    given = Position(at="raid", round=12, robber=16, first=1, me=Side(stock="1g 3v"), other=Side())
    state = play(given.build(), "pay:gold")
    with pytest.raises(IllegalAction, match="over"):
        state.apply(action_id("end"))


def test_every_action_has_one_id_and_one_notation() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS)
    for number, name in enumerate(ACTIONS):
        assert (action_id(name), action_name(number)) == (number, name)


@pytest.mark.parametrize("text", ["", "@4", "b8", "c9", "row4", "END", " end", "+gold", "2dates>dates"])
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(UnknownAction, match="targi actions"):
        action_id(text)


@pytest.mark.parametrize("number", [-1, len(ACTIONS)])
def test_a_number_that_is_no_action_is_refused(number: int) -> None:
    with pytest.raises(UnknownAction, match="ids run from 0"):
        action_name(number)


BLOCKS = (
    ("@1 @2 @3 @5 @6 @7 @9 @10 @11 @13 @14 @15 @d1 @d2 @d3", 0),
    ("b1 b2 b3 b5 b6 b7 b9 b10 b11 b13 b14 b15", 15),
    ("c0 c1 c2 c3 c4 c5 c6 c7 c8 d1 d2 d3 targia hand", 27),
    ("end +dates +salt +pepper -dates -salt -pepper", 51),
    ("3dates>gold 3salt>gold 3pepper>gold 2dates>salt 2dates>pepper", 58),
    ("row1 row2 row3 take discard reject h1 h2 cost1 cost2", 83),
    ("x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12", 110),
    ("done", 137),
)


@pytest.mark.parametrize(("block", "first"), BLOCKS, ids=[block.split()[0] for block, _ in BLOCKS])
def test_ids_never_change(block: str, first: int) -> None:
    """The vocabulary only grows at its end."""
    assert names(tuple(range(first, first + len(block.split())))) == block


def test_legal_actions_are_sorted_by_id() -> None:
    given = Position(
        me=Side(stock="4d 4s 2g", display="W8", targis="7 2 5", markers="8 0", hand="C5"), other=OPEN
    )
    state = given.build()
    assert list(state.legal_actions()) == sorted(state.legal_actions())
    assert legal(state) == {"b2", "b5", "b7", "c0", "c8", "hand", "end"}


def test_turns_and_reveals_are_counted() -> None:
    """`turn` rises with a placement, an action turn, a raid payment; `reveals` with a card turned up."""
    given = Position(me=Side(targis="14 7 13"), other=OPEN, tribe="K1 K2", goods="gold", round=3)
    state = given.build()
    turn, reveals = state.turn, state.reveals
    play(state, "b14 discard b13")
    assert (state.turn, state.reveals) == (turn, reveals + 2)
    play(state, "b7")
    assert (state.turn, read(state, "seat")) == (turn + 1, 1)
    play(state, "b3 end")
    assert (state.decision, state.turn) == ("raid", turn + 2)


def test_a_passed_turn_is_not_counted() -> None:
    """An own turn in which nothing was asked adds nothing to `turn`."""
    given = Position(me=Side(targis="7 2"), other=Side(stock="", targis=""))
    state = given.build()
    turn = state.turn
    play(state, "end")
    assert (state.decision, state.turn) == ("place", turn + 1)
