"""Perft counts: how many sequences of decisions there are from given positions.

`tests/engine/perft.txt` holds one row a position: ruleset, variants ("-" for none), seed and opening as the
byte that they repeat ("-" for no opening), how many decisions are played first, depth, number of sequences.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from targi_engine import State, Words, new_game, perft

FILE: Final = Path(__file__).resolve().parent.parent / "engine" / "perft.txt"
HEAD: Final = "# ruleset variants seed opening played depth nodes"


class Row(NamedTuple):
    """A position, a depth, and the count that was committed."""

    ruleset: str
    variants: str
    seed: str
    opening: str
    played: int
    depth: int
    nodes: int

    def state(self) -> State:
        """The position: a game in which so many decisions were chosen uniformly."""
        opening = None if self.opening == "-" else bytes.fromhex(self.opening * 32)
        seed = bytes.fromhex(self.seed * 32)
        state = new_game(self.ruleset, seed, opening, variants=self.variants.strip("-"))
        words = Words(seed, "perft")
        for _ in range(self.played):
            legal = state.legal_actions()
            state.apply(legal[words.below(len(legal))])
        return state

    def counted(self) -> int:
        """The count as it is now."""
        return perft(self.state(), self.depth)


def rows() -> Iterator[Row]:
    """The rows of the file."""
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            ruleset, variants, seed, opening, *numbers = line.split()
            yield Row(ruleset, variants, seed, opening, *map(int, numbers))


def written() -> str:
    """The file with the counts as they are now."""
    lines = [HEAD]
    lines += [" ".join(map(str, row._replace(nodes=row.counted()))) for row in rows()]
    return "\n".join(lines) + "\n"
