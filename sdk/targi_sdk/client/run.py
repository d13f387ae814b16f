"""The loop around everything: connect, play, connect again, until the bot has left."""

from __future__ import annotations

import asyncio
import inspect
import secrets
import time
from collections import Counter
from dataclasses import dataclass
from random import Random

from targi_sdk.bot import Bot, End
from targi_sdk.client.address import DEFAULT, Address
from targi_sdk.client.backoff import LONGEST_S, Backoff
from targi_sdk.client.news import Kind, News, Reporter, log_news
from targi_sdk.client.nonces import ChainError
from targi_sdk.client.players import InProcess, Players
from targi_sdk.client.pool import Pool, cores
from targi_sdk.client.profile import Challenges, Profile
from targi_sdk.client.refusal import is_final
from targi_sdk.client.seat import Factory
from targi_sdk.client.session import Session
from targi_sdk.client.stopping import stop_on_signals
from targi_sdk.client.stream import run_stream
from targi_sdk.client.telling import standing_of
from targi_sdk.errors import ArenaError
from targi_sdk.specs import BotSpec

__all__ = ["Client", "Summary", "run_bot"]

PATIENCE_S = 10.0
"""How long a client waits for a server that it has not reached yet."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a client played."""

    ended: tuple[End, ...]

    @property
    def counts(self) -> Counter[str]:
        """Matches by "won", "lost", "drew" and "void"."""
        return Counter(map(standing_of, self.ended))


class Client:
    """Keeps one session with an arena alive."""

    def __init__(
        self,
        address: Address,
        token: str,
        session: Session,
        players: Players,
        report: Reporter,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.session = session
        self._address = address
        self._token = token
        self._players = players
        self._report = report
        self._patience_s = patience_s
        self._backoff = Backoff(Random())
        self._hurry = asyncio.Event()
        self._trouble: tuple[int, str] | None = None
        self._task: asyncio.Task[object] | None = None

    async def run(self) -> Summary:
        """Play until the bot has left. Raises an `ArenaError` that another attempt would not change."""
        self._task = asyncio.current_task()
        await self._players.open()
        try:
            await self._play()
        finally:
            await self._players.close()
        return Summary(tuple(self.session.matches.ended))

    def leave(self) -> None:
        """Finish what runs, then stop."""
        running = len(self.session.matches.running)
        self._report(News(Kind.NOTICE, f"leaving after {running} running matches; once more to stop at once"))
        self.session.leave()
        self._hurry.set()

    def quit(self) -> None:
        """Stop at once: running matches are left to their clocks. `run` ends with `CancelledError`."""
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> None:
        give_up = time.monotonic() + self._patience_s
        while True:
            begun = time.monotonic()
            trouble = await self._stream()
            if self.session.has_left:
                if self.session.objection is not None:
                    raise self.session.objection
                return
            if trouble and not self.session.welcome_count and time.monotonic() > give_up:
                raise trouble
            if time.monotonic() - begun > LONGEST_S:
                self._backoff.reset()
            await self._pause()

    async def _stream(self) -> ArenaError | None:
        """One stream; what it ended with, None for an end in peace."""
        try:
            await run_stream(self.session, self._address, self._token)
        except ChainError:
            self._hurry.set()
            return None
        except ArenaError as error:
            if is_final(error):
                raise
            self._tell_lost(f"no connection: {error}")
            return error
        self.session.closed()
        if not self.session.has_left:
            self._tell_lost("the server closed the stream")
        return None

    def _tell_lost(self, words: str) -> None:
        """Tell of trouble once, however many attempts it outlasts."""
        trouble = (self.session.welcome_count, words)
        if trouble != self._trouble:
            self._trouble = trouble
            self._report(News(Kind.LOST, words))

    async def _pause(self) -> None:
        """Wait before the next attempt, unless something asked for haste."""
        try:
            await asyncio.wait_for(self._hurry.wait(), self._backoff.next_s())
        except TimeoutError:
            return
        self._hurry.clear()


async def run_bot(
    bot: type[Bot] | BotSpec | str,
    *,
    token: str,
    server: Address | str = DEFAULT,
    capacity: int = 2,
    ladder: bool = True,
    challenges: Challenges = "all",
    rulesets: tuple[str, ...] | None = None,
    version: str | None = None,
    seed: bytes | None = None,
    games: int | None = None,
    workers: int | None = None,
    report: Reporter = log_news,
    signals: bool = False,
    patience_s: float = PATIENCE_S,
) -> Summary:
    """Play a bot over the service until it has left, reconnecting as often as needed.

    `bot`: a class or a specification. `challenges`: whose it takes, "all", "own" (of bots of the same
    owner) or "none". `seed`: the bot seed, 32 bytes, drawn if absent. `games`: leave after
    so many matches were started. `workers`: processes for the bot's thinking; 0 for none, the default is the
    smaller of capacity and processors, and 0 for a bot that says `in_process`. `signals`: the first SIGINT
    or SIGTERM leaves, the second stops at once (main thread only). `patience_s`: how long to try for the
    first connection. Raises an `SdkError`: `UnreachableError`, `BadTokenError`, `VersionError`,
    `ReplacedError`, another `RefusedError`, or a `SpecError`.
    """
    kind, factory, seed = _resolve(bot, seed)
    profile = Profile(
        version or kind.version,
        rulesets or kind.rulesets,
        capacity if games is None else min(capacity, games),
        ladder,
        challenges,
    )
    players = _players(kind, factory, seed, profile.capacity, workers)
    session = Session(profile, players, report, time.monotonic, games=games)
    address = Address.parse(server) if isinstance(server, str) else server
    client = Client(address, token, session, players, report, patience_s=patience_s)
    with stop_on_signals(client, wanted=signals):
        return await client.run()


def _resolve(bot: type[Bot] | BotSpec | str, seed: bytes | None) -> tuple[type[Bot], Factory, bytes]:
    """The class, what makes a bot of it, and the bot seed: one given beside the specification wins."""
    if isinstance(bot, type):
        return bot, bot, seed or secrets.token_bytes(32)
    spec = BotSpec.parse(bot) if isinstance(bot, str) else bot
    return spec.load(), spec.make, seed or spec.seed or secrets.token_bytes(32)


def _players(kind: type[Bot], factory: Factory, seed: bytes, capacity: int, workers: int | None) -> Players:
    if workers is None:
        workers = 0 if kind.in_process or inspect.iscoroutinefunction(kind.choose) else min(capacity, cores())
    return Pool(factory, seed, workers) if workers else InProcess(factory, seed)
