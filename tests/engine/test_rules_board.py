"""B1 and B2: the board and the deal."""

from __future__ import annotations

import pytest
from positions import Position, Side, legal, play, stock
from rule_cases import Case, cell, check, display
from targi_engine import new_game

SEED = bytes(range(32))
GOODS_FACES = ("2dates", "2pepper", "2salt", "dates", "gold", "pepper", "salt", "vp")

FACING = ((1, 11), (2, 10), (3, 9), (5, 15), (6, 14), (7, 13))
COLUMNS = ((1, 11), (2, 10), (3, 9))
ROWS = ((5, 15), (6, 14), (7, 13))

PLACEMENT = (
    Case(
        pins="B1.1 twelve border cards take Targis and the four corners none",
        given=Position(at="place", robber=1),
        legal="@2 @3 @5 @6 @7 @9 @10 @11 @13 @14 @15",
    ),
    Case(
        pins="B1.1 top 1-2-3 and bottom 11-10-9 span the columns, right 5-6-7 and left 15-14-13 the rows",
        given=Position(
            at="place",
            seat=1,
            first=0,
            robber=4,
            other=Side(targis="1 6 13"),
            me=Side(targis="3 5"),
        ),
        play="@15",
        then={"markers 0": "3 6", "markers 1": "2"},
    ),
)


@pytest.mark.parametrize("case", PLACEMENT, ids=lambda case: case.pins)
def test_placing_on_the_ring(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("pair", FACING, ids=lambda pair: f"B1.2 {pair[0]} faces {pair[1]}")
def test_a_card_faces_the_one_across_the_centre(pair: tuple[int, int]) -> None:
    for one, other in (pair, pair[::-1]):
        given = Position(at="place", robber=4, seat=1, first=0, other=Side(targis=str(one)))
        places = {f"@{n}" for n in (1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15)}
        assert legal(given.build()) == places - {f"@{one}", f"@{other}"}


@pytest.mark.parametrize("number", range(9), ids=lambda number: f"B1.3 cell {number}")
def test_cells_are_numbered_row_by_row(number: int) -> None:
    row, column = divmod(number, 3)
    for side in (0, 1):
        targis = f"{ROWS[row][side]} {COLUMNS[column][side]}"
        # The third Targi faces the one on the row, so that it adds no crossing.
        last = ROWS[row][1 - side]
        given = Position(
            at="place", robber=4, first=1, other=Side(targis=_elsewhere(row, column)), me=Side(targis=targis)
        )
        state = play(given.build(), f"@{last}")
        assert state.players[0].markers == 1 << number


def _elsewhere(row: int, column: int) -> str:
    """Three Targis that stand neither on a row or a column nor opposite to it."""
    return " ".join(str(COLUMNS[at][0]) for at in range(3) if at != column) + f" {ROWS[(row + 1) % 3][0]}"


@pytest.mark.parametrize("round_", range(1, 13))
def test_border_cards_never_move(round_: int) -> None:
    """B1.4: a border card does the same in every round."""
    for place, gain in ((2, "1d"), (3, "1s"), (6, "1p"), (7, "1d"), (11, "1p"), (15, "1s")):
        given = Position(round=round_, me=Side(stock="", targis=f"{place} 5", display="K8"))
        state = play(given.build(), f"b{place}")
        assert state.players[0].stock == stock(gain)


def test_the_deal_comes_from_the_top_of_both_decks_in_cell_order() -> None:
    """B2.1: goods on the even cells, tribe cards on the odd ones, as the decks begin."""
    state = new_game("base", SEED)
    assert [cell(state, n) for n in range(9)] == [
        "salt", "W9", "dates+salt", "K4", "pepper", "C1", "salt", "W3", "gold",
    ]  # fmt: skip
    names = state.ruleset.catalog.names
    assert [names[card] for card in state.tribe.rest()[:4]] == ["C2", "O7", "O2", "W5"]
    assert names[state.goods.rest()[0]] == "salt+pepper"


def test_the_decks_hold_what_the_centre_does_not_show() -> None:
    """B2.1: 45 tribe cards and 19 goods cards, five of them and four of those in the centre."""
    state = new_game("base", SEED)
    assert (state.tribe.left(), state.goods.left()) == (41, 14)
    catalog = state.ruleset.catalog
    tribe = sorted([*state.tribe.rest(), *(state.centre[n] for n in (1, 3, 5, 7))])
    assert tribe == sorted(catalog.tribe)
    goods = sorted([*state.goods.rest(), *(state.centre[n] for n in (0, 2, 4, 6, 8))])
    assert goods == sorted(card for card in catalog.goods for _ in range(catalog.copies[card]))
    assert state.down == 0


def test_the_two_decks_are_shuffled_separately() -> None:
    """B2.1: another seed gives another order of either deck."""
    deals = [new_game("base", bytes([n] * 32)) for n in range(4)]
    assert len({state.tribe.rest() for state in deals}) == 4
    assert len({state.goods.rest() for state in deals}) == 4


@pytest.mark.parametrize("seat", [0, 1], ids=["B2.2 seat 0", "B2.2 seat 1"])
def test_what_a_player_starts_with(seat: int) -> None:
    state = new_game("base", SEED)
    player = state.players[seat]
    assert player.stock == stock("2d 2s 2p 1g 4v")
    assert (display(state, seat), player.hand, player.targis, player.markers) == ("", (), 0, 0)
    assert (player.ready, player.got_goods, player.fresh, player.quota) == ((0, 0, 0), False, 0, 3)


def test_the_robber_and_the_first_player_of_round_one() -> None:
    """B2.3: the Robber stands on 1, seat 0 places first."""
    state = new_game("base", SEED)
    assert (state.robber, state.first, state.current_seat, state.round) == (1, 0, 0, 1)
    assert (state.decision, "@1" in legal(state)) == ("place", False)


SUPPLY = (
    Case(
        pins="B2.4 a border card gives a good to who holds fifty",
        given=Position(me=Side(stock="50d 50s 50p", targis="7 2")),
        play="b7",
        gains="+1d",
    ),
    Case(
        pins="B2.4 the Trader gives gold to who holds fifty",
        given=Position(me=Side(stock="50d 50g", targis="5 2")),
        play="b5 3dates>gold",
        gains="-3d +1g",
    ),
    Case(
        pins="B2.4 the Silversmith gives VP to who holds a hundred",
        given=Position(me=Side(stock="4s 100v", targis="10 2")),
        play="b10 4salt>3vp",
        gains="-4s +3v",
    ),
)


@pytest.mark.parametrize("case", SUPPLY, ids=lambda case: case.pins)
def test_the_supply_never_runs_out(case: Case) -> None:
    check(case)
