"""What bots were told, and whether it is true: journals of wire bots against the records of their matches."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from arena_api import Api
from arena_process import wait_for
from targi.v1 import game_pb2
from targi_engine import Record, verify

__all__ = ["Heard", "LostAct", "check_pairs", "check_records"]

LOST = (game_pb2.RESULT_NO_CONTEST, game_pb2.TERMINATION_ABORTED, game_pb2.CULPRIT_NONE)
"""How the end of a match is told that the store does not have any more."""

# A line of a journal: its values have the types that JSON gives them.
Row: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class LostAct:
    """An acknowledged answer that was taken back."""

    match: str
    bot: str
    ply: int
    at: float
    """When the bot had its acknowledgement, as time.time()."""


@dataclass(frozen=True)
class Heard:
    """All lines of all journals; those of one bot in the order in which it heard them."""

    rows: Sequence[Row]

    @classmethod
    def read(cls, journals: Iterable[Path]) -> Heard:
        """From the files, whose last lines may still be on their way."""
        lines = [line for path in sorted(journals) for line in path.read_text().splitlines(keepends=True)]
        return cls([json.loads(line) for line in lines if line.endswith("\n")])

    def of(self, *kinds: str) -> list[Row]:
        return [row for row in self.rows if row["what"] in kinds]

    @property
    def matches(self) -> list[str]:
        """Ids of all matches that a bot saw start."""
        return sorted({str(row["match"]) for row in self.of("match_started")})

    @property
    def ended(self) -> set[str]:
        """Ids of those of which a bot heard the end."""
        return {str(row["match"]) for row in self.of("match_ended")}

    def by_match(self) -> dict[str, list[Row]]:
        """Lines that concern a match."""
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self.rows:
            if "match" in row:
                found[str(row["match"])].append(row)
        return found

    def lost(self) -> list[LostAct]:
        """Acknowledged answers that a later MatchStarted of the same bot no longer has.

        Of both seats: what a bot was told of the other's answers counts as well.
        """
        found: list[LostAct] = []
        known: dict[tuple[str, str], dict[int, tuple[int, float]]] = defaultdict(dict)
        for row in self.of("applied", "match_started"):
            match, bot, at = str(row["match"]), str(row["bot"]), float(str(row["at"]))
            mine, first, actions = known[bot, match], *plies_of(row)
            if row["what"] == "match_started":
                gone = [ply for ply, (action, _) in mine.items() if actions[ply : ply + 1] != [action]]
                found += [LostAct(match, bot, ply, mine.pop(ply)[1]) for ply in sorted(gone)]
            else:
                mine.update({first + n: (action, at) for n, action in enumerate(actions)})
        return found


def plies_of(row: Row) -> tuple[int, list[int]]:
    """Ply of the first of the actions of a line, and the actions."""
    actions = row["actions"]
    assert isinstance(actions, list)
    return (0 if row["what"] == "match_started" else int(str(row["ply"]))), actions


def check_records(calls: Api, heard: Heard) -> dict[str, Record]:
    """Every match that a bot saw start ended normally, verifies, and is what both bots were told of it.

    What was taken back openly is not held against the record; matches that were lost whole have none. Returns
    the records by id.
    """
    records: dict[str, Record] = {}
    rows = heard.by_match()
    for match in heard.matches:
        if is_lost(rows[match]):
            assert calls.match(match) is None, match
            continue
        text = wait_for(f"the record of {match}", partial(calls.record, match))
        records[match] = record = Record.parse(text)
        verify(record)
        assert record.tags["Termination"] == "normal", (match, record.tags)
        check_told(match, rows[match], record)
    return records


def check_pairs(calls: Api, matches: Collection[str]) -> None:
    """Each of these rated matches, whose records are there, belongs to one pair that is counted once."""
    results = calls.results()
    counted = Counter(match for pair in results for match in pair.match_ids)
    assert not [pair for pair in results if pair.void]
    assert {match: counted[match] for match in matches} == dict.fromkeys(matches, 1)


def check_told(match: str, rows: Sequence[Row], record: Record) -> None:
    """The last that each bot was told of each ply is in the record; all heard of the same normal end."""
    actions = [action for action, _ in record.actions]
    last: dict[tuple[str, int], int] = {}
    for row in rows:
        if row["what"] in ("applied", "match_started"):
            first, told = plies_of(row)
            if row["what"] == "match_started":  # all that it does not have was taken back
                last = {key: action for key, action in last.items() if key[0] != row["bot"]}
            last.update({(str(row["bot"]), first + n): action for n, action in enumerate(told)})
    wrong = {
        key: (action, actions[key[1] : key[1] + 1])
        for key, action in last.items()
        if actions[key[1] : key[1] + 1] != [action]
    }
    assert not wrong, (match, wrong)
    ends = last_ends(rows)
    assert ends.keys() == bots_of(rows), (match, ends)
    assert set(ends.values()) == {(result_of(record), game_pb2.TERMINATION_NORMAL, game_pb2.CULPRIT_NONE)}, (
        match,
        ends,
    )


def bots_of(rows: Sequence[Row]) -> set[str]:
    """Who saw a match start."""
    return {str(row["bot"]) for row in rows if row["what"] == "match_started"}


def last_ends(rows: Sequence[Row]) -> dict[str, tuple[object, object, object]]:
    """Result, termination and culprit as each bot heard them last; an end that was taken back is none."""
    ends: dict[str, tuple[object, object, object]] = {}
    for row in rows:
        if row["what"] == "match_started":
            ends.pop(str(row["bot"]), None)
        elif row["what"] == "match_ended":
            ends[str(row["bot"])] = (row["result"], row["termination"], row["culprit"])
    return ends


def is_lost(rows: Sequence[Row]) -> bool:
    """Whether the last that all bots of a match heard is that the store lost it whole."""
    ends = last_ends(rows)
    return ends.keys() == bots_of(rows) and set(ends.values()) == {LOST}


def result_of(record: Record) -> int:
    return {
        "1-0": game_pb2.RESULT_SEAT0_WINS,
        "0-1": game_pb2.RESULT_SEAT1_WINS,
    }.get(record.tags["Result"], game_pb2.RESULT_DRAW)
