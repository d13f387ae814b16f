"""News between replicas over sharded pub/sub, one channel a bucket.

Lossy by contract: whoever listens reads the store again each second.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, TypeVar

from redis.exceptions import RedisClusterException, RedisError

from targi_server.match.entries import Entry
from targi_server.match.model import Verdict
from targi_server.store.commands import Commands
from targi_server.store.ear import Ear
from targi_server.store.keys import bucket_keys
from targi_server.store.link import Link
from targi_server.store.standing import Standing

__all__ = ["BotHandler", "BotNews", "Bus", "MatchHandler", "MatchNews"]

log = logging.getLogger(__name__)

PAUSES_S: Final = (0.05, 0.2, 1.0, 2.0)


class MatchNews(NamedTuple):
    """A match changed. Whoever is not at `ply` misses something and reads the match."""

    match_id: str
    ply: int
    """Of the first of `entries`, or where the match stands if there are none."""
    entries: tuple[Entry, ...]
    seat: int
    """To move now; OVER when the match is over."""
    clocks: tuple[int, int]
    turn_at_ms: int
    """When the last action was committed."""
    strikes: tuple[int, int]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class BotNews:
    """Something happened for a bot, wherever it is connected."""

    bot: str
    kind: str
    payload: Mapping[str, object]


MatchHandler: TypeAlias = Callable[[MatchNews], None]
Concerns: TypeAlias = Callable[[str], bool]
"""Whether news of a match are wanted."""
BotHandler: TypeAlias = Callable[[BotNews], None]
News = TypeVar("News", MatchNews, BotNews)


class Bus:
    """Listens to all buckets, and tells bots."""

    def __init__(self, link: Link, commands: Commands, *, replica: str) -> None:
        self._link = link
        self._commands = commands
        self._replica = replica.encode()
        self._match_handlers: list[MatchHandler] = []
        self._own: dict[MatchHandler, Concerns] = {}
        self._bot_handlers: list[BotHandler] = []
        self._listening = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="bus")

    def subscribe(self, handler: MatchHandler, *, own: Concerns | None = None) -> Callable[[], None]:
        """Calls `handler` for all news of matches; returns what ends that.

        `own`: for which matches it also wants what this replica committed itself, without a verdict; None for
        all. That it hears of with the answer to the commit, and unwanted it costs next to nothing.
        """
        self._match_handlers.append(handler)
        self._own[handler] = own or _any_match
        return lambda: self._match_handlers.remove(handler)

    def subscribe_bot(self, handler: BotHandler) -> Callable[[], None]:
        """Calls `handler` for all news of bots; returns what ends that."""
        self._bot_handlers.append(handler)
        return lambda: self._bot_handlers.remove(handler)

    def committed(self, match_id: str, standing: bytes) -> None:
        """This replica committed an answer, after which the match stands so."""
        try:
            handlers = [to for to in self._match_handlers if self._own[to](match_id)]
            if handlers:
                _tell(handlers, _match_news(match_id, standing))
        except Exception:  # whoever committed it must not suffer
            log.exception("news could not be handled")

    async def publish_bot(self, bot: str, kind: str, payload: Mapping[str, object]) -> None:
        """Tells the replica of a bot, whichever that is."""
        text = json.dumps({"bot": bot, "kind": kind, "payload": payload}, separators=(",", ":"))
        await self._commands.command("SPUBLISH", bucket_keys(bot).news, b"b " + text.encode())

    async def listening(self) -> None:
        """Returns once all channels are subscribed to."""
        await self._listening.wait()

    async def aclose(self) -> None:
        """Stops listening."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                await self._listen()
            except* (RedisError, RedisClusterException, OSError) as errors:
                log.warning("news are not heard for the moment: %s", errors.exceptions[0])
            failures = 1 if self._listening.is_set() else failures + 1
            self._listening.clear()
            await asyncio.sleep(PAUSES_S[min(failures, len(PAUSES_S)) - 1])

    async def _listen(self) -> None:
        """Until a connection breaks, or a channel moves to another server."""
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for listener in await self._link.listeners():
                ear = await stack.enter_async_context(Ear(listener))
                group.create_task(self._hear(ear))
            self._listening.set()

    async def _hear(self, ear: Ear) -> None:
        while True:
            self._deliver(await ear.message())

    def _deliver(self, message: bytes) -> None:
        kind, _, rest = message.partition(b" ")
        try:
            if kind == b"m":
                self._deliver_match(*rest.split(b" ", 2))
            else:
                _tell(self._bot_handlers, BotNews(**json.loads(rest)))
        except Exception:  # a listener that fails must not make all others deaf
            log.exception("news could not be handled")

    def _deliver_match(self, match_id: bytes, told: bytes, standing: bytes) -> None:
        if told != self._replica:  # else it was told with the answer
            _tell(self._match_handlers, _match_news(match_id.decode(), standing))


def _any_match(_match_id: str) -> bool:
    return True


def _tell(handlers: Sequence[Callable[[News], None]], news: News) -> None:
    for handler in tuple(handlers):
        handler(news)


def _match_news(match_id: str, text: bytes) -> MatchNews:
    standing = Standing.parse(text)
    return MatchNews(
        match_id,
        standing.ply,
        standing.entries,
        standing.seat,
        standing.clocks,
        standing.turn_at_ms,
        standing.strikes,
        standing.verdict,
    )
