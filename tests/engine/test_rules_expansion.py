"""X1 and X2: what the expansion deals, and how its rounds begin."""

from __future__ import annotations

import random

import pytest
from positions import Position, Side, idle, legal, play, stock
from rule_cases import Case, card_names, check, read
from targi_engine import State, load_cards, new_game, ruleset

SEED = bytes(range(32))
FROM_BASE = (2, 3, 6, 7, 11, 15)
OPEN = Side(targis="3 6")


def border(name: str, variants: str = "") -> dict[int, object]:
    """The border cards in play, by number, as in the card files."""
    return {card.number("no", 1, 16): dict(card.data) for card in ruleset(name, variants).cards["border"]}


def filed(name: str) -> dict[int, object]:
    return {card.number("no", 1, 16): dict(card.data) for card in load_cards(name).border}


@pytest.mark.parametrize("name", ["expansion", "mixed"])
def test_six_border_cards_come_from_the_base_and_ten_from_the_expansion(name: str) -> None:
    """X1.1: 2, 3, 6, 7, 11, 15 from the base."""
    base, expansion = filed("base"), filed("expansion")
    assert sorted(expansion) == [1, 4, 5, 8, 9, 10, 12, 13, 14, 16]
    expected = {number: (base if number in FROM_BASE else expansion)[number] for number in range(1, 17)}
    assert border(name) == expected


@pytest.mark.parametrize("number", [1, 4, 5, 8, 9, 10, 12, 13, 14, 16])
def test_a_variant_puts_a_base_card_in_the_border(number: int) -> None:
    """X1.1: border.N=base, one card a number."""
    expected = {**border("expansion"), number: filed("base")[number]}
    assert border("expansion", f"border.{number}=base") == expected


def test_the_goods_deck_has_five_water_cards_more() -> None:
    """X1.2: 24 cards."""
    state = new_game("expansion", SEED)
    cards = [*state.goods.rest(), *(state.centre[cell] for cell in (1, 3, 5, 7))]
    names = sorted(card_names(state, cards).split())
    assert len(names) == 24
    assert [name for name in names if "water" in name] == [
        "2water+dates|salt|pepper",
        "3water",
        "3water",
        "3water",
        "4water",
    ]


def test_goods_lie_on_the_odd_cells() -> None:
    """X1.3: four goods and five tribe cards."""
    for number in range(5):
        state = new_game("expansion", bytes([number] * 32))
        tribe = state.ruleset.catalog.tribe_cards
        assert [tribe[card] for card in state.centre] == [True, False] * 4 + [True]
        assert (state.tribe.left(), state.goods.left()) == (40, 20)


def test_the_top_tribe_card_lies_face_up() -> None:
    """X1.4: both players know it, and know it when it lies face down in the centre."""
    given = Position(
        ruleset="expansion", me=Side(stock="", targis="7 2", markers="1"), other=OPEN, centre={1: "gold"},
        tribe="XK8 XO4",
    )  # fmt: skip
    state = given.build()
    views = [state.observation(seat) for seat in (0, 1, None)]
    assert {view.top for view in views} == {"XK8"}
    play(state, "c1")
    for seat in (0, 1, None):
        view = state.observation(seat)
        assert view.top == "XO4"
        assert (view.centre[1].card, view.centre[1].face_up) == ("XK8", False)
        for number in range(5):
            guess = view.determinize(random.Random(number))
            assert read(guess, "cell 1") == "?XK8"
            assert card_names(guess, guess.tribe.rest()[:1]) == "XO4"


def test_without_a_deck_there_is_no_top_card() -> None:
    """X1.4: nothing is shuffled just to show one."""
    given = Position(
        ruleset="expansion", me=Side(stock="", targis="7 2", markers="1 3"), other=OPEN,
        centre={1: "gold", 3: "2dates"}, tribe="XK8", tribe_left=1, tribe_discard="XO4 XO5",
    )  # fmt: skip
    state = given.build()
    play(state, "c1")
    assert (state.observation(0).top, state.tribe.left(), len(state.tribe.discard)) == (None, 0, 2)
    play(state, "c3")
    assert (read(state, "cell 3"), state.tribe.left()) in (("?XO4", 1), ("?XO5", 1))
    assert state.observation(0).top in ("XO4", "XO5")


