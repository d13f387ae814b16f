"""What others sent cannot drive a terminal: it is escaped in the one place where it is printed."""

from __future__ import annotations

import io
import json
import re

import pytest
from targi_sdk import cli
from targi_sdk.console import Console
from targi_sdk.errors import RefusedError
from targi_sdk.printable import printable

NASTY = "\x1b[2Jgone\rnew\u202eback\u2066\x9b1m\x07\x7f\u200f\U000e0041end"
"""ESC, CR, two bidirectional overrides, C1's CSI, BEL, DEL, a mark of direction, a tag."""


STYLE = re.compile(r"\x1b\[[\d;]+m")
"""What the console itself writes on a terminal."""


class Screen(io.StringIO):
    """A terminal, as far as a console asks."""

    def isatty(self) -> bool:
        return True


def is_harmless(text: str) -> bool:
    """Whether a terminal shows it as it stands, but for the styles of the console itself."""
    return all(char.isprintable() or char in "\n\t" for char in STYLE.sub("", text))


def test_everything_that_is_not_printable_is_escaped_and_told_as_what_it_was() -> None:
    assert printable("\x1b[2J\r\u202e\x9b\U000e0041") == r"\u001b[2J\r\u202e\u009b\udb40\udc41"
    assert is_harmless(printable(NASTY))


def test_words_of_any_script_stay_as_they_are() -> None:
    assert printable("naïve 王 מלך 🐪") == "naïve 王 מלך 🐪"


def test_a_text_of_several_lines_keeps_them_and_one_line_stays_one() -> None:
    assert printable("a\n\tb") == "a\n\tb"
    assert printable("a\n\tb", kept="") == r"a\n\tb"


def test_a_document_keeps_its_values() -> None:
    text = json.dumps({"name": NASTY}, ensure_ascii=False, indent=2)
    assert is_harmless(printable(text))
    assert json.loads(printable(text)) == {"name": NASTY}


@pytest.mark.parametrize("screen", [io.StringIO, Screen])
def test_a_console_prints_nothing_that_drives_a_terminal(screen: type[io.StringIO]) -> None:
    out, err = screen(), screen()
    console = Console(out=out, err=err)
    console.line(NASTY, style="bold")
    console.note(NASTY)
    console.table(("bot", "words"), [(NASTY, "two\nlines")], title=NASTY)
    Console(json=True, out=out).document([NASTY])
    assert is_harmless(out.getvalue())
    assert is_harmless(err.getvalue())
    assert out.getvalue().count(r"\u202e") >= 3
    assert r"two\nlines" in out.getvalue()


def test_the_command_prints_the_words_of_an_error_so_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(arguments: list[str]) -> int:
        raise RefusedError("FORBIDDEN", NASTY)

    monkeypatch.setattr(cli, "_dispatch", refuse)
    assert cli.main(["bot"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("targi: ")
    assert is_harmless(said)
