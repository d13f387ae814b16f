"""Logs: one line an event, with its ids apart from the words."""

import json
import logging
import re
from collections.abc import Iterator

import pytest
from targi_server import logs
from targi_server.settings import LogFormat, Settings


@pytest.fixture(autouse=True)
def root_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def test_json_has_the_words_the_ids_and_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_format="json"), process="worker 1")
    logging.getLogger("targi.test").info("match %s", "started", extra={"match": "00ff", "bot": "anna"})
    line = json.loads(capsys.readouterr().err)
    assert line["message"] == "match started"
    assert (line["match"], line["bot"], line["process"]) == ("00ff", "anna", "worker 1")
    assert (line["level"], line["logger"]) == ("info", "targi.test")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])


def test_json_keeps_an_exception_in_the_same_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_format="json"))
    try:
        raise ValueError("odd")
    except ValueError:
        logging.getLogger("targi.test").exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: odd" in json.loads(line)["exception"]


def test_the_console_has_ids_as_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(), process="supervisor")
    logging.getLogger("targi.test").warning("gone", extra={"bot": "anna"})
    assert re.fullmatch(r"\d\d:\d\d:\d\d WARNING gone bot=anna \[supervisor\]\n", capsys.readouterr().err)


def test_less_than_the_level_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(Settings(log_level="warning"))
    logging.getLogger("targi.test").info("chatter")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_text_of_others_drives_a_terminal_or_forges_a_line(
    form: LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(Settings(log_format=form))
    nasty = "\x1b[2J\r\u202e\x9bm\n12:00:00 INFO    forged"
    try:
        raise ValueError(nasty)
    except ValueError:
        logging.getLogger("targi.test").exception("of %s", nasty, extra={"bot": nasty})
    said = capsys.readouterr().err
    assert said.replace("\n", "").isprintable()
    assert said.partition("\n")[0].count("forged") == 2 + (form == "json")
