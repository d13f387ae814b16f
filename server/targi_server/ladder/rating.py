"""Ratings of all players from the scores of their pairs; the only home of numpy and scipy.

The ratings maximise the Bradley-Terry quasi-likelihood of the pair scores 0, 1/4, 1/2, 3/4, 1, with
E[score] = 1 / (1 + 10^(-d/400)) at a difference d, a prior N(0, 300^2) on each bot's first version, and
N(0, 100^2) on the step from a version to the next. A fit starts from nothing, sees results added up per two
players in sorted order, and ends when a Newton step is below 1e-10 points: equal results give equal tables.

Intervals come from the sandwich covariance with the pair as the cluster, taken relative to the anchors' mean,
or to all players' mean where there is no anchor; that mean is 1500.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, log_expit

__all__ = ["MEAN", "PRIOR_SD", "WIDTH", "Player", "Rated", "Results", "Step", "Tally", "fit"]

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
Tally: TypeAlias = tuple[int, int, int, int, int]
"""Pairs by the first player's score in quarters, 0 to 4."""

MEAN = 1500
PRIOR_SD = 300.0
STEP_SD = 100.0
PLACED_PAIRS = 40
"""Pairs below which a player is provisional: intervals from fewer cover clearly less than 95 %."""
SETTLED_PAIRS = 400
"""Pairs from which on a new version is placed, whether or not it differs from the one before."""
TOLERANCE = 1e-10
_SCALE = math.log(10) / 400
WIDTH = 1.959963984540054
"""Standard errors from the middle to an end of a 95 % interval."""


class Player(NamedTuple):
    """One version of one bot."""

    bot: str
    version: str


Results: TypeAlias = Mapping[tuple[Player, Player], Tally]
"""Per two players, the first below the second, the pairs by the first one's score."""


@dataclass(frozen=True, slots=True)
class Step:
    """From one version of a bot to the next, in points: the difference and its 95 % interval."""

    before: str
    difference: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Rated:
    """One row of the table, in points."""

    player: Player
    rating: int
    low: int
    high: int
    pairs: int
    score: float
    """Mean score of its pairs, 0 to 1."""
    provisional: bool
    anchor: bool
    step: Step | None
    """Against the version before; None for a first version."""


def fit(
    results: Results, lineage: Mapping[str, Sequence[str]], anchors: frozenset[str] = frozenset()
) -> list[Rated]:
    """The table, by lower end of the interval, provisional players after the rest.

    `lineage` has the versions of every bot, the oldest first; `anchors` are names of bots.
    """
    if not results:
        return []
    games = _Games(results, lineage)
    ratings = _solved(games)
    covariance = _sandwich(games, ratings)
    rows = _rows(games, ratings, covariance, anchors)
    return sorted(rows, key=lambda row: (row.provisional, -row.low, -row.rating, row.player))


class _Games:
    """The results as arrays: one row for two players, sorted."""

    def __init__(self, results: Results, lineage: Mapping[str, Sequence[str]]) -> None:
        met = sorted(results)
        self.players = sorted({player for two in met for player in two})
        place = {player: n for n, player in enumerate(self.players)}
        self.size = len(self.players)
        self.first = np.array([place[two[0]] for two in met])
        self.second = np.array([place[two[1]] for two in met])
        tallies = np.array([results[two] for two in met], dtype=np.float64)
        quarters = np.arange(5) / 4
        self.pairs: Vector = tallies.sum(axis=1)
        self.points: Vector = tallies @ quarters
        self.squares: Vector = tallies @ quarters**2
        self.before = _predecessors(place, lineage)
        self.prior = _prior(self.size, self.before)

    def expected(self, ratings: Vector) -> Vector:
        """Expected score of each first player."""
        return np.asarray(expit(_SCALE * (ratings[self.first] - ratings[self.second])))

    def spread(self, weights: Vector) -> Matrix:
        """Sum over the rows of weight times (e_first - e_second)(e_first - e_second)^T."""
        matrix = np.zeros((self.size, self.size))
        matrix[self.first, self.second] = -weights
        matrix += matrix.T
        np.fill_diagonal(matrix, -matrix.sum(axis=1))
        return matrix

    def per_player(self, first: Vector, second: Vector) -> Vector:
        """Sums by player of what the rows hold for their first and their second player."""
        sums = np.zeros(self.size)
        np.add.at(sums, self.first, first)
        np.add.at(sums, self.second, second)
        return sums


