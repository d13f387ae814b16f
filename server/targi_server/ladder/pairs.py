"""Makes rated pairs of the bots that are connected and free."""

from __future__ import annotations

import asyncio
import logging
import math
import random
import time
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from targi_engine import RULESETS

from targi_server.accounts.identity import HOUSE
from targi_server.accounts.store import Accounts
from targi_server.errors import NotAvailable
from targi_server.ladder.pairing import Candidate, Estimate, Pairing, choose
from targi_server.ladder.pauses import Pauses
from targi_server.ladder.rating import PRIOR_SD, WIDTH, Player, Rated
from targi_server.ladder.results import RatedResults
from targi_server.ladder.standings import Standings
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.presence import Online
from targi_server.lobby.terms import Times, terms
from targi_server.match.model import Kind
from targi_server.match.versions import EDITION
from targi_server.metrics import Metrics
from targi_server.settings import Settings

__all__ = ["Pairs"]

log = logging.getLogger(__name__)

REMEMBERED: Final = 500
"""Meetings that count as late ones."""
AT_ONCE: Final = 32
"""Offers that are made at the same time."""


class Pairs:
    """Looks who is free, and offers pairs to those whom `pairing.choose` picks."""

    def __init__(
        self,
        lobby: Lobby,
        accounts: Accounts,
        results: RatedResults,
        standings: Standings,
        pauses: Pauses,
        metrics: Metrics,
        settings: Settings,
        rng: random.Random,
    ) -> None:
        self._lobby = lobby
        self._accounts = accounts
        self._results = results
        self._standings = standings
        self._pauses = pauses
        self._metrics = metrics
        self._settings = settings
        self._rng = rng
        self._terms = {name: terms(Kind.RATED, name, Times.of(settings)) for name in RULESETS}
        self._met: deque[frozenset[str]] = deque(maxlen=REMEMBERED)
        self._waiting: dict[str, float] = {}

    async def remember(self) -> None:
        """Reads who met lately: what a new leader begins with."""
        page = await self._results.page(RULESETS, REMEMBERED)
        self._met.clear()
        self._met.extend(frozenset(seat.bot for seat in pair.seats) for pair in reversed(page.results))

    async def make(self, token: int) -> int:
        """Offers pairs to all who are free, and returns how many; `token` is the matchmaker's."""
        if not self._settings.pairing:
            return 0
        candidates = {candidate.bot: candidate for candidate in await self.candidates()}
        self._wait([candidate.bot for candidate in candidates.values() if candidate.free > 0])
        chosen = choose(candidates.values(), Counter(self._met), self._rng)
        made = 0
        for at in range(0, len(chosen), AT_ONCE):
            offers = (self._offer(pairing, candidates, token) for pairing in chosen[at : at + AT_ONCE])
            made += sum(await asyncio.gather(*offers))
        return made

    async def candidates(self) -> list[Candidate]:
        """The connected bots that the ladder may pair, those without a free place among them."""
        online = await self._lobby.presence.online()
        sessions = [s for s in online if s.ladder and not s.leaving and s.edition == EDITION]
        names = [session.bot for session in sessions]
        accounts = await self._accounts.look_up(names)
        held = await self._lobby.slots.held(names)
        known, paused = await self._estimates(), await self._pauses.paused()
        return [
            _candidate(session, self._free(session, held[session.bot].used), known, paused)
            for session in sessions
            if session.bot in accounts and accounts[session.bot].may_start
        ]

    async def _estimates(self) -> dict[tuple[str, Player], Estimate]:
        tables = [await self._standings.table(name) for name in RULESETS]
        return {
            (table.ruleset, row.rated.player): _estimate(row.rated) for table in tables for row in table.rows
        }

    def _free(self, session: Online, used: int) -> int:
        return max(min(session.capacity, self._settings.max_capacity) - used, 0)

    def _wait(self, free: Sequence[str]) -> None:
        """Notes since when who is free waits."""
        now = time.monotonic()
        self._waiting = {bot: self._waiting.get(bot, now) for bot in free}

    async def _offer(self, pairing: Pairing, candidates: Mapping[str, Candidate], token: int) -> bool:
        first, second = pairing.bots
        owners = candidates[first].owner, candidates[second].owner
        try:
            await self._lobby.offers.make(self._terms[pairing.ruleset], pairing.bots, owners, token)
        except NotAvailable as error:
            log.debug("no pair of %s and %s: %s", first, second, error)
            return False
        self._met.append(frozenset(pairing.bots))
        for bot in pairing.bots:
            since = self._waiting.pop(bot, None)
            if since is not None:
                self._metrics.pair_wait_seconds.observe(time.monotonic() - since)
        return True


def _candidate(
    session: Online, free: int, known: Mapping[tuple[str, Player], Estimate], paused: Collection[str]
) -> Candidate:
    player = Player(session.bot, session.version)
    rulesets = tuple(name for name in session.rulesets if name not in paused)
    estimates = {name: known[name, player] for name in rulesets if (name, player) in known}
    return Candidate(
        session.bot,
        session.owner,
        free if rulesets else 0,
        rulesets,
        estimates,
        house=session.owner == HOUSE,
    )


def _estimate(rated: Rated) -> Estimate:
    """Rating and error; after a few pairs the interval may be narrow by chance, so it is not trusted."""
    interval = (rated.high - rated.low) / (2 * WIDTH)
    return Estimate(rated.rating, max(interval, PRIOR_SD / math.sqrt(1 + rated.pairs)))
