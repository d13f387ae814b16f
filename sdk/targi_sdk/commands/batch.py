"""`targi play --out FILE.jsonl` or `FILE.parquet`: many games into one file, on all processors, resumable."""

from __future__ import annotations

import argparse
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from targi_engine import Coverage

from targi_sdk.arena.batch import play_lines
from targi_sdk.arena.gameline import result_of
from targi_sdk.arena.journal import BatchFileError, Journal, series_of
from targi_sdk.arena.schedule import Fixture, fixture
from targi_sdk.arena.series import Series
from targi_sdk.commands.report import Report
from targi_sdk.console import Console, counted
from targi_sdk.errors import SdkError, UsageError
from targi_sdk.seeds import SEED_BYTES

__all__ = [
    "LINES",
    "MissingExtraError",
    "all_processors",
    "batch_seed",
    "check_out",
    "is_batch",
    "play_batch",
]

LINES, PARQUET = ".jsonl", ".parquet"


class MissingExtraError(SdkError):
    """Something is asked for that needs a library of an extra which is not installed."""


def is_batch(out: Path | None) -> bool:
    """Whether `--out` names the file of a batch rather than a directory for records."""
    return out is not None and out.suffix in (LINES, PARQUET)


def check_out(out: Path | None) -> None:
    """Raise `UsageError` for an ending that is none of a file of games; a directory has none, or exists."""
    if out is not None and out.suffix not in ("", LINES, PARQUET) and not out.is_dir():
        raise UsageError(
            f"--out {out}: games cannot be written as {out.suffix}: a file of games ends in {LINES} or "
            f"{PARQUET}, the name of a new directory for records has no ending"
        )


def batch_seed(out: Path, *, force: bool) -> bytes:
    """The series seed where none was given: that of the interrupted batch in the file, else a new one."""
    held = None if force else series_of(_journal_path(out))
    return secrets.token_bytes(SEED_BYTES) if held is None else held


def all_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_batch(series: Series, args: argparse.Namespace, console: Console) -> int:
    """Play what is missing of a series in its file, and print the summary of all of it."""
    out = args.out
    report = Report(series, out, Coverage() if args.coverage else None, batch=True)
    with _finished(out, force=args.force), Journal(_journal_path(out), series, force=args.force) as journal:
        for line in journal.old_games():
            report.count(result_of(_fixture(series, line["game"]), line))
        if journal.games:
            console.note(f"{out} holds {counted(journal.games, 'game')} already: going on after them")
        left = series.games - journal.games
        with console.progress(" - ".join(series.bots), left) as step:
            for played in play_lines(series, journal.games + 1):
                journal.add(played.text)
                number = _fixture(series, journal.games)
                report.add(result_of(number, json.loads(played.text), played.failure), console)
                step()
    report.show(console)
    return 0


def _fixture(series: Series, number: int) -> Fixture:
    return fixture(series.seed, number, mirrored=series.mirrored)


def _journal_path(out: Path) -> Path:
    """The file of lines: what is asked for, or what a Parquet file is made of at the end."""
    return out if out.suffix == LINES else out.with_name(f"{out.name}{LINES}")


@contextmanager
def _finished(out: Path, *, force: bool) -> Iterator[None]:
    """Around the playing of a batch: make the Parquet file, if one is asked for, of the lines at the end."""
    if out.suffix == LINES:
        yield
        return
    try:
        from targi_sdk.arena.parquet import write_parquet
    except ImportError as error:
        raise MissingExtraError(f"Parquet needs pyarrow ({error}): pip install 'targi[parquet]'") from error
    if out.exists() and not force:
        raise BatchFileError(f"{out}: is there already: name another file, or give --force to replace it")
    yield
    write_parquet(_journal_path(out), out)
    _journal_path(out).unlink()
