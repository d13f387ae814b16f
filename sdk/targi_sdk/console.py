"""What commands print: rich on a terminal, plain text in a pipe, one JSON document with `--json`.

Results go to standard output, progress and errors to standard error: `targi ... > file` keeps results only.
Everything goes through `printable`: what others sent cannot drive the terminal.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TextIO

from rich.console import Console as RichConsole
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from targi_sdk.printable import printable

__all__ = ["Console", "add_output_arguments", "counted", "plain_table", "rich_console"]

Cell = str | int | float
"""A number is set to the right of its column, a string to the left."""


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--json`, the one option that `Console.of` reads."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Lines of a table set in columns by spaces, header first, numbers to the right."""
    cells = [[_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [_is_numeric(index, rows) for index in range(len(columns))]
    return [
        "  ".join(_pad(*field) for field in zip(line, widths, right, strict=True)).rstrip()
        for line in [list(columns), *cells]
    ]


def _text(cell: Cell) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else printable(str(cell), kept="")


def _is_numeric(index: int, rows: Sequence[Sequence[Cell]]) -> bool:
    return bool(rows) and all(isinstance(row[index], int | float) for row in rows)


def _pad(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 game", "2 games"; the plural takes an s unless it is given."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def rich_console(file: TextIO, *, width: int | None = None) -> RichConsole:
    """Where styled text goes; with `NO_COLOR` in the environment it has no style at all, bold included."""
    color: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return RichConsole(file=file, highlight=False, width=width, color_system=color)


class Console:
    """Where a command prints. With `json` everything but `document` and `note` is left out."""

    def __init__(self, *, json: bool = False, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.json = json
        self._out = sys.stdout if out is None else out
        self._err = sys.stderr if err is None else err

    @classmethod
    def of(cls, args: argparse.Namespace) -> Console:
        """The console for arguments to which `add_output_arguments` contributed."""
        return cls(json=bool(args.json))

    @property
    def is_terminal(self) -> bool:
        """Whether standard output is a terminal, and may therefore be coloured."""
        return self._out.isatty()

    def line(self, text: str = "", *, style: str = "") -> None:
        """Print one line of the result; `style` is a rich style, used on a terminal only."""
        if not self.json:
            self._print(text, style)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, title: str = "") -> None:
        """Print a table; nothing of it is cut. On a terminal it has rules and colours, in a pipe columns."""
        if self.json:
            return
        if self.is_terminal:
            self._rich().print(_rich_table(columns, rows, title))
            return
        for text in [title] * bool(title) + plain_table(columns, rows):
            self._print(text, "")

    def document(self, value: object) -> None:
        """Print the result as one JSON document: only with `--json`."""
        if self.json:
            print(printable(json.dumps(value, indent=2, ensure_ascii=False)), file=self._out)

    def note(self, text: str) -> None:
        """Print one line to standard error: what a person may want to know, but is not the result."""
        print(printable(text), file=self._err)

    @contextlib.contextmanager
    def progress(self, label: str, total: int) -> Iterator[Callable[[], None]]:
        """Show progress over `total` steps on standard error while the block runs; the value counts one step.

        Nothing is shown unless standard error is a terminal.
        """
        if not self._err.isatty():
            yield _nothing
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=rich_console(self._err), transient=True) as progress:
            task = progress.add_task(label, total=total)
            yield lambda: progress.advance(task)

    def _print(self, text: str, style: str) -> None:
        text = printable(text)
        if self.is_terminal:
            self._rich().print(Text(text, style=style), soft_wrap=True)
        else:
            print(text, file=self._out)

    def _rich(self) -> RichConsole:
        return rich_console(self._out)


def _nothing() -> None:
    """Count a step that nobody watches."""


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]], title: str) -> Table:
    table = Table(title=printable(title) or None, title_justify="left")
    for index, column in enumerate(columns):
        justify: Literal["left", "right"] = "right" if _is_numeric(index, rows) else "left"
        table.add_column(column, justify=justify, overflow="fold")  # what does not fit goes on below
    for row in rows:
        table.add_row(*(Text(_text(cell)) for cell in row))
    return table
