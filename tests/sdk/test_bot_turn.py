"""What a bot author writes and is given."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
import targi_sdk
from targi_engine import State, new_game
from targi_sdk.bot import Bot, Turn, action_of, turn_rng
from targi_sdk.errors import ChoiceError

SEED = bytes(range(32))


@pytest.fixture
def state() -> State:
    return new_game("base", SEED)


@pytest.fixture
def turn(state: State) -> Turn:
    return Turn("a" * 16, 0, state.ply, state.legal_actions(), state.observation(0), Random(1))


class Index:
    """An integer of another library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_the_public_names_are_these() -> None:
    assert sorted(targi_sdk.__all__) == [
        "Action", "Bot", "Choice", "End", "SdkError", "Start", "Turn", "turn_rng",
    ]  # fmt: skip
    assert all(hasattr(targi_sdk, name) for name in targi_sdk.__all__)


def test_a_turn_shows_decision_names_and_a_possible_state(turn: Turn, state: State) -> None:
    assert turn.decision == "place"
    assert [turn.name(action) for action in turn.legal[:2]] == ["@2", "@3"]
    guess = turn.state()
    assert guess.observation(0) == state.observation(0)
    assert guess.legal_actions() == turn.legal


def test_an_encoded_observation_is_decoded_when_it_is_looked_at(state: State) -> None:
    data = state.observation(0).encode()
    turn = Turn("a", 0, 0, state.legal_actions(), data, Random(1))
    assert turn.observation == state.observation(0)
    assert turn.observation is turn.observation
    assert turn.decision == "place"
    assert Turn("a", 0, 0, (1, 2), b"", Random(1), decision="gain").decision == "gain"


def test_a_state_is_drawn_from_the_source_of_the_turn(state: State) -> None:
    def drawn(seed: int) -> list[int]:
        turn = Turn("a", 0, 0, state.legal_actions(), state.observation(0), Random(seed))
        guess = turn.state()
        while not guess.is_over:
            guess.apply(guess.legal_actions()[0])
        return list(guess.scores())

    assert drawn(1) == drawn(1)
    assert any(drawn(1) != drawn(seed) for seed in range(2, 8))


def test_without_clocks_a_turn_never_ends(turn: Turn) -> None:
    assert turn.deadline == float("inf")


def test_a_bot_without_choose_cannot_be_made() -> None:
    class Empty(Bot):
        pass

    with pytest.raises(TypeError, match="choose"):
        Empty()  # type: ignore[abstract]


@pytest.mark.parametrize("choice", [1, "@2", Index(1)])
def test_an_action_may_be_an_id_a_notation_or_any_integer(turn: Turn, choice: object) -> None:
    assert action_of(turn.legal, turn.decision, choice) == 1


@pytest.mark.parametrize("choice", [None, False, 1.0, "@99", "b1", -1, 1_000, object(), Index(0)])
def test_anything_else_is_refused_in_words(turn: Turn, choice: object) -> None:
    with pytest.raises(ChoiceError, match=r"legal are|must return one of turn\.legal"):
        action_of(turn.legal, turn.decision, choice)


def test_a_refusal_lists_no_more_than_a_dozen_actions(turn: Turn) -> None:
    with pytest.raises(ChoiceError, match=r"11 \(@15\) and 8 more$"):
        action_of(tuple(range(20)), turn.decision, "done")


def test_the_random_source_follows_from_seed_commitment_and_seat() -> None:
    seed, commitment = b"s" * 32, b"c" * 32
    digest = hashlib.sha256(seed + commitment + b"1\0").digest()
    assert turn_rng(seed, commitment, 1).random() == Random(digest).random()
    values = {
        turn_rng(seed, commitment, 1).random(),
        turn_rng(seed, commitment, 0).random(),
        turn_rng(commitment, commitment, 1).random(),
        turn_rng(seed, seed, 1).random(),
    }
    assert len(values) == 4
