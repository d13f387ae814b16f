"""The thinking bots of one client process, and what their measures say of the server's."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import grpc.aio
from load import lateness
from load.plan import ClientPlan
from load.spread import Spread
from load.tally import Tally
from load.thinker import Habit, Thinker
from load.thoughts import Difference, Game, Loss, differences, loss
from targi.v1 import game_pb2, match_service_pb2, match_service_pb2_grpc

__all__ = ["CLOSE_MS", "Findings", "ThinkCompany"]

Json = dict[str, Any]  # JSON values
CLOSE_MS = 5.0
"""A difference that needs no explanation."""
WORST = 5
AT_ONCE = 4


@dataclass
class Findings:
    """Of one process, or of all."""

    answers: int = 0
    overcharged: Spread = field(default_factory=Spread)
    """Charged time less the bot's own measure, of every answer for which anything was charged."""
    difference: Spread = field(default_factory=Spread)
    """Charged time plus lag allowance less the bot's own measure, of the games whose timeline was read."""
    unexplained: Spread = field(default_factory=Spread)
    """What of a difference over CLOSE_MS is left when the Pings of its stream are taken off."""
    lateness: Spread = field(default_factory=Spread)
    least_told_ms: int = 1 << 31
    """The shortest clock with which a bot was asked, by the server's word."""
    timelines: int = 0
    ended: dict[str, int] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    worst: list[Difference] = field(default_factory=list)

    def add(self, found: Difference) -> None:
        """One more answer."""
        self.difference.add(found.ms)
        if found.ms > CLOSE_MS:
            self.unexplained.add(found.unexplained_ms)
            self.keep_worst([found])

    def keep_worst(self, found: list[Difference]) -> None:
        """The largest stay."""
        self.worst = sorted([*self.worst, *found], key=lambda each: -each.ms)[:WORST]

    def join(self, other: Findings) -> None:
        """All of another process, too."""
        for name in ("overcharged", "difference", "unexplained", "lateness"):
            getattr(self, name).join(getattr(other, name))
        self.answers += other.answers
        self.timelines += other.timelines
        self.losses += other.losses
        self.least_told_ms = min(self.least_told_ms, other.least_told_ms)
        self.keep_worst(other.worst)
        for name, count in other.ended.items():
            self.ended[name] = self.ended.get(name, 0) + count

    def encode(self) -> Json:
        """For JSON."""
        spreads = {name: value.encode() for name, value in vars(self).items() if isinstance(value, Spread)}
        lists = {name: [asdict(each) for each in getattr(self, name)] for name in ("losses", "worst")}
        return {**vars(self), **spreads, **lists}

    @classmethod
    def decode(cls, values: Mapping[str, Any]) -> Findings:  # JSON values
        """What `encode` made."""
        spreads = ("overcharged", "difference", "unexplained", "lateness")
        made = {
            **values,
            **{name: Spread.decode(values[name]) for name in spreads},
            "losses": [Loss(**each) for each in values["losses"]],
            "worst": [Difference(**each) for each in values["worst"]],
        }
        return cls(**made)


class ThinkCompany:
    """Bots with a Habit; the timeline of one match in `timelines_every` is read."""

    def __init__(self, plan: ClientPlan) -> None:
        self._every = plan.options["timelines_every"]
        self._tally = Tally()
        self._findings = Findings()
        self._unread: asyncio.Queue[tuple[Thinker, Game]] = asyncio.Queue()
        self._games = 0
        self._checked = 0
        habit = Habit(**plan.options["habit"])
        self._bots = [
            Thinker(token, number, plan.capacity, plan.ruleset, self._tally, habit, self._over)
            for number, token in enumerate(plan.tokens, plan.first)
        ]

    async def play(self, address: str) -> None:
        self._tally.begin()
        async with grpc.aio.insecure_channel(address) as channel, asyncio.TaskGroup() as group:
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            group.create_task(lateness.watch(self._late))
            for _ in range(AT_ONCE):
                group.create_task(self._read(stub))
            for bot in self._bots:
                group.create_task(bot.play(address))

    def state(self) -> Json:
        return {
            "running": sum(len(bot.running) for bot in self._bots),
            "games": self._games,
            "unchecked": self._games - self._checked,
        }

    def obey(self, word: str) -> Json | None:
        if word == "leave":
            for bot in self._bots:
                bot.leave()
        if word != "end":
            return None
        self._tally.end()
        self._findings.ended = dict(self._tally.seen.ended)
        return self._findings.encode()

    def _late(self, _due: float, late_s: float) -> None:
        self._findings.lateness.add(late_s * 1000)

    def _over(self, bot: Thinker, game: Game, outcome: game_pb2.Outcome) -> None:
        self._games += 1
        now = time.monotonic()
        culprit = (game_pb2.CULPRIT_SEAT0, game_pb2.CULPRIT_SEAT1)[game.seat]
        if outcome.termination == game_pb2.TERMINATION_TIME and outcome.culprit == culprit:
            self._findings.losses.append(loss(game, now, bot.echoes))
        for thought in game.thoughts.values():
            self._findings.least_told_ms = min(self._findings.least_told_ms, thought.told_ms)
            self._findings.answers += thought.charged_ms is not None
            if thought.charged_ms:
                self._findings.overcharged.add(thought.charged_ms - thought.own_ms(now))
        if zlib.crc32(game.match_id.encode()) % self._every == 0:
            self._unread.put_nowait((bot, game))
        else:
            self._checked += 1

    async def _read(self, stub: Any) -> None:  # the stub's async form exists in annotations only
        """Read timelines and compare."""
        while True:
            bot, game = await self._unread.get()
            request = match_service_pb2.GetMatchRequest(match_id=game.match_id, timeline=True)
            answer: match_service_pb2.GetMatchResponse = await stub.GetMatch(request)
            spent = [
                (entry.ply, entry.charged_ms + entry.lag_ms)
                for entry in answer.timeline
                if entry.seat == game.seat and entry.HasField("action")
            ]
            for found in differences(game, spent, bot.echoes):
                self._findings.add(found)
            self._findings.timelines += 1
            self._checked += 1
