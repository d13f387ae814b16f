"""Which games a series has."""

from __future__ import annotations

from targi_sdk.arena.schedule import schedule
from targi_sdk.seeds import pair_seeds

S = bytes(range(32))


def test_a_pair_swaps_the_seats_over_one_opening() -> None:
    first, second = schedule(S, 2)
    assert (first.seats, second.seats) == ((0, 1), (1, 0))
    assert first.opening == second.opening is not None
    assert first.seed != second.seed


def test_the_games_follow_the_derivation_of_their_pair() -> None:
    for fixture in schedule(S, 9):
        seeds = pair_seeds(S, fixture.pair)
        assert fixture.pair == (fixture.number - 1) // 2
        assert fixture.opening == seeds.opening
        assert fixture.seed == seeds.games[fixture.game - 1]


def test_numbers_run_from_1_and_an_odd_last_game_has_no_return() -> None:
    fixtures = list(schedule(S, 5))
    assert [fixture.number for fixture in fixtures] == [1, 2, 3, 4, 5]
    assert [fixture.game for fixture in fixtures] == [1, 2, 1, 2, 1]


def test_a_mirrored_pair_plays_one_seed_without_an_opening() -> None:
    first, second = schedule(S, 2, mirrored=True)
    assert first.seed == second.seed == pair_seeds(S, 0).games[0]
    assert first.opening is second.opening is None


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    assert list(schedule(S, 7))[:4] == list(schedule(S, 4))
