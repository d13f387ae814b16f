"""Golden playthroughs: whole games, decision by decision, as they were reviewed and committed.

Some in full, the others in short, a block a round (see playthrough_rounds.py).

`make goldens` writes them anew.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from pathlib import Path

import pytest
from playthrough import Playthrough
from playthrough_rounds import ALL_PLAYTHROUGHS
from targi_engine import RULESETS

GOLDENS = Path(__file__).parent / "goldens"


@pytest.mark.parametrize("game", ALL_PLAYTHROUGHS, ids=lambda game: game.name)
def test_the_game_goes_as_it_is_written(game: Playthrough) -> None:
    written = (GOLDENS / f"{game.name}.txt").read_text().splitlines()
    for number, (line, found) in enumerate(zip_longest(written, game.lines()), start=1):
        assert line == found, f"{game.name}.txt:{number}"


def test_every_file_is_a_playthrough() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == {f"{game.name}.txt" for game in ALL_PLAYTHROUGHS}


def test_every_ruleset_has_ten_games_variants_among_them() -> None:
    assert Counter(game.ruleset for game in ALL_PLAYTHROUGHS) == dict.fromkeys(RULESETS, 10)
    assert {game.ruleset for game in ALL_PLAYTHROUGHS if game.variants} == set(RULESETS)
