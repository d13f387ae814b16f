"""Golden playthroughs: whole games, decision by decision, as they were reviewed and committed.

`make goldens` writes them anew.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from playthrough import PLAYTHROUGHS, Playthrough

GOLDENS = Path(__file__).parent / "goldens"


@pytest.mark.parametrize("game", PLAYTHROUGHS, ids=lambda game: game.name)
def test_the_game_goes_as_it_is_written(game: Playthrough) -> None:
    written = (GOLDENS / f"{game.name}.txt").read_text().splitlines()
    for number, (line, found) in enumerate(zip_longest(written, game.lines()), start=1):
        assert line == found, f"{game.name}.txt:{number}"


def test_every_file_is_a_playthrough() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == {f"{game.name}.txt" for game in PLAYTHROUGHS}
