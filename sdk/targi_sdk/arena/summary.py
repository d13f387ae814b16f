"""What a series comes to: won, drawn and lost games of the first bot, and mean scores."""

from __future__ import annotations

from collections import Counter

from targi_sdk.arena.series import GameResult

__all__ = ["Summary"]


class Summary:
    """Counts over the games that it was told of."""

    def __init__(self) -> None:
        self.wins = 0
        """Games that the first bot won; `draws` and `losses` likewise."""
        self.draws = 0
        self.losses = 0
        self.terminations: Counter[str] = Counter()
        """Games by how they ended, in the words of the record."""
        self._scores = [0, 0]

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the first bot: one a win, half a draw."""
        return self.wins + self.draws / 2

    @property
    def mean_scores(self) -> tuple[float, float]:
        """Mean victory points a game of the first and the second bot; 0 before the first game."""
        games = max(self.games, 1)
        return self._scores[0] / games, self._scores[1] / games

    def add(self, result: GameResult) -> None:
        """Count a game."""
        self.wins += result.points[0] == 1
        self.draws += result.points[0] == 0.5
        self.losses += result.points[0] == 0
        self.terminations[result.termination] += 1
        for index, score in enumerate(result.scores):
            self._scores[index] += score
