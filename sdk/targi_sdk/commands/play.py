"""`targi play A B`: a series of games between two bots in this process."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from targi_engine import Coverage, Record

from targi_sdk.arena.clock import DEFAULT_TIME, NO_CLOCKS, TimeControl
from targi_sdk.arena.series import GameResult, Series, play_series
from targi_sdk.arena.summary import Summary
from targi_sdk.cards.own import PACKAGED_CARDS, add_cards_argument, own_cards
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.errors import UsageError
from targi_sdk.recordfile import SUFFIX, RecordFileError, write_record
from targi_sdk.seeds import SEED_BYTES, series_seed
from targi_sdk.specs import BotSpec

__all__ = ["COMMAND", "PlayCommand"]

HUMAN = "human"
BOT_HELP = "an installed bot, module:Class, my_bot.py, or human; parameters follow as ?name=value&..."


class PlayCommand:
    """`targi play`."""

    name = "play"
    help = "play a series of games between two bots, without a server"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("bots", nargs=2, metavar="BOT", help=BOT_HELP)
        parser.add_argument("--games", type=_count, default=2, help="number of games (default: 2, one pair)")
        parser.add_argument(
            "--seed",
            help="the series seed: 64 hexadecimal digits are its 32 bytes, any other text stands for its "
            "SHA-256 (default: a new one, which is printed)",
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="write DIR/000001.targi and so on")
        parser.add_argument("--force", action="store_true", help="replace records that are in DIR already")
        parser.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        parser.add_argument("--variants", default="", help="name=value, comma-separated")
        add_cards_argument(parser)
        parser.add_argument(
            "--mirror", action="store_true", help="play each deal twice, each game in a new process"
        )
        parser.add_argument(
            "--time",
            help=f"seconds at the start + seconds a turn, or none (default: {DEFAULT_TIME}, none with human)",
        )
        parser.add_argument("--jobs", type=_count, default=1, help="games at once, in processes (default: 1)")
        parser.add_argument(
            "--coverage", action="store_true", help="count which effects, decisions and ends came up"
        )
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        console = Console.of(args)
        series = _series(args)
        games = play_series(series)
        if args.out is not None:
            _open_directory(args.out, force=args.force)
        report = _Report(series, args.out, Coverage() if args.coverage else None)
        with console.progress(" - ".join(series.bots), series.games) as step:
            for game in games:
                report.add(game, console)
                step()
        report.show(console)
        return 0


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def _series(args: argparse.Namespace) -> Series:
    with_human = HUMAN in (BotSpec.parse(text).target for text in args.bots)
    if with_human and (args.mirror or args.jobs > 1):
        raise UsageError(f"{HUMAN} plays at this terminal: leave out --mirror and --jobs")
    usual = NO_CLOCKS if with_human else DEFAULT_TIME
    return Series(
        bots=(args.bots[0], args.bots[1]),
        seed=secrets.token_bytes(SEED_BYTES) if args.seed is None else series_seed(args.seed),
        games=args.games,
        ruleset=args.ruleset,
        variants=args.variants,
        mirrored=args.mirror,
        control=usual if args.time is None else TimeControl.parse(args.time),
        jobs=args.jobs,
        cards=own_cards(args, args.ruleset),
    )


def _open_directory(directory: Path, *, force: bool) -> None:
    """Make the directory for the records; what an earlier series left there stays unless told otherwise."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordFileError(f"{directory}: {error.strerror}") from error
    if not force and any(directory.glob(f"*{SUFFIX}")):
        raise UsageError(f"{directory} holds records already: name another directory, or give --force")


class _Report:
    """What is kept and told of a series."""

    def __init__(self, series: Series, out: Path | None, coverage: Coverage | None) -> None:
        self._series = series
        self._out = out
        self._coverage = coverage
        self._summary = Summary()
        self._games: list[dict[str, object]] = []
        self._told = False

    def add(self, game: GameResult, console: Console) -> None:
        """Count a finished game, write its record, and say at once when a bot failed."""
        number = game.fixture.number
        self._summary.add(game)
        self._games.append(_as_document(game))
        if self._out is not None:
            write_record(_path(self._out, number), game.record)
        if self._coverage is not None:
            self._coverage.add(Record.parse(game.record), self._series.rules)
        if game.termination != "normal":
            self._tell(game, console)

    def _tell(self, game: GameResult, console: Console) -> None:
        """Say why a game ended early: at length for the first failure, in a line for each further one."""
        number, failure = game.fixture.number, game.failure
        console.note(f"game {number}: {game.words}" + f": {failure.line}" * bool(failure.line))
        if failure.report and not self._told:
            self._told = True
            kept = "add --out DIR to keep the record"
            if self._out is not None:
                kept = f"record {_path(self._out, number)}"
            console.note(f"{failure.report}\n{kept}; further failures are shown in one line")

    def show(self, console: Console) -> None:
        """Print all of it, as tables or as one document."""
        columns = ("bot", "won", "drawn", "lost", "points", "mean score")
        console.table(columns, [list(row.values()) for row in self._bots()])
        console.line(f"{self._summary.games} games of {self._series.ruleset}, seed {self._series.seed.hex()}")
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
            "games": self._games,
        }
        if self._coverage is not None:
            document["coverage"] = [row._asdict() for row in self._coverage.rows()]
        return document


def _path(directory: Path, number: int) -> Path:
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


COMMAND = PlayCommand()
