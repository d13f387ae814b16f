"""The parts of the ladder, put together."""

from __future__ import annotations

import random
from dataclasses import dataclass

from targi_server.accounts.store import Accounts
from targi_server.ladder.archive import Archive
from targi_server.ladder.election import Election
from targi_server.ladder.filing import Filing
from targi_server.ladder.matchmaker import Matchmaker
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.results import RatedResults
from targi_server.ladder.standings import Standings
from targi_server.lobby.lobby import Lobby
from targi_server.metrics import Metrics
from targi_server.settings import Settings
from targi_server.store.opening import Store

__all__ = ["Ladder"]


@dataclass(frozen=True, slots=True)
class Ladder:
    """Results, tables, filed matches, and the loop that makes them."""

    results: RatedResults
    standings: Standings
    archive: Archive
    filing: Filing
    pairs: Pairs
    matchmaker: Matchmaker

    @classmethod
    def of(
        cls, store: Store, lobby: Lobby, accounts: Accounts, metrics: Metrics, settings: Settings
    ) -> Ladder:
        """The ladder of this replica; `matchmaker.running()` lets it work."""
        results = RatedResults(store.commands)
        standings = Standings(store.commands, results, accounts, metrics)
        archive = Archive(store.commands, store.matches, ttl_s=settings.finished_ttl_s)
        filing = Filing(store.matches, archive, results, lobby.offers, metrics)
        pairs = Pairs(lobby, accounts, results, standings, metrics, settings, random.Random())
        election = Election(store.commands, replica=settings.replica)
        matchmaker = Matchmaker(store, election, lobby, filing, pairs, standings)
        return cls(results, standings, archive, filing, pairs, matchmaker)
