"""Results of rated play in Redis: what the fit needs, and an index of pairs.

The rated unit is the pair of games. It counts when both games have a result; it is void as soon as one is no
contest. A game is counted once, however often it is reported, and in whatever order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from targi_server.echo import echoed
from targi_server.errors import Invalid
from targi_server.ladder.rating import Player, Results, Tally
from targi_server.match.model import MatchHeader, SeatHeader, Verdict
from targi_server.store.commands import Commands
from targi_server.store.keys import ladder_bot_key, ladder_keys
from targi_server.store.replies import mapping, number, optional, texts

__all__ = ["Counted", "Page", "PairResult", "RatedResults"]

HALVES: Final[Mapping[str, int]] = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""Score of seat 0 in halves; a result that is not here is no contest."""
NONE: Final[Tally] = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair that is over."""

    pair_id: str
    seats: tuple[SeatHeader, SeatHeader]
    """Seats 0 and 1 of game 1."""
    match_ids: tuple[str, ...]
    """Its matches in the order of their ends; a void pair may have one only."""
    quarters: int
    """Score of seat 0 of game 1 in quarters, 0 to 4."""
    void: bool
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some pairs, the newest first, and where the next page begins (empty after the last)."""

    results: tuple[PairResult, ...]
    next_token: str


@dataclass(frozen=True, slots=True)
class Counted:
    """All that the fit of a ruleset rests on."""

    results: Results
    lineage: Mapping[str, Sequence[str]]
    """Versions of each bot in the order of their first result."""
    pairs: int
    matches: int
    revision: int
    """Rises whenever `results` changes."""


class RatedResults:
    """The results of all rulesets, each ruleset's in one bucket."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def count(self, header: MatchHeader, verdict: Verdict) -> bool:
        """Counts a rated match that is over; False if it was counted before."""
        keys = ladder_keys(header.ruleset)
        first, second = header.seats if header.game == 1 else header.seats[::-1]
        halves = HALVES.get(verdict.result)
        own = halves if halves is None or header.game == 1 else 2 - halves
        named = [keys.games, keys.pairs, keys.recent, keys.counts, keys.heads, keys.players, keys.totals]
        of_bots = [ladder_bot_key(header.ruleset, seat.bot) for seat in (first, second)]
        reply = await self._commands.script(
            "result",
            [*named, *of_bots],
            [
                header.pair_id,
                header.match_id,
                "" if own is None else own,
                verdict.at_ms,
                json.dumps({"pair": header.pair_id, "seats": [_seat(first), _seat(second)]}),
                *(f"{seat.bot} {seat.version}" for seat in (first, second)),
                *(first.bot, second.bot),
                int((first.bot, first.version) < (second.bot, second.version)),
            ],
        )
        return number(reply) == 1

    async def counted(self, ruleset: str) -> Counted:
        """What the fit rests on; the revision is read first, so it is never ahead of the results."""
        keys = ladder_keys(ruleset)
        replies = await self._commands.commands(
            [("HGETALL", key) for key in (keys.totals, keys.counts, keys.players)]
        )
        totals, counts, players = map(mapping, replies)
        results = {_players(two): _tally(tally) for two, tally in counts.items()}
        pairs, matches, revision = (int(totals.get(name, 0)) for name in ("pairs", "matches", "revision"))
        return Counted(results, _lineage(players), pairs, matches, revision)

    async def lineage(self, ruleset: str) -> Mapping[str, Sequence[str]]:
        """Versions of each bot in the order of their first result."""
        return _lineage(mapping(await self._commands.command("HGETALL", ladder_keys(ruleset).players)))

    async def revision(self, ruleset: str) -> int:
        """Rises whenever the results of the ruleset change."""
        return number(await self._commands.command("HGET", ladder_keys(ruleset).totals, "revision"))

    async def head_to_head(self, ruleset: str, bot: str, opponent: str) -> Tally:
        """Pairs of two bots, all versions together, by the first one's score in quarters."""
        two = "\n".join(sorted((bot, opponent)))
        found = optional(await self._commands.command("HGET", ladder_keys(ruleset).heads, two))
        tally = NONE if found is None else _tally(found)
        return tally if bot < opponent else tally[::-1]

    async def page(self, rulesets: Sequence[str], size: int, *, bot: str = "", token: str = "") -> Page:
        """Pairs of all bots, or of one, the newest first. Raises Invalid for a token that is none."""
        before = _place(token)
        found = [row for name in rulesets for row in await self._newest(name, size + 1, bot, before)]
        found.sort(key=lambda row: (row.ended_ms, row.pair_id), reverse=True)
        last = found[size - 1] if len(found) > size else None
        return Page(tuple(found[:size]), f"{last.ended_ms}-{last.pair_id}" if last else "")

    async def _newest(
        self, ruleset: str, most: int, bot: str, before: tuple[int, str] | None
    ) -> list[PairResult]:
        keys = ladder_keys(ruleset)
        index = ladder_bot_key(ruleset, bot) if bot else keys.recent
        upto = "+inf" if before is None else before[0]
        # Pairs that ended in one millisecond share a score, and a page may begin among them.
        scored = await self._commands.command(
            "ZRANGE", index, upto, "-inf", "BYSCORE", "REV", "LIMIT", 0, 2 * most, "WITHSCORES"
        )
        places = [(int(ended), pair) for pair, ended in mapping(scored).items()]
        pairs = [pair for ended, pair in places if before is None or (ended, pair) < before][:most]
        if not pairs:
            return []
        return [
            _result(row) for row in texts(await self._commands.command("HMGET", keys.pairs, *pairs)) if row
        ]


def _seat(seat: SeatHeader) -> list[str]:
    return [seat.bot, seat.version, seat.owner]


def _tally(packed: str) -> Tally:
    lost, quarter, half, three, won = map(int, packed.split())
    return lost, quarter, half, three, won


def _players(two: str) -> tuple[Player, Player]:
    first, second = (_player(name) for name in two.split("\n"))
    return first, second


def _player(name: str) -> Player:
    bot, _, version = name.partition(" ")
    return Player(bot, version)


def _lineage(players: Mapping[str, str]) -> dict[str, list[str]]:
    lineage: dict[str, list[str]] = {}
    for name in sorted(players, key=lambda name: int(players[name])):
        bot, version = _player(name)
        lineage.setdefault(bot, []).append(version)
    return lineage


def _place(token: str) -> tuple[int, str] | None:
    if not token:
        return None
    ended, _, pair = token.partition("-")
    if not (ended.isdecimal() and pair):
        raise Invalid(f"page_token {echoed(token)}: give the one that came with the page before, or none")
    return int(ended), pair


def _result(packed: str) -> PairResult:
    fields = json.loads(packed)
    first, second = (SeatHeader(*seat) for seat in fields["seats"])
    return PairResult(
        pair_id=fields["pair"],
        seats=(first, second),
        match_ids=tuple(fields["matches"]),
        quarters=int(fields["quarters"]),
        void=fields["void"],
        ended_ms=int(fields["ended"]),
    )
