"""Matches whose time a test sets: a store on a real Redis that reads its clock from a key."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import redis
from targi_server.match.model import OVER, Kind, Live, MatchHeader, SeatHeader, Secrets, Verdict
from targi_server.store.answers import Append, Appended, Committed, StrikeAnswer
from targi_server.store.matches import MatchStore
from targi_server.store.opening import Store, open_store

__all__ = ["BASE_MS", "CLOCK", "MatchLog", "SetClock", "digest_of", "header", "until"]

BASE_MS = 60_000
INCREMENT_MS = 1_000
BUDGET_MS = 60_000
STEP_MS = 2_000
"""The longest gap between beats that is no outage."""

CLOCK = """
local function now_ms()
  return tonumber(redis.call('GET', 'clock'))
end

local function int(number)
  return string.format('%.0f', number)
end
"""
"""In place of parts/clock.lua."""


def header(
    match_id: str = "", *, hold_allowed: bool = False, base_ms: int = BASE_MS, budget_ms: int = BUDGET_MS
) -> MatchHeader:
    """Of the first game of a rated pair between bots of two owners."""
    match_id = match_id or secrets.token_hex(8)
    return MatchHeader(
        match_id=match_id,
        pair_id=secrets.token_hex(8),
        game=1,
        next_match_id=secrets.token_hex(8),
        kind=Kind.RATED,
        ruleset="base",
        variants="",
        cards_hash=hashlib.sha256(b"cards").hexdigest(),
        rules=1,
        vocabulary=1,
        seed=secrets.token_bytes(32),
        opening=secrets.token_bytes(32),
        seats=(SeatHeader("alpha-bot", "1.0.0", "ann"), SeatHeader("beta-bot", "2.1.0", "ben")),
        base_ms=base_ms,
        increment_ms=INCREMENT_MS,
        budget_ms=budget_ms,
        secrets=Secrets(
            opening_secret=secrets.token_bytes(32),
            game_secrets=(secrets.token_bytes(32), secrets.token_bytes(32)),
            nonce_a=secrets.token_bytes(32),
            nonce_b=secrets.token_bytes(32),
            chained=(True, False),
        ),
        given_seeds=False,
        hold_allowed=hold_allowed,
        created_ms=1_700_000_000_000,
    )


def digest_of(actions: tuple[int, ...]) -> bytes:
    """8 bytes that tell lists of actions apart."""
    return hashlib.sha256(repr(actions).encode()).digest()[:8]


async def until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    """Waits for something that comes by itself. Raises TimeoutError if it does not."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what it waits for is no event of this loop
            await asyncio.sleep(0.005)


class SetClock:
    """The time of a Redis, in ms, as far as scripts with CLOCK see it."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self.now = 1_700_000_000_000
        self.set(self.now)

    def set(self, now: int) -> int:
        """Makes it that time."""
        self.now = now
        self._client.set("clock", now)
        return now

    def pass_ms(self, ms: int) -> int:
        """Lets time pass."""
        return self.set(self.now + ms)


@dataclass(slots=True)
class MatchLog:
    """A match log of which a test moves the time, with replicas "one", "two" and so on."""

    url: str
    clock: SetClock
    store: Store
    others: list[MatchStore] = field(default_factory=list)

    @property
    def matches(self) -> MatchStore:
        """Of replica "one"."""
        return self.store.matches

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator[MatchLog]:
        """An empty log with the replica "one"."""
        with redis.Redis.from_url(url) as client:
            client.flushdb()
            clock = SetClock(client)
            async with open_store(url, replica="one", clock=CLOCK) as store:
                yield cls(url, clock, store)

    def client(self) -> redis.Redis:
        """A plain client, for looking at what was written. The caller closes it."""
        return redis.Redis.from_url(self.url, protocol=2)

    async def start(
        self,
        *,
        seat: int = 0,
        here: tuple[int, ...] = (0, 1),
        hold_allowed: bool = False,
        base_ms: int = BASE_MS,
        budget_ms: int = BUDGET_MS,
    ) -> str:
        """A match in which the seats `here` are connected to replica "one"."""
        head = header(hold_allowed=hold_allowed, base_ms=base_ms, budget_ms=budget_ms)
        assert await self.matches.create(head, seat=seat)
        for each in here:
            assert await self.matches.arrive(head.match_id, each)
        return head.match_id

    async def act(
        self,
        match_id: str,
        ply: int,
        seat: int,
        actions: tuple[int, ...] = (7,),
        *,
        received: tuple[int, ...] | None = None,
        arrived_ms: int | None = None,
        out_ms: int = 0,
        turn_ended: bool = True,
        next_seat: int | None = None,
        struck: bool = False,
        by: MatchStore | None = None,
    ) -> Appended:
        """Appends an answer that arrived just now and ends the own turn, if nothing else is said."""
        received = actions if received is None else received
        request = Append(
            match_id,
            ply,
            seat,
            actions,
            digest_of(received),
            len(received),
            self.clock.now if arrived_ms is None else arrived_ms,
            out_ms,
            turn_ended,
            1 - seat if next_seat is None else next_seat,
            struck=struck,
        )
        return await (by or self.matches).append(request)

    async def acted(self, match_id: str, ply: int, seat: int, actions: tuple[int, ...] = (7,)) -> Committed:
        """The same, and it must be taken."""
        answer = await self.act(match_id, ply, seat, actions)
        assert isinstance(answer, Committed), answer
        return answer

    async def win(self, match_id: str, ply: int, seat: int, actions: tuple[int, ...] = (7,)) -> Appended:
        """Appends the last answer of a game that seat 0 wins by 40 to 35."""
        request = Append(
            match_id, ply, seat, actions, digest_of(actions), len(actions), self.clock.now, 0, True, OVER
        )
        return await self.matches.append(request._replace(result="1-0", scores=(40, 35)))

    async def blunder(self, match_id: str, ply: int, seat: int, actions: tuple[int, ...]) -> StrikeAnswer:
        """Sends an answer whose first action is illegal."""
        return await self.matches.strike(match_id, ply, seat, digest_of(actions), arrived_ms=self.clock.now)

    async def live(self, match_id: str) -> Live:
        """Where the match stands."""
        stored = await self.matches.load(match_id)
        assert stored is not None
        return stored.live

    async def verdict(self, match_id: str) -> Verdict | None:
        """How it ended."""
        return (await self.live(match_id)).verdict

    async def run(self, ms: int, *stores: MatchStore) -> None:
        """Lets time pass; the replicas (just "one", if none are named) tick often enough to be alive."""
        for _ in range(ms // STEP_MS):
            self.clock.pass_ms(STEP_MS)
            for store in stores or (self.matches,):
                await store.tick()
        self.clock.pass_ms(ms % STEP_MS)