def _predecessors(place: Mapping[Player, int], lineage: Mapping[str, Sequence[str]]) -> dict[int, int]:
    """The version before, among those with results, by place in the arrays."""
    before: dict[int, int] = {}
    for bot, versions in lineage.items():
        rated = [place[Player(bot, v)] for v in versions if Player(bot, v) in place]
        before.update(zip(rated[1:], rated[:-1], strict=True))
    return before


def _prior(size: int, before: Mapping[int, int]) -> Matrix:
    """Precision matrix of the prior."""
    precision = np.zeros((size, size))
    for player in range(size):
        if player not in before:
            precision[player, player] += PRIOR_SD**-2
            continue
        two = [player, before[player]]
        precision[np.ix_(two, two)] += STEP_SD**-2 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return precision


def _loss(games: _Games, ratings: Vector) -> float:
    """What the fit minimises: minus the log of quasi-likelihood times prior."""
    gap = _SCALE * (ratings[games.first] - ratings[games.second])
    won = games.points @ log_expit(gap)
    lost = (games.pairs - games.points) @ log_expit(-gap)
    return float(0.5 * ratings @ games.prior @ ratings - won - lost)


def _gradient(games: _Games, ratings: Vector) -> Vector:
    surplus = _SCALE * (games.points - games.pairs * games.expected(ratings))
    return np.asarray(games.prior @ ratings - games.per_player(surplus, -surplus))


def _curvature(games: _Games, ratings: Vector) -> Matrix:
    expected = games.expected(ratings)
    return games.prior + games.spread(_SCALE**2 * games.pairs * expected * (1 - expected))


def _solved(games: _Games) -> Vector:
    """Newton's method from zero; a step that does not help is halved until it does."""
    ratings = np.zeros(games.size)
    while True:
        step = cho_solve(cho_factor(_curvature(games, ratings)), _gradient(games, ratings))
        if np.abs(step).max() < TOLERANCE:
            return np.asarray(ratings - step)
        ratings = _stepped(games, ratings, step)


def _stepped(games: _Games, ratings: Vector, step: Vector) -> Vector:
    # Close to the end the loss is flat to the last digit; there the whole step is right.
    loss = _loss(games, ratings)
    while np.abs(step).max() > 1.0 and _loss(games, ratings - step) > loss:
        step = step / 2
    return ratings - step


def _sandwich(games: _Games, ratings: Vector) -> Matrix:
    """Covariance H^-1 S H^-1, S the sum over pairs of the outer products of their scores."""
    expected = games.expected(ratings)
    residues = games.squares - 2 * expected * games.points + expected**2 * games.pairs
    bread = cho_factor(_curvature(games, ratings))
    half = cho_solve(bread, games.spread(_SCALE**2 * np.maximum(residues, 0.0)))
    return np.asarray(cho_solve(bread, half.T))


def _rows(games: _Games, ratings: Vector, covariance: Matrix, anchors: frozenset[str]) -> list[Rated]:
    fixed = np.array([player.bot in anchors for player in games.players])
    weights = (fixed if fixed.any() else np.ones(games.size)) / max(fixed.sum() or games.size, 1)
    centred = ratings - weights @ ratings + MEAN
    shared = covariance @ weights
    variances = np.diag(covariance) - 2 * shared + weights @ shared
    halves = WIDTH * np.sqrt(np.maximum(variances, 0.0))
    pairs = games.per_player(games.pairs, games.pairs)
    points = games.per_player(games.points, games.pairs - games.points)
    rows = []
    for n, player in enumerate(games.players):
        step = _step(games, ratings, covariance, n)
        rating, half, count = float(centred[n]), float(halves[n]), int(pairs[n])
        low, high = round(rating - half), round(rating + half)
        score, late = float(points[n] / pairs[n]), _provisional(count, step)
        rows.append(Rated(player, round(rating), low, high, count, score, late, bool(fixed[n]), step))
    return rows


def _step(games: _Games, ratings: Vector, covariance: Matrix, player: int) -> Step | None:
    before = games.before.get(player)
    if before is None:
        return None
    difference = float(ratings[player] - ratings[before])
    own, old, shared = covariance[player, player], covariance[before, before], covariance[player, before]
    half = WIDTH * math.sqrt(max(float(own + old - 2 * shared), 0.0))
    ends = round(difference - half), round(difference + half)
    return Step(games.players[before].version, round(difference), *ends)


def _provisional(pairs: int, step: Step | None) -> bool:
    if pairs < PLACED_PAIRS:
        return True
    return step is not None and pairs < SETTLED_PAIRS and step.low <= 0 <= step.high
