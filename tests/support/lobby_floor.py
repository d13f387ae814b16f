"""A lobby and a ladder over a real Redis, without streams: the tests play the bots' part.

The clock of Redis is the test's: it stands still until `Floor.pass_ms` moves it.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from targi_engine import State, new_game
from targi_server import accounts, ladder, lobby
from targi_server.accounts.store import Accounts
from targi_server.ladder.archive import Archive
from targi_server.ladder.election import Election
from targi_server.ladder.export import Export
from targi_server.ladder.files import RecordFiles
from targi_server.ladder.filing import Filing
from targi_server.ladder.matchmaker import Matchmaker
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.pauses import Pauses
from targi_server.ladder.results import RatedResults
from targi_server.ladder.standings import Standings
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.offer import Offer
from targi_server.lobby.presence import ALL, Arrival, Claim
from targi_server.lobby.terms import Terms, Times, terms
from targi_server.match.model import Culprit, Kind, Termination, Verdict
from targi_server.metrics import Metrics
from targi_server.play.notes import Notes
from targi_server.settings import Settings
from targi_server.store.answers import Append, Committed
from targi_server.store.bus import BotNews
from targi_server.store.exports import Exports
from targi_server.store.opening import Store, open_store
from targi_server.store.replies import number

CLOCK_KEY = "test:clock"
START_MS = 1_800_000_000_000
CLOCK = f"""
local function now_ms()
  return tonumber(redis.call('GET', '{CLOCK_KEY}') or {START_MS})
end
local function int(number)
  return string.format('%.0f', number)
