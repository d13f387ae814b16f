"""Pages of matches, the newest first: what runs by its start, then what is over by its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from targi_server.echo import echoed
from targi_server.errors import Invalid
from targi_server.ladder.archive import Archive
from targi_server.play.lookup import Lookup, Seen
from targi_server.store.matches import MatchStore

__all__ = ["LONGEST_PAGE", "Listing", "MatchPage", "Wanted"]

PAGE: Final = 50
LONGEST_PAGE: Final = 500
AT_ONCE: Final = 16
"""Matches that are read in one go: everybody else waits that long."""
_HOT, _FILED = "r", "e"
"""First letters of page tokens: within the matches of the log, within those that are filed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for. `running` None: both; an empty `bot`: any."""

    running: bool | None = None
    bot: str = ""
    size: int = 0
    """Most rows, 0 for 50."""
    token: str = ""
    """Of the page before, empty for the first."""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Some matches, and where to go on; an empty token after the last."""

    rows: tuple[Seen, ...]
    token: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a match stands in the order of starts."""

    created_ms: int
    match_id: str
    bots: frozenset[str]

    @property
    def token(self) -> str:
        """Of the page that ends with it."""
        return f"{_HOT}{self.created_ms}-{self.match_id}"


class Listing:
    """Reads pages. Starts of running matches are remembered: their headers never change."""

    def __init__(self, store: MatchStore, archive: Archive, lookup: Lookup) -> None:
        self._store = store
        self._archive = archive
        self._lookup = lookup
        self._marks: dict[str, Mark] = {}

    async def page(self, wanted: Wanted) -> MatchPage:
        """A page. Raises Invalid for a size or token that is none."""
        size, token = _size(wanted.size), wanted.token
        if token[:1] not in ("", _HOT, _FILED):
            raise _bad_token(token)
        rows: list[Seen] = []
        if token[:1] != _FILED:
            marks = await self._hot(wanted.bot, token, size)
            rows += await self._read(marks, wanted.running)
            if len(marks) == size:
                return MatchPage(tuple(rows), marks[-1].token)
            token = ""
        if wanted.running:
            return MatchPage(tuple(rows), "")
        ids, further = await self._archive.newest(size - len(rows), bot=wanted.bot, token=token[1:])
        rows += await self._filed(ids)
        return MatchPage(tuple(rows), further and f"{_FILED}{further}")

    async def _hot(self, bot: str, token: str, size: int) -> list[Mark]:
        """Of the matches in the log those that come after the token, as many as fit."""
        before = _place(token) if token else None
        await self._learn({*await self._store.running(), *await self._store.outbox()})
        marks = sorted(self._marks.values(), key=lambda mark: (mark.created_ms, mark.match_id), reverse=True)
        return [
            mark
            for mark in marks
            if (not bot or bot in mark.bots) and (before is None or (mark.created_ms, mark.match_id) < before)
        ][:size]

    async def _learn(self, ids: set[str]) -> None:
        new = [match_id for match_id in ids if match_id not in self._marks]
        headers = await self._store.headers(new)
        known = {match_id: mark for match_id, mark in self._marks.items() if match_id in ids}
        for header in headers:
            bots = frozenset(seat.bot for seat in header.seats)
            known[header.match_id] = Mark(header.created_ms, header.match_id, bots)
        self._marks = known

    async def _read(self, marks: Sequence[Mark], running: bool | None) -> list[Seen]:
        """Matches of the log in their order; one that was filed meanwhile is left out."""
        found: list[Seen] = []
        for start in range(0, len(marks), AT_ONCE):
            ids = [mark.match_id for mark in marks[start : start + AT_ONCE]]
            stored = await self._store.load_many(ids)
            found += [self._lookup.delayed(Seen.running(match)) for match in stored if match]
        return [seen for seen in found if running is None or running is (seen.verdict is None)]

    async def _filed(self, ids: Iterable[str]) -> list[Seen]:
        found = [await self._archive.get(match_id) for match_id in ids]
        return [Seen.filed(kept) for kept in found if kept]


def _size(size: int) -> int:
    if size > LONGEST_PAGE:
        raise Invalid(f"page_size {size}: at most {LONGEST_PAGE} are allowed")
    return size or PAGE


def _place(token: str) -> tuple[int, str]:
    created_ms, dash, match_id = token[1:].partition("-")
    if not created_ms.isdecimal() or not dash:
        raise _bad_token(token)
    return int(created_ms), match_id


def _bad_token(token: str) -> Invalid:
    return Invalid(f"page_token {echoed(token)}: give the one that came with the page before, or none")
