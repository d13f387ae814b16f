"""A bot's session with an arena, without its connection: what comes in, what goes out, what is remembered.

It survives any number of streams. Nothing here waits or reads a clock of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from targi.v1 import play_pb2 as pb
from targi_engine import RULES, VOCABULARY, EngineError

from targi_sdk.client.matches import Matches
from targi_sdk.client.news import Kind, News, Reporter
from targi_sdk.client.nonces import NonceChain
from targi_sdk.client.offers import Offers
from targi_sdk.client.outbox import Outbox
from targi_sdk.client.players import Players
from targi_sdk.client.profile import Profile, sdk_version
from targi_sdk.client.telling import reason_name
from targi_sdk.errors import VersionError, WireError

__all__ = ["Session"]

FIRST_HEARTBEAT_S = 5.0
"""Heartbeat until the server has said its own."""


class Session:
    """Takes the events of the service and queues this side's. `now`: seconds of `time.monotonic()`.

    `games`: leave after that many matches were started, None for no limit.
    """

    def __init__(
        self,
        profile: Profile,
        players: Players,
        report: Reporter,
        now: Callable[[], float],
        *,
        games: int | None = None,
        chain: NonceChain | None = None,
    ) -> None:
        self.outbox = Outbox()
        self.matches = Matches(players, self.outbox, report, now)
        self.offers = Offers(self.outbox, report, chain)
        self.heartbeat_s = FIRST_HEARTBEAT_S
        self.pings = self.pongs = 0
        """Pings that were sent on this stream, and the last of them that was answered."""
        self.welcome_count = 0
        """How many streams the service has welcomed so far."""
        self.leaving = False
        self.objection: VersionError | None = None
        """Why the bot has to leave, if it does: this side and the service have other rules."""
        self._profile = profile
        self._report = report
        self._games = games
        self._handlers: Mapping[str, Callable[[Any], None]] = {  # Any: the type of the event of that name
            "welcome": self._welcome,
            "offer": self._offer,
            "offer_lapsed": self.offers.lapsed,
            "match_started": self._match_started,
            "turn": self.matches.turn,
            "applied": self.matches.applied,
            "rejected": self._rejected,
            "match_ended": self.matches.match_ended,
            "notice": self._notice,
            "ping": self._ping,
            "pong": self._pong,
            "draining": self._draining,
        }

    def begin(self) -> None:
        """A new stream: its first events are queued."""
        self.pings = self.pongs = 0
        events = [self._profile.hello(self.offers.begin())]
        if self.leaving:
            events.append(pb.BotEvent(leave=pb.Leave()))
        self.outbox.restart(events)

    def receive(self, frame: pb.PlayResponse) -> None:
        """Handle all events of a frame. Raises `VersionError` and `ChainError`."""
        for event in frame.events:
            name = event.WhichOneof("event")
            if name is None:
                continue  # an event of a later version
            try:
                self._handlers[name](getattr(event, name))
            except (EngineError, WireError) as error:
                self._report(News(Kind.NOTICE, f"a {name} of the service cannot be read: {error}"))

    def ping(self) -> None:
        """Queue a sign of life that is to be answered."""
        self.pings += 1
        self.outbox.add(pb.BotEvent(ping=pb.Ping(token=self.pings)))

    def leave(self) -> None:
        """Finish what runs and take nothing new."""
        if not self.leaving:
            self.leaving = True
            self.outbox.add(pb.BotEvent(leave=pb.Leave()))

    def closed(self) -> None:
        """The service closed the stream in peace: for a bot that is leaving, nothing more will start."""
        if self.leaving:
            self.offers.awaited.clear()

    @property
    def has_left(self) -> bool:
        """Whether the bot is leaving and, as far as known, nothing runs or is about to start."""
        return self.leaving and not self.matches.running and not self.offers.awaited

    def _welcome(self, message: pb.Welcome) -> None:
        if message.rules_versions and RULES not in message.rules_versions:
            self._object(message)
        self.welcome_count += 1
        self.matches.by_name = not message.action_ids or message.vocabulary_version != VOCABULARY
        if message.limits.heartbeat_ms:
            self.heartbeat_s = message.limits.heartbeat_ms / 1000
        running = f", {message.running_matches} matches go on" if message.running_matches else ""
        words = f"connected as {message.bot} (server {message.server_version}{running})"
        self._report(News(Kind.CONNECTED, words))

    def _object(self, message: pb.Welcome) -> None:
        """The rules differ: what runs is played to its end by notation, and nothing new is begun."""
        theirs = ", ".join(map(str, message.rules_versions))
        self.objection = VersionError(
            "VERSION_MISMATCH",
            f"the server plays rules version {theirs}, this SDK ({sdk_version()}) version {RULES}: "
            "install the other version of targi",
        )
        if not message.running_matches and not self.matches.running:
            raise self.objection
        self._report(News(Kind.NOTICE, f"{self.objection}; what runs is played to its end before"))
        self.leave()

    def _offer(self, message: pb.Offer) -> None:
        self.offers.offer(message, leaving=self.leaving)

    def _match_started(self, message: pb.MatchStarted) -> None:
        self.offers.started(message.match_id)
        self.matches.match_started(message)
        if self._games is not None and self.matches.started >= self._games:
            self.leave()

    def _rejected(self, message: pb.Rejected) -> None:
        (self.offers if message.offer_id else self.matches).rejected(message)

    def _notice(self, message: pb.Notice) -> None:
        reason = f" ({reason_name(message.reason)})" if message.reason else ""
        self._report(News(Kind.NOTICE, f"the service says{reason}: {message.words}"))

    def _ping(self, message: pb.Ping) -> None:
        self.outbox.add(pb.BotEvent(pong=pb.Pong(token=message.token)))

    def _pong(self, message: pb.Pong) -> None:
        self.pongs = max(self.pongs, message.token)

    def _draining(self, message: pb.Draining) -> None:
        seconds = message.grace_ms / 1000
        self._report(News(Kind.NOTICE, f"the server stops within {seconds:g} s; this bot will connect again"))
