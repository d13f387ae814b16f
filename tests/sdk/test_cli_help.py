"""Every page of `--help`, read as a whole: sentences, nothing unexplained, defaults told in one way."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib.metadata import entry_points

import pytest
from targi_sdk.cli import DISTRIBUTION, GROUP, load_command, parser_of

COMMANDS = sorted(
    point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == DISTRIBUTION
)


def pages(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of all its parts."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from pages(part)


PAGES = {page.prog: page for name in COMMANDS for page in pages(parser_of(name, load_command(name)))}


def arguments(page: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """What a page lists, but for the parts, each of which has a page of its own."""
    return (each for each in page._actions if not isinstance(each, argparse._SubParsersAction))


@pytest.mark.parametrize("prog", PAGES)
def test_a_page_begins_with_a_sentence(prog: str) -> None:
    assert re.fullmatch(r"[A-Z].*[.?!]", PAGES[prog].description or "", re.DOTALL)


@pytest.mark.parametrize("prog", PAGES)
def test_every_argument_is_explained_without_a_full_stop(prog: str) -> None:
    for argument in arguments(PAGES[prog]):
        text = argument.help or ""
        assert re.match(r"[a-z0-9'`A-Z]", text), argument
        assert not re.search(r"[^.]\.$", text), text


@pytest.mark.parametrize("prog", PAGES)
def test_a_default_is_told_in_one_way(prog: str) -> None:
    for argument in arguments(PAGES[prog]):
        text = argument.help or ""
        assert text.count("(default") == text.count("(default: ") <= 1, text


@pytest.mark.parametrize("prog", PAGES)
def test_a_time_or_a_size_tells_its_unit(prog: str) -> None:
    units = {"ms": "in ms", "s": "in s", "bytes": "in bytes"}
    for argument in arguments(PAGES[prog]):
        name = max(argument.option_strings, key=len, default="")
        unit = units.get(name.rpartition("-")[2])
        assert unit is None or unit in (argument.help or ""), name


def test_what_a_command_is_for_fits_into_the_list() -> None:
    assert all(len(load_command(name).help) <= 90 for name in COMMANDS)
