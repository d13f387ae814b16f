"""What `targi play` keeps and tells of a series."""

from __future__ import annotations

from pathlib import Path

from targi_engine import Coverage, Record

from targi_sdk.arena.series import GameResult, Series
from targi_sdk.arena.summary import Summary
from targi_sdk.cards.own import PACKAGED_CARDS
from targi_sdk.console import Console, counted
from targi_sdk.recordfile import SUFFIX, write_record

__all__ = ["Report"]

MOST_TOLD = 20
"""So many games that ended early are told of one by one."""


class Report:
    """What is kept and told of a series."""

    def __init__(
        self, series: Series, out: Path | None, coverage: Coverage | None, *, batch: bool = False
    ) -> None:
        """`out` is the directory of the records, or of a batch the file, which others write."""
        self._series = series
        self._out = out
        self._coverage = coverage
        self._batch = batch
        self._summary = Summary()
        self._games: list[dict[str, object]] = []
        self._early = 0
        self._told = False

    def add(self, game: GameResult, console: Console) -> None:
        """Count a finished game, write its record, and say at once when a bot failed."""
        self.count(game)
        if self._out is not None and not self._batch:
            write_record(record_path(self._out, game.fixture.number), game.record)
        if game.termination != "normal":
            self._early += 1
            self._tell(game, console)

    def count(self, game: GameResult) -> None:
        """Count a game that was played before."""
        self._summary.add(game)
        if not self._batch:
            self._games.append(_as_document(game))
        if self._coverage is not None:
            self._coverage.add(Record.parse(game.record), self._series.rules)

    def _tell(self, game: GameResult, console: Console) -> None:
        """Say why a game ended early: at length for the first failure, in a line for some further ones."""
        number, failure = game.fixture.number, game.failure
        if self._early > MOST_TOLD:
            return
        console.note(f"game {number}: {game.words}" + f": {failure.line}" * bool(failure.line))
        if failure.report and not self._told:
            self._told = True
            console.note(f"{failure.report}\n{self._kept(number)}; further failures are shown in one line")
        if self._early == MOST_TOLD:
            console.note("more games that end early are counted only")

    def _kept(self, number: int) -> str:
        """Where the record of a game is."""
        if self._out is None:
            return "add --out DIR to keep the record"
        return f"line {number} of {self._out}" if self._batch else f"record {record_path(self._out, number)}"

    def show(self, console: Console) -> None:
        """Print all of it, as tables or as one document."""
        columns = ("bot", "won", "drawn", "lost", "points", "mean score")
        console.table(columns, [list(row.values()) for row in self._bots()])
        games = counted(self._summary.games, "game")
        console.line(f"{games} of {self._series.ruleset}, seed {self._series.seed.hex()}")
        if self._series.cards != PACKAGED_CARDS:
            console.line(f"cards of one's own, card set {self._series.rules.cards_hash}")
        if self._coverage is not None:
            console.line()
            console.table(("what", "name", "times"), self._coverage.rows(), title="coverage")
        console.document(self._document())

    def _bots(self) -> list[dict[str, str | int | float]]:
        """One row a bot: the second one's games are the first one's turned round."""
        summary, (first, second) = self._summary, self._series.bots
        points, scores = summary.points, summary.mean_scores
        return [
            _row(first, summary.wins, summary.draws, summary.losses, points, scores[0]),
            _row(second, summary.losses, summary.draws, summary.wins, summary.games - points, scores[1]),
        ]

    def _document(self) -> dict[str, object]:
        series = self._series
        document: dict[str, object] = {
            "seed": series.seed.hex(),
            "ruleset": series.ruleset,
            "variants": series.variants,
            "cards": series.rules.cards_hash,
            "mirrored": series.mirrored,
            "time": str(series.control),
            "bots": self._bots(),
            "terminations": dict(self._summary.terminations),
        }
        if not self._batch:
            document["games"] = self._games
        if self._coverage is not None:
            document["coverage"] = [row._asdict() for row in self._coverage.rows()]
        return document


def record_path(directory: Path, number: int) -> Path:
    return directory / f"{number:06}{SUFFIX}"


def _row(
    bot: str, won: int, drawn: int, lost: int, points: float, score: float
) -> dict[str, str | int | float]:
    return {"bot": bot, "won": won, "drawn": drawn, "lost": lost, "points": points, "mean_score": score}


def _as_document(game: GameResult) -> dict[str, object]:
    return {
        "game": game.fixture.number,
        "points": game.points,
        "scores": game.scores,
        "termination": game.termination,
        "words": game.words,
    }
