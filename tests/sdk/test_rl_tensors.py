"""Positions as tensors and legal actions as masks."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from targi_engine import ACTIONS, RULESETS, Observation, State, load_cards, new_game, ruleset
from targi_sdk.rl import HIGH, action_mask, encode, layout_of

ROOT = Path(__file__).resolve().parents[2]


def states(name: str, game: int) -> Iterator[State]:
    """The states of a random game, the last one included; one object, changed in place."""
    rng = random.Random(game)
    state = new_game(name, rng.randbytes(32))
    yield state
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))
        yield state


def plane(view: Observation, name: str, seat: int | None = None) -> NDArray[np.float32]:
    found = layout_of(view.ruleset).planes[name]
    return encode(view, seat)[found.slice].reshape(found.shape)


@pytest.mark.parametrize("name", RULESETS)
def test_a_tensor_has_the_fixed_length_and_bounds_of_its_ruleset(name: str) -> None:
    length = layout_of(ruleset(name)).length
    for state in states(name, 1):
        for seat in (0, 1):
            tensor = encode(state.observation(seat))
            assert tensor.dtype == np.float32
            assert tensor.shape == (length,)
            assert tensor.min() >= 0
            assert tensor.max() <= HIGH
            assert tensor.any()


@pytest.mark.parametrize("name", RULESETS)
def test_the_planes_lie_one_behind_the_other(name: str) -> None:
    layout = layout_of(ruleset(name))
    end = 0
    for found in layout.planes.values():
        assert found.offset == end
        assert found.length == int(np.prod(found.shape))
        end = found.slice.stop
    assert end == layout.length


@pytest.mark.parametrize("name", RULESETS)
def test_a_tensor_tells_positions_apart_that_a_player_tells_apart(name: str) -> None:
    """All that differs in what a trace shows differs in the tensor."""
    seen: dict[bytes, str] = {}
    for game in range(6):
        for state in states(name, game):
            view = state.observation(0)
            shown = str({key: value for key, value in view.describe().items() if key not in ("ply", "legal")})
            assert seen.setdefault(encode(view).tobytes(), shown) == shown


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_hidden_is_in_a_tensor(name: str) -> None:
    rng = random.Random(1)
    for state in states(name, 2):
        if state.ply % 20 == 0:
            view = state.observation(1)
            assert (encode(view.determinize(rng).observation(1)) == encode(view)).all()


def test_own_and_other_planes_are_swapped_between_the_seats() -> None:
    for state in states("expansion", 3):
        for name in layout_of(ruleset("expansion")).planes:
            if name.startswith("own_"):
                other = name.replace("own_", "other_")
                one = state.observation(0)
                assert (plane(one, name, 0) == plane(one, other, 1)).all()


def test_planes_show_what_lies_on_the_table() -> None:
    words = layout_of(ruleset("mixed")).words
    for state in states("mixed", 4):
        view = state.observation(0)
        for cell, card in enumerate(view.centre):
            faces = set(np.flatnonzero(plane(view, "centre")[cell]))
            back = {len(words.faces) + (card.deck == "goods")} if card.deck and not card.face_up else set()
            known = {words.faces[card.card]} if card.card else set()
            assert faces == back | known
        for row, cards in enumerate(view.players[0].display):
            shown = plane(view, "own_display")[4 * row : 4 * row + 4]
            assert [cell.argmax() for cell in shown[: len(cards)]] == [words.laid[card] for card in cards]
            assert shown.sum() == len(cards)
        assert plane(view, "own_stock")[0] * 10 == pytest.approx(view.players[0].dates)
        assert plane(view, "robber").argmax() + 1 == view.robber


def test_the_variants_of_a_ruleset_have_one_layout_and_other_cards_their_own() -> None:
    assert layout_of(ruleset("mixed", "easy_start=yes")).length == layout_of(ruleset("mixed")).length
    rules = ruleset("expansion", expansion=load_cards(ROOT / "engine" / "examples" / "three_cards.json"))
    state = new_game(rules, bytes(32))
    assert encode(state.observation(0)).shape == (layout_of(rules).length,)


def test_a_spectators_observation_needs_a_seat() -> None:
    view = new_game("base", bytes(32)).observation(None)
    with pytest.raises(ValueError, match="say for which seat"):
        encode(view)
    assert (encode(view, 1) == encode(new_game("base", bytes(32)).observation(1))).all()


def test_a_mask_has_ones_at_the_legal_actions() -> None:
    for state in states("mixed", 5):
        mask = action_mask(state.legal_actions())
        assert mask.dtype == np.int8
        assert mask.shape == (len(ACTIONS),)
        assert tuple(np.flatnonzero(mask)) == state.legal_actions()


def test_the_tables_in_the_documentation_are_current() -> None:
    tool = [sys.executable, str(ROOT / "tools" / "rl_docs.py"), "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_missing_extra_is_said_in_words() -> None:
    script = "import sys; sys.modules['numpy'] = None; import targi_sdk.rl"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "pip install 'targi[rl]'" in done.stderr
