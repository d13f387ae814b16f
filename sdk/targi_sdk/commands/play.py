"""`targi play A B`: a series of games between two bots on this machine, in processes of their own."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path

from targi_engine import Coverage

from targi_sdk.arena.clock import DEFAULT_TIME, NO_CLOCKS, TimeControl
from targi_sdk.arena.series import Series, play_series
from targi_sdk.cards.own import add_cards_argument, own_cards
from targi_sdk.commands.batch import all_processors, batch_seed, check_out, is_batch, play_batch
from targi_sdk.commands.report import Report
from targi_sdk.console import Console, add_output_arguments
from targi_sdk.errors import UsageError
from targi_sdk.recordfile import SUFFIX, RecordFileError
from targi_sdk.seeds import SEED_BYTES, series_seed
from targi_sdk.specs import BotSpec
from targi_sdk.terminal.sitting import LeaveGame

__all__ = ["COMMAND", "PlayCommand"]

HUMAN = "human"
OUT_HELP = (
    "a directory: write its records 000001.targi and so on; or a file of games, one JSON object each, in "
    "FILE.jsonl or FILE.parquet, where an interrupted series goes on"
)
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
        parser.add_argument("--out", type=Path, help=OUT_HELP)
        parser.add_argument("--force", action="store_true", help="replace what an earlier series left there")
        parser.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        parser.add_argument("--variants", default="", help="name=value, comma-separated")
        add_cards_argument(parser)
        parser.add_argument(
            "--mirror", action="store_true", help="play each deal twice, each game in a new process"
        )
        parser.add_argument(
            "--time",
            help=f"seconds at the start + seconds a turn, or none (default: {DEFAULT_TIME}; none with human "
            "and for a file of games)",
        )
        parser.add_argument(
            "--jobs",
            type=_count,
            help="games at once, in processes (default: 1; for a file of games as many as processors)",
        )
        parser.add_argument(
            "--coverage", action="store_true", help="count which effects, decisions and ends came up"
        )
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        series, console = _series(args), Console.of(args)
        with redirect_stdout(sys.stderr):  # what a bot prints is none of the results
            if is_batch(args.out):
                return play_batch(series, args, console)
            return _play(series, args, console)


def _play(series: Series, args: argparse.Namespace, console: Console) -> int:
    games = play_series(series)
    if args.out is not None:
        _open_directory(args.out, force=args.force)
    report = Report(series, args.out, Coverage() if args.coverage else None)
    try:
        with _progress(series, console) as step:
            for game in games:
                report.add(game, console)
                step()
    except LeaveGame as left:
        console.note(f"{left}; the game that was not finished does not count")
        report.show(console)
        return left.code
    report.show(console)
    return 0


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def _series(args: argparse.Namespace) -> Series:
    with_human = _with_human(args.bots)
    check_out(args.out)
    batch = is_batch(args.out)
    if with_human and (args.mirror or batch or (args.jobs or 1) > 1):
        raise UsageError(f"{HUMAN} plays at this terminal: no --mirror, no --jobs, and --out is a directory")
    if with_human and _nobody_types():
        raise UsageError(
            f"{HUMAN} is asked on standard input, and nothing can come from there: use a terminal"
        )
    usual = NO_CLOCKS if with_human or batch else DEFAULT_TIME
    return Series(
        bots=(args.bots[0], args.bots[1]),
        seed=_seed(args),
        games=args.games,
        ruleset=args.ruleset,
        variants=args.variants,
        mirrored=args.mirror,
        control=usual if args.time is None else TimeControl.parse(args.time),
        jobs=args.jobs or (all_processors() if batch else 1),
        apart=not with_human,
        cards=own_cards(args, args.ruleset),
    )


def _with_human(bots: Sequence[str]) -> bool:
    return HUMAN in (BotSpec.parse(text).target for text in bots)


def _nobody_types() -> bool:
    """Whether standard input is closed or the null device."""
    if sys.stdin is None:
        return True
    try:
        device = os.fstat(sys.stdin.fileno())
    except (OSError, ValueError):  # no file at all, such as text in memory
        return sys.stdin.closed
    return os.path.samestat(device, Path(os.devnull).stat())


def _progress(series: Series, console: Console) -> AbstractContextManager[Callable[[], None]]:
    """Progress over the games; a person needs the terminal for the board."""
    if _with_human(series.bots):
        return nullcontext(lambda: None)
    return console.progress(" - ".join(series.bots), series.games)


def _seed(args: argparse.Namespace) -> bytes:
    if args.seed is not None:
        return series_seed(args.seed)
    return batch_seed(args.out, force=args.force) if is_batch(args.out) else secrets.token_bytes(SEED_BYTES)


def _open_directory(directory: Path, *, force: bool) -> None:
    """Make the directory for the records; what an earlier series left there stays unless told otherwise."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordFileError(f"{directory}: {error.strerror}") from error
    if not force and any(directory.glob(f"*{SUFFIX}")):
        raise UsageError(f"{directory} holds records already: name another directory, or give --force")


COMMAND = PlayCommand()
