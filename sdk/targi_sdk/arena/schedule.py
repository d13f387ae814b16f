"""Which games a series has: pairs from one opening, or from one deal, with the seats swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from targi_sdk.seeds import pair_seeds

__all__ = ["Fixture", "fixture", "schedule"]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of a series between a first and a second bot."""

    number: int
    """Number in the series, from 1."""
    pair: int
    """Number of its pair, from 0."""
    game: int
    """1 or 2 within the pair."""
    seed: bytes
    """Seed of the game, 32 bytes."""
    opening: bytes | None
    """Seed of the layout that both games of the pair share, 32 bytes; None when the games are mirrored."""

    @property
    def seats(self) -> tuple[int, int]:
        """The bot (0 the first, 1 the second) on seat 0 and on seat 1: swapped in game 2."""
        return (0, 1) if self.game == 1 else (1, 0)


def schedule(seed: bytes, games: int, *, mirrored: bool = False) -> Iterator[Fixture]:
    """The first `games` games of the series with the 32-byte seed `seed`; an odd last one has no return."""
    return (fixture(seed, number, mirrored=mirrored) for number in range(1, games + 1))


def fixture(seed: bytes, number: int, *, mirrored: bool = False) -> Fixture:
    """The game of a number, from 1, of the series with the 32-byte seed `seed`."""
    pair, second = divmod(number - 1, 2)
    seeds = pair_seeds(seed, pair, mirrored=mirrored)
    return Fixture(number, pair, second + 1, seeds.games[second], seeds.opening)
