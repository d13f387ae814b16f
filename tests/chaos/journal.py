"""What the bots wrote down, read: by match and bot. See notebook.py for the lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

__all__ = ["STARTED", "Applied", "BotNotes", "Told", "read"]

STARTED = -1


class Start(NamedTuple):
    """A match began or went on."""

    at_ms: int
    ply: int
    log: tuple[int, ...] | None
    """Actions by ply, None where the bot did not see it."""


class Asked(NamedTuple):
    """A turn."""

    at_ms: int
    ply: int
    crc: int


class Acted(NamedTuple):
    """An answer that was sent."""

    at_ms: int
    ply: int
    action: int


class Applied(NamedTuple):
    """News of committed actions."""

    at_ms: int
    ply: int
    taken: int
    charged_ms: int
    clocks: tuple[int, int]
    next_ply: int
    log: tuple[tuple[int, int], ...]
    """Seat and action of each that was asked."""


class Refused(NamedTuple):
    """An answer that was refused."""

    at_ms: int
    ply: int
    reason: str
    strikes: int


class Ended(NamedTuple):
    """How it ended: result, termination, culprit."""

    at_ms: int
    words: tuple[str, str, str]


@dataclass
class Told:
    """What one bot was told of one match, and what it sent, over all of its processes."""

    seat: int = -1
    pair: str = ""
    starts: list[Start] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    acted: list[Acted] = field(default_factory=list)
    applied: list[Applied] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    gave_up: list[int] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    """When a process heard that it is over, also one that did not play it."""
    course: list[tuple[int, int]] = field(default_factory=list)
    """Plies from and to of applied actions and of starts (from STARTED), in the order of arrival."""

    @cached_property
    def asked_at(self) -> dict[int, list[int]]:
        """When it was asked, by ply."""
        return _by_ply(self.asked)

    @cached_property
    def acted_at(self) -> dict[int, list[int]]:
        """When it answered, by ply."""
        return _by_ply(self.acted)


def _by_ply(rows: Iterable[Asked | Acted]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row in rows:
        found.setdefault(row.ply, []).append(row.at_ms)
    return found


@dataclass
class BotNotes:
    """All notes of one bot."""

    matches: dict[str, Told] = field(default_factory=lambda: defaultdict(Told))
    welcomes: list[int] = field(default_factory=list)
    losses: list[tuple[int, str]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    """Of no match."""


def _numbers(text: str) -> list[str]:
    """Of "[1,2]"."""
    return text[1:-1].split(",") if len(text) > 2 else []


def _start(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    match_id, seat, ply, pair, _, log = words
    told = notes.matches[match_id]
    told.seat = int(seat)
    told.pair = told.pair if pair == "-" else pair
    seen = None if log == "-" else tuple(map(int, _numbers(log)))
    told.starts.append(Start(at, int(ply), seen))
    told.course.append((STARTED, int(ply)))


def _turn(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    notes.matches[words[0]].asked.append(Asked(at, int(words[1]), int(words[2])))


def _act(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    notes.matches[words[0]].acted.append(Acted(at, int(words[1]), int(words[2])))


def _applied(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    match_id, *rest, log = words
    ply, taken, charged, first, second, next_ply = map(int, rest)
    pairs = (each.split(":") for each in _numbers(log))
    actions = tuple((int(seat), int(action)) for seat, action in pairs)
    told = notes.matches[match_id]
    told.applied.append(Applied(at, ply, taken, charged, (first, second), next_ply, actions))
    told.course.append((ply, next_ply))


def _refused(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    match_id, ply, reason, strikes = words
    row = Refused(at, int(ply), reason, int(strikes))
    (notes.refused if match_id == "-" else notes.matches[match_id].refused).append(row)


def _gave_up(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    notes.matches[words[0]].gave_up.append(at)


def _ended(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    result, termination, culprit = words[1:]
    notes.matches[words[0]].ended.append(Ended(at, (result, termination, culprit)))


def _over(notes: BotNotes, at: int, words: Sequence[str]) -> None:
    notes.matches[words[0]].over.append(at)


_LINES: dict[str, Callable[[BotNotes, int, Sequence[str]], None]] = {
    "W": lambda notes, at, words: notes.welcomes.append(at),
    "X": lambda notes, at, words: notes.losses.append((at, " ".join(words))),
    "S": _start,
    "T": _turn,
    "A": _act,
    "P": _applied,
    "R": _refused,
    "G": _gave_up,
    "E": _ended,
    "N": _over,
}


def read(folder: Path) -> dict[str, BotNotes]:
    """The notes of each bot by its name."""
    return {path.stem: _read(path) for path in sorted(folder.glob("*.notes"))}


def _read(path: Path) -> BotNotes:
    notes = BotNotes()
    with path.open() as lines:
        for line in lines:
            if line.endswith("\n"):
                at, letter, *words = line.split()
                _LINES[letter](notes, int(at), words)
    return notes
