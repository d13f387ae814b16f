"""A bot that thinks for known times on a tight clock, and measures itself how long it did."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from load.bot import Asked, Bot
from load.pacing import WarmUp
from load.tally import Tally
from load.thoughts import Echoes, Game, Thought
from targi.v1 import game_pb2, play_pb2

__all__ = ["Habit", "Thinker"]

FULL_SHARE = 0.05
"""Of the games are played to their end."""


@dataclass(frozen=True)
class Habit:
    """How it thinks: exponential times, but never into the last `margin_ms` of its clock.

    Its clock is that of its own account: base and increments, less what it measured itself.

    It resigns after a number of plies that the match's id decides, `plies` in the mean, so that many games
    fit into a run; one in twenty is played to its end.
    """

    think_ms: float
    margin_ms: float
    plies: int

    def think_s(self, left_ms: float, rng: random.Random) -> float:
        """Time for one answer."""
        return max(0.0, min(rng.expovariate(1 / self.think_ms), left_ms - self.margin_ms)) / 1000

    def last_ply(self, match_id: str) -> int:
        """From here on it resigns."""
        rng = random.Random(match_id)
        return 10_000 if rng.random() < FULL_SHARE else rng.randrange(2, 2 * self.plies)


Over = Callable[["Thinker", Game, game_pb2.Outcome], None]


def clock_of(clocks: game_pb2.Clocks, seat: int) -> int:
    """Of one seat, in ms."""
    return clocks.seat1_ms if seat else clocks.seat0_ms


class Thinker(Bot):
    """`over` gets each game that ended, with how."""

    def __init__(
        self, token: str, number: int, capacity: int, ruleset: str, tally: Tally, habit: Habit, over: Over
    ) -> None:
        pace = WarmUp(1, random.Random(number))  # never asked: the habit decides
        super().__init__(token, number, capacity, ruleset, tally, pace)
        self.echoes = Echoes()
        self._habit = habit
        self._tell = over
        self._games: dict[str, Game] = {}
        self._chance = random.Random(number)
        self._read_at = 0.0

    async def play(self, address: str) -> None:
        """Play, and send Pings all the while."""
        pings = asyncio.create_task(self._pings())
        try:
            await super().play(address)
        finally:
            pings.cancel()

    def leave(self) -> None:
        """Finish what runs, and take nothing new."""
        self.leaving = True
        self.say(play_pb2.BotEvent(leave=play_pb2.Leave()))

    def take(self, frame: play_pb2.PlayResponse) -> None:
        self._read_at = time.monotonic()
        super().take(frame)

    def started(self, started: play_pb2.MatchStarted) -> None:
        control = started.time_control
        game = Game(started.match_id, self.number, started.seat, control.base_ms, control.increment_ms)
        self._games.setdefault(started.match_id, game)
        super().started(started)

    def asked(self, turn: play_pb2.Turn) -> None:
        game = self._games.get(turn.match_id)
        if game is None:
            return
        if turn.ply >= self._habit.last_ply(turn.match_id):
            self.say(play_pb2.BotEvent(resign=play_pb2.Resign(match_id=turn.match_id)))
            return
        told_ms = clock_of(turn.clocks, game.seat)
        game.thoughts.setdefault(turn.ply, Thought(game.left_ms, told_ms, self._read_at))
        asked = Asked(turn.match_id, turn.ply, self._chance.choice(turn.legal).id)
        due = self._read_at + self._habit.think_s(game.left_ms, self._chance)
        self.answer_at(asked, due, time.monotonic())

    def written(self, events: list[play_pb2.BotEvent]) -> None:
        now = time.monotonic()
        for event in events:
            kind = event.WhichOneof("event")
            if kind == "ping":
                self.echoes.left(now)
            elif kind == "act" and (game := self._games.get(event.act.match_id)) is not None:
                game.thoughts[event.act.ply].written = now

    def applied(self, applied: play_pb2.Applied) -> None:
        super().applied(applied)
        game = self._games.get(applied.match_id)
        if game is not None and applied.ply in game.thoughts:
            clock_ms = clock_of(applied.clocks, game.seat)
            game.account(applied.ply, applied.charged_ms, clock_ms, time.monotonic())

    def over(self, ended: play_pb2.MatchEnded) -> None:
        super().over(ended)
        if (game := self._games.pop(ended.match_id, None)) is not None:
            self._tell(self, game, ended.outcome)

    def ponged(self, pong: play_pb2.Pong) -> None:
        self.echoes.came(self._read_at)

    async def _pings(self) -> Any:  # it never returns
        token = 0
        while True:
            token += 1
            self.say(play_pb2.BotEvent(ping=play_pb2.Ping(token=token)))
            await asyncio.sleep(Echoes.EVERY_S)
