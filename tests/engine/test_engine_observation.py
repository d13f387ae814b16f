"""Observations: nothing hidden in them, filled up consistently, and the same behind their bytes."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from rehidden import rehidden
from targi_engine import Observation, ObservationError, State, new_game, playout, ruleset

Positions = Callable[[str, int], Iterator[State]]
SEATS = (0, 1, None)
GAMES = 4
SHUFFLES = 3


LONG = pytest.param(200, marks=pytest.mark.full)


@pytest.mark.parametrize("games", [GAMES, LONG])
def test_a_filled_up_observation_looks_the_same_to_everyone(
    ruleset_name: str, positions: Positions, games: int
) -> None:
    rng = random.Random(1)
    for game in range(games):
        for state in positions(ruleset_name, game):
            for seat in SEATS:
                seen = state.observation(seat)
                filled = seen.determinize(rng)
                assert filled.observation(seat) == seen
                assert filled.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("games", [GAMES, LONG])
def test_other_hidden_cards_give_the_same_bytes(ruleset_name: str, positions: Positions, games: int) -> None:
    """Decks, face-down cells, the cards of `mixed` that are in the game, and seeds: several times each."""
    changed: Counter[str] = Counter()
    for game in range(games):
        rng = random.Random(game)
        for state in positions(ruleset_name, game):
            seen = [state.observation(seat).encode() for seat in SEATS]
            for _ in range(SHUFFLES):
                other = rehidden(state, rng)
                assert [other.observation(seat).encode() for seat in SEATS] == seen
                assert [other.encoded_observation(seat) for seat in SEATS] == seen
                changed.update(differences(state, other))
    expected = {"tribe", "goods", "centre", "seed"} | ({"dunes"} if ruleset_name != "base" else set())
    assert set(changed) == expected | ({"cards in the game"} if ruleset_name == "mixed" else set())
    assert min(changed.values()) > 20


def differences(one: State, other: State) -> list[str]:
    """The hidden parts that differ."""
    pairs = {
        "tribe": (one.tribe.cards, other.tribe.cards),
        "goods": (one.goods.cards, other.goods.cards),
        "dunes": (one.dunes.cards, other.dunes.cards),
        "centre": (one.centre, other.centre),
        "seed": (one.seed, other.seed),
        "cards in the game": (tribe_cards(one), tribe_cards(other)),
    }
    return [name for name, (before, after) in pairs.items() if before != after]


def tribe_cards(state: State) -> set[int]:
    """The undealt tribe cards and those in the centre."""
    is_tribe = state.ruleset.catalog.tribe_cards
    return {card for card in (*state.tribe.rest(), *state.centre) if is_tribe[card]}


def test_no_seed_is_in_an_observation(ruleset_name: str) -> None:
    seed, opening = bytes(range(32)), bytes(range(32, 64))
    seen = new_game(ruleset_name, seed, opening).observation(0)
    assert seed not in seen.encode()
    assert opening not in seen.encode()
    guessed = seen.determinize(random.Random(1))
    assert guessed.seed not in (seed, opening)
    assert guessed.opening is None


def test_bytes_give_the_observation_back(ruleset_name: str, positions: Positions) -> None:
    for game in range(GAMES):
        for state in positions(ruleset_name, game):
            for seat in SEATS:
                seen = state.observation(seat)
                again = Observation.decode(seen.encode())
                assert again == seen
                assert (again.seat, again.legal, again.decision) == (seat, seen.legal, seen.decision)
                assert again.players == seen.players
                assert again.centre == seen.centre
                assert again.describe() == seen.describe()


def test_the_bytes_can_be_had_without_the_observation(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 0):
        for seat in SEATS:
            assert state.encoded_observation(seat) == state.observation(seat).encode()


def test_an_observation_is_pickled_with_its_ruleset(ruleset_name: str) -> None:
    seen = new_game(ruleset_name, bytes(32)).observation(1)
    again = pickle.loads(pickle.dumps(seen))
    assert again == seen
    assert again.ruleset is seen.ruleset


def test_a_decoded_observation_fills_up_like_the_first(ruleset_name: str, positions: Positions) -> None:
    for state in positions(ruleset_name, 1):
        seen = state.observation(0)
        again = Observation.decode(seen.encode())
        one, other = (view.determinize(random.Random(7)) for view in (seen, again))
        assert playout(one, random.Random(8)) == playout(other, random.Random(8))
        assert one.outcome() == other.outcome()


def test_an_observation_does_not_follow_the_state(ruleset_name: str) -> None:
    state = new_game(ruleset_name, bytes(32))
    seen = state.observation(0)
    before = (seen.encode(), seen.describe())
    state.apply(state.legal_actions()[0])
    assert (seen.encode(), seen.describe()) == before
    assert state.observation(0) != seen


def test_the_seats_see_the_same_but_for_the_seat() -> None:
    state = new_game("base", bytes(32))
    views = [state.observation(seat) for seat in SEATS]
    assert len(set(views)) == 3
    assert views[0].describe() == views[1].describe() == views[2].describe()


def test_the_top_tribe_card_and_known_cells_of_the_expansion_are_kept(positions: Positions) -> None:
    known = 0
    for state in positions("expansion", 3):
        filled = state.observation(0).determinize(random.Random(state.ply))
        assert filled.observation(1).top == state.observation(1).top
        for cell in range(9):
            if state.known >> cell & 1:
                known += 1
                assert filled.centre[cell] == state.centre[cell]
                view = state.observation(0).centre[cell]
                assert view == (state.ruleset.catalog.names[state.centre[cell]], "tribe", False)
    assert known > 0


def test_mixed_draws_nine_of_each_symbol_again() -> None:
    state = new_game("mixed", bytes(32))
    catalog = state.ruleset.catalog
    drawn: Counter[str] = Counter()
    for number in range(60):
        filled = state.observation(0).determinize(random.Random(number))
        cards = [*filled.tribe.cards, *filled.centre]
        symbols = Counter(catalog.symbols[card] for card in cards if catalog.tribe_cards[card])
        assert set(symbols.values()) == {9}
        drawn.update(catalog.names[card] for card in filled.tribe.cards)
    # Every card that is not in the centre can be in the deck.
    assert len(drawn) == 90 - 5


def test_cards_drawn_before_a_reshuffle_stay_apart_from_its_deck() -> None:
    state = new_game("base", bytes(32))
    # A face-down goods card, then a deck made of the discard: the observer knows the two apart.
    hidden, *rest = state.goods.cards[state.goods.at :]
    discarded = [card for card in rest if card != hidden]
    state.centre[1], state.down = hidden, 1 << 1
    state.goods.cards, state.goods.at = tuple(discarded), 0
    state.goods.shuffles = 1
    for number in range(20):
        filled = state.observation(0).determinize(random.Random(number))
        assert filled.centre[1] == hidden
        assert sorted(filled.goods.cards) == sorted(discarded)


def test_cards_drawn_before_and_after_a_reshuffle_stay_apart_behind_the_bytes() -> None:
    state = new_game("base", bytes(32))
    early, late, *rest = state.goods.cards[state.goods.at :]
    state.centre[1], state.centre[7], state.down = early, late, 1 << 1 | 1 << 7
    state.goods.cards, state.goods.at, state.goods.shuffles = tuple(rest), 0, 1
    state.epochs[7] = 1
    seen = state.observation(0)
    for number in range(20):
        filled = Observation.decode(seen.encode()).determinize(random.Random(number))
        assert filled.centre[1] == early
        assert filled.observation(0) == seen


def test_the_hidden_cards_are_spread_evenly() -> None:
    state = new_game("base", bytes(32))
    seen = state.observation(0)
    rng = random.Random(3)
    tops = Counter(seen.determinize(rng).tribe.cards[0] for _ in range(4100))
    assert len(tops) == 41
    # 100 are expected of each; six standard deviations.
    assert all(40 < count < 160 for count in tops.values())


def test_bytes_that_are_cut_short_or_too_long_are_refused() -> None:
    data = new_game("expansion", bytes(32)).observation(1).encode()
    for length in range(len(data)):
        with pytest.raises(ObservationError):
            Observation.decode(data[:length])
    with pytest.raises(ObservationError, match="too many"):
        Observation.decode(data + b"\0")


def test_bytes_changed_at_random_are_refused_or_read() -> None:
    data = new_game("mixed", bytes(32)).observation(0).encode()
    rng = random.Random(5)
    for _ in range(1000):
        broken = bytearray(data)
        broken[rng.randrange(len(broken))] = rng.randrange(256)
        try:
            Observation.decode(bytes(broken))
        except ObservationError as error:
            assert "observation" in str(error)


@pytest.mark.parametrize("bits", [35, 70, 280])
def test_huge_numbers_are_refused(bits: int) -> None:
    """Rules shift by the numbers of a table: a huge one must not get so far."""
    data = new_game("expansion", bytes(32)).observation(None).encode()
    huge = b"\xff" * (bits // 7 - 1) + b"\x7f"
    for at in range(60):  # what follows are the pools, whose numbers are wide
        with pytest.raises(ObservationError):
            Observation.decode(data[:at] + huge + data[at + 1 :])


def test_another_version_and_another_card_set_are_refused() -> None:
    data = new_game("base", bytes(32)).observation(0).encode()
    with pytest.raises(ObservationError, match="version 2"):
        Observation.decode(b"\x02" + data[1:])
    with pytest.raises(ObservationError, match="card set"):
        Observation.decode(data, ruleset("expansion"))


def test_an_observation_of_a_finished_game_has_its_outcome() -> None:
    state = new_game("base", bytes(32))
    playout(state, random.Random(1))
    seen = state.observation(None)
    assert (seen.is_over, seen.legal, seen.decision, seen.current_seat) == (True, (), "", -1)
    assert seen.outcome() == state.outcome()
    assert Observation.decode(seen.encode()).scores() == state.scores()


def test_a_filled_up_game_plays_the_same_twice() -> None:
    filled = new_game("mixed", bytes(32)).observation(0).determinize(random.Random(2))
    again = filled.clone()
    actions: list[int] = []
    rng = random.Random(4)
    while not filled.is_over:
        actions.append(rng.choice(filled.legal_actions()))
        filled.apply(actions[-1])
    for action in actions:
        again.apply(action)
    assert again.outcome() == filled.outcome()
