"""Games of another implementation of the rules replay to the same traces.

The files beside this test are its records and traces. Legal actions are compared as a set, all else exactly.
"""

from __future__ import annotations

import gzip
import json
from itertools import zip_longest
from pathlib import Path

import pytest
from targi_engine import Record, trace, verify

FILES = sorted((Path(__file__).parent / "conformance").glob("*.targi"))
Line = dict[str, object]


def recorded(file: Path) -> list[Line]:
    with gzip.open(file.with_suffix(".jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def comparable(line: Line | None) -> Line | None:
    """A line of a trace as JSON gives it back, with the legal actions in one order."""
    if line is None or "legal" not in line:
        return line
    legal = line["legal"]
    assert isinstance(legal, list)
    return {**line, "legal": sorted(legal)}


def test_every_ruleset_and_variant_is_there() -> None:
    names = {file.stem.rpartition("-")[0] for file in FILES}
    assert {"base-flat3", "expansion-corners", "expansion-easy", "mixed-border"} <= names
    assert len([name for name in FILES if name.stem.startswith("base")]) >= 6


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_trace_is_the_same(file: Path) -> None:
    record = Record.parse(file.read_text("utf-8"))
    lines = map(json.loads, map(json.dumps, trace(record)))
    for line, wanted in zip_longest(lines, recorded(file)):
        assert comparable(line) == comparable(wanted)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_record_verifies_and_is_written_back_as_it_was(file: Path) -> None:
    text = file.read_text("utf-8")
    record = Record.parse(text)
    assert verify(record).over
    assert record.text() == text