end
"""
SCRIPTS = (accounts.SCRIPTS, lobby.SCRIPTS, ladder.SCRIPTS)
TIMES = Times(60_000, 1_000, 60_000)


def nonce(text: str) -> bytes:
    """32 bytes that a test can name."""
    return hashlib.sha256(text.encode()).digest()


async def until(condition: Callable[[], bool]) -> None:
    """Waits for something that another task does."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "the condition did not come true in 10 s"
        await asyncio.sleep(0.01)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The parts of the ladder, each at hand."""

    results: RatedResults
    standings: Standings
    archive: Archive
    filing: Filing
    pairs: Pairs
    matchmaker: Matchmaker
    export: Export | None

    @classmethod
    def of(
        cls, store: Store, lobby: Lobby, accounts: Accounts, metrics: Metrics, settings: Settings
    ) -> Ladder:
        """Put together as in the server."""
        results = RatedResults(store.commands)
        standings = Standings(store.commands, results, accounts, metrics)
        path, ttl_s = settings.archive_path, settings.finished_ttl_s
        archive = Archive(store.commands, store.matches, ttl_s=ttl_s, exporting=path is not None)
        filing = Filing(store.matches, Notes(store.commands), archive, results, lobby.offers, metrics)
        pauses = Pauses(store.commands)
        pairs = Pairs(lobby, accounts, results, standings, pauses, metrics, settings, random.Random())
        election = Election(store.commands, replica=settings.replica)
        export = None
        if path is not None:
            files, exports = RecordFiles(path, replica=settings.replica), Exports(store.commands)
            export = Export(exports, files, metrics, ttl_s=ttl_s, retry_s=0.0)
        matchmaker = Matchmaker(store, election, lobby, filing, pairs, standings, export)
        return cls(results, standings, archive, filing, pairs, matchmaker, export)


@dataclass
class Floor:
    """One replica's lobby and ladder, and what the bus said to bots."""

    store: Store
    accounts: Accounts
    lobby: Lobby
    ladder: Ladder
    metrics: Metrics
    news: list[BotNews] = field(default_factory=list)

    async def pass_ms(self, ms: int) -> int:
        """Lets time pass, and says what it is then."""
        return number(await self.store.commands.command("INCRBY", CLOCK_KEY, ms))

    async def arrive(
        self,
        bot: str,
        *,
        owner: str = "",
        session: str = "",
        version: str = "1",
        capacity: int = 1,
        ladder: bool = True,
        chain_head: bytes = b"",
        challenges: str = ALL,
    ) -> Claim:
        """A registered bot says Hello; session and owner are named after it unless they are given."""
        owner = owner or f"{bot}-owner"
        if bot not in await self.accounts.look_up([bot]):
            await self.accounts.register_bot(owner, bot)
        await self.lobby.presence.beat()
        return await self.lobby.presence.claim(
            Arrival(
                bot=bot,
                owner=owner,
                session=session or f"{bot}-session-00",
                version=version,
                capacity=capacity,
                rulesets=("base",),
                ladder=ladder,
                chain_head=chain_head,
                challenges=challenges,
            )
        )

    async def offer(self, *claims: Claim, kind: Kind = Kind.RATED) -> Offer:
        """An offer to two bots."""
        first, second = claims
        owners = f"{first.bot}-owner", f"{second.bot}-owner"
        return await self.lobby.offers.make(offered(kind), (first.bot, second.bot), owners)

    async def agree(self, *claims: Claim, kind: Kind = Kind.RATED) -> Offer:
        """An offer that both bots took; its first match runs."""
        offer = await self.offer(*claims, kind=kind)
        for claim in claims:
            await self.lobby.offers.ready(offer.offer_id, claim, nonce(claim.bot))
        return offer

    async def play(self, match_id: str, *, plies: int = 4_000, each_ms: int = 10) -> None:
        """Plays random moves, to the end of the game if `plies` are enough."""
        rng = random.Random(match_id)
        match = await self.store.matches.load(match_id)
        assert match is not None
        header = match.header
        for seat in (0, 1):
            await self.store.matches.arrive(match_id, seat)
        state = new_game(header.ruleset, header.seed, header.opening, variants=header.variants)
        while not state.is_over and state.ply < plies:
            now_ms = await self.pass_ms(each_ms)
            await self._move(match_id, state, rng.choice(state.legal_actions()), now_ms)

    async def _move(self, match_id: str, state: State, action: int, now_ms: int) -> None:
        ply, seat, turn = state.ply, state.current_seat, state.turn
        state.apply(action)
        over = state.outcome() if state.is_over else None
        answer = await self.store.matches.append(
            Append(
                match_id,
                ply,
                seat,
                (action,),
                digest=ply.to_bytes(8, "big"),
                received=1,
                arrived_ms=now_ms,
                out_ms=0,
                turn_ended=state.turn != turn,
                next_seat=state.current_seat,
                result=over.result if over else None,
                scores=over.scores if over else None,
            )
        )
        assert isinstance(answer, Committed), answer

    async def end(self, match_id: str, result: str) -> None:
        """A running match ends with this result, by resignation or an abort."""
        termination = Termination.ABORTED if result == "*" else Termination.RESIGNED
        culprit = {"1-0": Culprit.SEAT1, "0-1": Culprit.SEAT0}.get(result, Culprit.NONE)
        await self.store.matches.end(match_id, Verdict(result, termination, culprit, "said a test"))

    async def state(self, offer_id: str) -> str:
        """State of an offer."""
        offer = await self.lobby.offers.load(offer_id)
        return "gone" if offer is None else offer.state

    def said(self, kind: str) -> list[str]:
        """Bots that heard news of a kind."""
        return sorted(news.bot for news in self.news if news.kind == kind)


def offered(kind: Kind) -> Terms:
    """Terms of the base game."""
    return terms(kind, "base", TIMES)


@asynccontextmanager
async def floor(
    url: str,
    replica: str = "replica-1",
    *,
    clock: str | None = CLOCK,
    archive: Path | None = None,
    **settings: int | bool,
) -> AsyncIterator[Floor]:
    """A replica over the Redis at `url`; several may be open at once. Without `clock` time is real."""
    chosen = Settings(replica=replica, archive=archive is not None, archive_dir=archive, **settings)  # type: ignore[arg-type]
    async with open_store(url, replica=replica, scripts=SCRIPTS, clock=clock) as store:
        metrics = Metrics()
        accounts = Accounts(store.commands, open_registration=True, registrations_per_hour=3)
        lobby = Lobby.of(store, metrics, chosen)
        made = Floor(store, accounts, lobby, Ladder.of(store, lobby, accounts, metrics, chosen), metrics)
        store.bus.subscribe_bot(made.news.append)
        await store.commands.command("SET", CLOCK_KEY, START_MS, "NX")
        yield made
