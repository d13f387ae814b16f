"""What commands print: columns in a pipe, nothing but the document with `--json`, progress on a terminal."""

from __future__ import annotations

import io
import json
import os
import pty

import pytest
from targi_sdk.console import Console, counted, plain_table

ROWS = [("greedy", 12, 0.5), ("a much longer name", 3, 12.25)]
COLUMNS = ("bot", "won", "mean")


def test_a_plain_table_sets_numbers_to_the_right_and_text_to_the_left() -> None:
    assert plain_table(COLUMNS, ROWS) == [
        "bot                 won   mean",
        "greedy               12   0.50",
        "a much longer name    3  12.25",
    ]


def test_a_plain_table_without_rows_is_its_header() -> None:
    assert plain_table(COLUMNS, []) == ["bot  won  mean"]


def test_text_is_printed_plainly_into_a_pipe() -> None:
    out = io.StringIO()
    console = Console(out=out)
    console.line("[bold]as it stands[/bold]", style="green")
    console.table(COLUMNS, ROWS, title="bots")
    console.document({"left": "out"})
    assert out.getvalue().splitlines() == ["[bold]as it stands[/bold]", "bots", *plain_table(COLUMNS, ROWS)]


class Screen(io.StringIO):
    """A terminal, as far as a table needs one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("out", [io.StringIO(), Screen()])
def test_a_table_cuts_no_name_however_narrow_its_place(
    out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    Console(out=out).table(("bot", "owner", "rating"), [("q" * 64, "z" * 64, 1500)])
    shown = out.getvalue()
    assert [shown.count(letter) for letter in "qz"] == [64, 64]
    assert "1500" in shown
    assert "…" not in shown


def test_json_prints_the_document_and_nothing_else() -> None:
    out, err = io.StringIO(), io.StringIO()
    console = Console(json=True, out=out, err=err)
    console.line("left out")
    console.table(COLUMNS, ROWS)
    console.note("for a person")
    console.document({"name": "Fata Morgana ü"})
    assert json.loads(out.getvalue()) == {"name": "Fata Morgana ü"}
    assert err.getvalue() == "for a person\n"


def test_progress_is_silent_into_a_pipe() -> None:
    err = io.StringIO()
    with Console(err=err).progress("games", 2) as step:
        step()
    assert err.getvalue() == ""


@pytest.mark.parametrize("style", ["bold", "red", "bold red"])
def test_no_color_leaves_every_style_out(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    reader, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as screen:
        Console(out=screen, err=screen).line("[ok]", style=style)
        shown = os.read(reader, 65536).decode()
    os.close(reader)
    assert shown.strip() == "[ok]"


def test_a_number_goes_with_its_noun() -> None:
    assert [counted(count, "game") for count in (0, 1, 2)] == ["0 games", "1 game", "2 games"]


def test_progress_and_colour_are_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    reader, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as screen:
        console = Console(out=screen, err=screen)
        with console.progress("games", 2) as step:
            step()
        console.line("[ok]", style="green")
        shown = ""
        while "[ok]" not in shown:  # a terminal hands out what was written in pieces
            shown += os.read(reader, 65536).decode()
    os.close(reader)
    assert "games" in shown
    assert "1/2" in shown
    assert "\x1b[32m[ok]" in shown
