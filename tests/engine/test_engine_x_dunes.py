"""The dunes and the Targia of the expansion, and the start of its rounds (X1, X2, X3, X5)."""

from __future__ import annotations

from typing import Any

import pytest
from positions import Position, Side, legal, play
from rule_cases import Case, check, read
from targi_engine import new_game

SEED = bytes(range(32))


def at(me: Side | None = None, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position of the expansion; without fields an action turn of seat 0."""
    return Position(ruleset="expansion", me=me or Side(), **fields)


def mixed(me: Side, **fields: Any) -> Position:  # the fields of Position, as they are
    """A position with cards of both sets."""
    return Position(ruleset="mixed", me=me, **fields)


TARGIA = (
    Case(
        pins="X3.1 the Targia gives one of two options",
        given=at(Side(stock="1d", targis="5", targia=True)),
        play="targia",
        legal="targia:take targia:draw",
        decision="targia",
    ),
    Case(
        pins="X3.1 a good of choice, once",
        given=at(Side(stock="1d", targis="2 3", targia=True)),
        play="targia targia:take +salt",
        gains="+1s",
        lacks="targia",
    ),
    Case(
        pins="X3.1 pay a good for a goods card, or pay again for another",
        given=at(Side(stock="2d", targis="2 3", targia=True), goods="salt 2pepper"),
        play="targia targia:draw redraw",
        gains="-2d +2p",
        then={"goods discard": "salt 2pepper"},
    ),
    Case(
        pins="X3.1 the card refused is discarded before the good is given",
        given=at(Side(stock="2d 1s", targis="2 3", targia=True), goods="3water gold"),
        play="targia targia:draw -dates redraw",
        decision="give",
        then={"goods discard": "3water", "turned up": ""},
    ),
    Case(
        pins="X3.1 without a good there is only the first option",
        given=at(Side(stock="", targis="2 3", targia=True)),
        play="targia",
        decision="gain",
    ),
    Case(
        pins="X3.1 the option not used stays closed",
        given=at(Side(stock="3d", targis="2 3", targia=True), goods="gold"),
        play="targia targia:draw keep",
        lacks="targia",
    ),
    Case(
        pins="XT3 both options, once each",
        given=at(Side(stock="1d", display="XT3", targis="2 3", targia=True), goods="gold"),
        play="targia targia:take +salt targia -dates keep",
        gains="-1d +1s +1g",
        lacks="targia",
    ),
    Case(
        pins="XT1 one option apart from the figure's own, which must be used",
        given=at(Side(stock="2d 1s", targis="1 2", hand="XT1", targia=True)),
        play="b1 row1 +dates",
        gains="-1d -1s",
        offers="targia",
    ),
)


DUNES = (
    Case(
        pins="X5.2 a dune is used, then discarded",
        given=at(Side(stock="", targis="d2 2 3"), dunes="- D3 D1"),
        play="d2",
        gains="+1g +1w",
        then={"dunes": "- - D1", "dune discard": "D3", "targis 0": "2 3"},
    ),
    Case(
        pins="X5.2 a skipped dune is discarded at the end of the turn, its Targi stays",
        given=at(Side(targis="d2 2"), dunes="D1 D3 -", other=Side(targis="3")),
        play="end",
        then={"dunes": "D1 - -", "dune discard": "D3", "targis 0": "2 d2"},
    ),
    Case(
        pins="X5.2 dunes that could do nothing are not offered",
        given=at(Side(stock="1w", targis="d1 d2 d3 2", hand="XC1"), dunes="D6 D9 D10"),
        lacks="d1 d2 d3",
    ),
    Case(
        pins="D5 of equal cards only the first is offered",
        given=at(Side(stock="", targis="d1 2 3"), dunes="D5 - -", goods="salt gold salt"),
        play="d1",
        legal="leave1 leave2",
        decision="leave",
        then={"turned up": "salt gold salt", "dunes": "D5 - -"},
    ),
    Case(
        pins="D5 two are gained, all three discarded",
        given=at(Side(stock="", targis="d1 2 3"), dunes="D5 - -", goods="salt gold 2pepper"),
        play="d1 leave1",
        gains="+1g +2p",
        then={"goods discard": "salt gold 2pepper", "dunes": "- - -"},
    ),
    Case(
        pins="D6 the hand card for two goods less, also a fresh one",
        given=at(Side(stock="1s", targis="d1 2 3", hand="XO2", fresh=1), dunes="D6 - -"),
        play="d1 ~salt",
        then={"display 0": "XO2", "stock 0": "1v", "dune discard": "D6"},
    ),
    Case(
        pins="X5.6 XC4's good comes also for the dune that laid it",
        given=at(Side(stock="1s", targis="d1 2 3", hand="XC4"), dunes="D6 - -"),
        play="d1 ~dates +pepper",
        then={"display 0": "XC4", "stock 0": "1p", "dunes": "- - -"},
    ),
    Case(
        pins="D7 a border card without a Targi, off the Robber, and a water",
        given=at(Side(stock="", targis="d1 2"), dunes="D7 - -", other=Side(targis="3"), robber=6),
        play="d1",
        legal="b7 b11 b13 b14 b15",
        decision="border",
    ),
    Case(
        pins="X5.6 the border card first, then the water; XW5 holds",
        given=at(Side(stock="", targis="d1 2 3", display="XW5"), dunes="D7 - -"),
        play="d1 b13",
        gains="+5w",
    ),
    Case(
        pins="X6.7 a card whose Targi was executed can be used again",
        given=at(Side(stock="", targis="d1 2 3"), dunes="D7 - -"),
        play="b3 d1 b3",
        gains="+2s +1w",
    ),
    Case(
        pins="D8 an unmarked goods card as with a marker",
        given=at(
            Side(stock="", targis="d1 2 3", markers="0"),
            dunes="D8 - -",
            centre={0: "gold", 2: "2salt", 4: "?vp", 6: "XC1", 8: "XC2"},
            other=Side(markers="4"),
        ),
        play="d1",
        then={"stock 0": "2s", "goods discard": "2salt"},
    ),
    Case(
        pins="D9 two or four water for as many VP",
        given=at(Side(stock="5w", targis="d1 2 3"), dunes="D9 - -"),
        play="d1 4water>4vp",
        gains="-4w +4v",
    ),
    Case(
        pins="D10 a row, three goods, a symbol; then it is a tribe card",
        given=at(Side(stock="3d 1s", targis="d1 2 3", display="XK9"), dunes="D10 - D10"),
        play="d1 row1 -dates -dates -salt sym:camp",
        gains="-2d -1s",
        then={"display 0": "XK9 D10:camp", "dunes": "- - D10", "dune discard": "", "score 0": 3},
    ),
    Case(
        pins="X5.5 no discount touches the three goods",
        given=mixed(Side(stock="2d", targis="d1 2", display="K6"), dunes="D10 - -"),
        lacks="d1",
    ),
    Case(
        pins="X5.1 a face-up dune without a Targi takes one",
        given=at(Side(targis="2"), at="place", dunes="D1 - D2", other=Side(targis="d3"), robber=6),
        offers="@d1",
        lacks="@d2 @d3",
    ),
    Case(
        pins="X5.3 XC5 opens a dune with an opposing Targi, not one with an own",
        given=at(
            Side(targis="d1", display="XC5"), at="place", dunes="D1 - D2", other=Side(targis="d3"), robber=6
        ),
        offers="@d3",
        lacks="@d1 @d2",
    ),
)


@pytest.mark.parametrize("case", (*TARGIA, *DUNES), ids=lambda case: case.pins)
def test_dunes_and_targia(case: Case) -> None:
    check(case)


def test_x1_the_deal() -> None:
    state = new_game("expansion", SEED)
    catalog = state.ruleset.catalog
    assert [catalog.tribe_cards[card] for card in state.centre] == [cell % 2 == 0 for cell in range(9)]
    assert (state.tribe.left(), state.goods.left(), state.dunes.left()) == (40, 20, 17)
    assert all(state.dune_slots)
    assert (state.robber, state.targia) == (1, 15)


def test_x2_the_targia_walks_back_and_skips_corners() -> None:
    assert targia_rounds("") == [15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2, 1]
    assert targia_rounds("targia_on_corners=yes") == [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]


def targia_rounds(variants: str) -> list[int]:
    state = new_game("expansion", SEED, variants=variants)
    found: dict[int, int] = {}
    while not state.is_over:
        if state.decision == "place":
            found.setdefault(state.round, state.targia)
        state.apply(state.legal_actions()[-1 if state.decision == "act" else 0])
    return list(found.values())


def test_x2_3_dunes_of_a_round() -> None:
    emptied = play(at(Side(targis="2"), other=Side(targis="3"), first=1, round=4).build(), "end")
    assert read(emptied, "round") == 5
    assert [card != 0 for card in emptied.dune_slots] == [True, False, False]
    kept = play(at(Side(targis="2"), other=Side(targis="3"), first=1, round=4, dunes="- D1 -").build(), "end")
    assert read(kept, "dunes") == "- D1 -"
    position = at(Side(targis="2"), other=Side(targis="3"), first=1, round=3, dunes="- D1 -")
    raided = play(position.build(), "end pay:vp pay:vp")
    assert read(raided, "round") == 4
    assert all(raided.dune_slots)
    assert read(raided, "dune discard") == "D1"


def test_x1_4_the_top_card_stays_known_in_the_centre() -> None:
    given = at(Side(stock="", targis="2 3", markers="0"), centre={0: "gold"}, tribe="XK9 XK8")
    state = play(given.build(), "c0")
    seen = state.observation(1)
    assert seen.top == "XK8"
    assert seen.centre[0] == ("XK9", "tribe", False)
    assert seen.centre_names[0] == "?"


def test_x5_3_a_shared_dune_serves_the_second_player_too_and_then_goes() -> None:
    me, other = Side(stock="", targis="d1 2", display="XC5"), Side(stock="", targis="d1 3")
    state = at(me, dunes="D2 - -", other=other).build()
    state.joint = 1
    play(state, "end")
    assert read(state, "dunes") == "D2 - -"
    play(state, "d1")
    assert read(state, "stock 1") == "6w"
    assert read(state, "dunes") == "D2 - -"
    play(state, "end")
    assert read(state, "dune discard") == "D2"


def test_x3_1_who_may_use_the_targia_is_fixed_after_the_placement() -> None:
    position = at(
        Side(targis="3 6"), at="place", seat=1, first=0, other=Side(targis="2 10 13"), robber=5, targia=13
    )
    state = play(position.build(), "@14 b13")
    assert "targia" in legal(state)
    assert not state.players[1].targia