def test_the_dunes() -> None:
    """X1.5: twenty, shuffled, three of them face up."""
    state = new_game("expansion", SEED)
    assert (sum(card != 0 for card in state.dune_slots), state.dunes.left()) == (3, 17)
    cards = [*state.dune_slots, *state.dunes.rest()]
    assert sorted(card_names(state, cards).split()) == sorted([f"D{n}" for n in range(1, 11)] * 2)
    assert new_game("expansion", bytes(32)).dunes.rest() != state.dunes.rest()


def test_where_robber_and_targia_begin() -> None:
    """X1.6: on 1 and on 15."""
    state = new_game("expansion", SEED)
    assert (state.robber, state.targia) == (1, 15)


@pytest.mark.parametrize(
    ("variants", "held"), [("", "1d 1s 1p 1g 4v 2w"), ("easy_start=yes", "2d 2s 2p 1g 4v 2w")],
    ids=["X1.7", "X1.7 easy_start"],
)  # fmt: skip
def test_what_a_player_of_the_expansion_starts_with(variants: str, held: str) -> None:
    state = new_game("expansion", SEED, variants=variants)
    assert [player.stock for player in state.players] == [stock(held)] * 2


def walk(variants: str = "") -> list[State]:
    """The first decision of every round of an idle game."""
    state = new_game("expansion", SEED, variants=variants)
    return [idle(state, lambda s, n=n: s.round == n and s.decision == "place").clone() for n in range(1, 13)]  # type: ignore[misc]


def test_the_targia_walks_counter_clockwise_and_skips_the_corners() -> None:
    """X2.2: 15 14 13 11 10 9 7 6 5 3 2 1."""
    assert [state.targia for state in walk()] == [15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2, 1]


def test_the_targia_stands_on_corners_in_a_variant() -> None:
    """X2.2: targia_on_corners."""
    assert [state.targia for state in walk("targia_on_corners=yes")] == list(range(15, 3, -1))


def test_a_raid_comes_before_the_targia_moves_and_before_new_dunes() -> None:
    """X2.1 and X2.2: the Robber first, then she."""
    given = Position(
        ruleset="expansion", round=3, first=1, me=Side(stock="1d 3v", targis="7 2"),
        other=Side(stock="1d 3v"), targia=13, dunes="D1 - D3",
    )  # fmt: skip
    state = play(given.build(), "end")
    assert (state.decision, state.robber, state.targia, read(state, "dunes")) == ("raid", 4, 13, "D1 - D3")
    play(state, "pay:vp pay:vp")
    assert (state.decision, state.robber, state.targia) == ("place", 5, 11)
    assert read(state, "dune discard") == "D1 D3"


def closing(dunes: str, round_: int = 4, **more: object) -> Position:
    """The end of a round, with some dunes face up and others next in the deck."""
    return Position(
        at="close", ruleset="expansion", round=round_, dunes=dunes, dune_deck="D7 D8 D9 D10",
        me=Side(stock="", display="XW4"), other=Side(stock=""), **more,  # type: ignore[arg-type]
    )  # fmt: skip


DUNES = (
    Case(
        pins="X2.3 while a dune lies face up none is turned up",
        given=closing("- D2 -"),
        decision="place",
        then={"dunes": "- D2 -", "dune discard": ""},
    ),
    *(
        Case(
            pins=f"X2.3 none while the only one lies in slot {slot}",
            given=closing(dunes),
            then={"dunes": dunes, "dune discard": ""},
        )
        for slot, dunes in ((1, "D2 - -"), (2, "- D2 -"), (3, "- - D2"))
    ),
    Case(
        pins="X2.3 if none lies face up one is turned up, in slot 1",
        given=closing("- - -"),
        decision="place",
        then={"dunes": "D7 - -"},
    ),
    Case(
        pins="X2.3 after a raid all are discarded and three turned up",
        given=closing("D1 - D3", 3),
        decision="place",
        then={"dunes": "D7 D8 D9", "dune discard": "D1 D3"},
    ),
    Case(
        pins="X2.3 a dune keeps its slot as long as it lies",
        given=closing("- - D2"),
        offers="@d3",
        lacks="@d1 @d2",
        then={"dunes": "- - D2"},
    ),
)


@pytest.mark.parametrize("case", DUNES, ids=lambda case: case.pins)
def test_dunes_at_the_start_of_a_round(case: Case) -> None:
    check(case)


def test_the_robber_of_the_expansion_walks_as_in_the_base_game() -> None:
    """X2.1: with the raids at the corners."""
    assert [state.robber for state in walk()] == [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15]
    assert "@15" not in legal(walk()[11])
