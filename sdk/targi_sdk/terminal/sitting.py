"""A game in process with a person, who may take decisions back.

Taking back is playing again: the game begins anew with new bots, and up to the decision in question all
actions are those that were taken before. Bots are asked all the same, so that what they remember is right.
"""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

from targi_engine import action_name, new_game

from targi_sdk.arena.clock import TimeControl
from targi_sdk.arena.game import Game, Played
from targi_sdk.arena.match import Player, play_match
from targi_sdk.bot import Action, Bot, End, Start, Turn, action_of

__all__ = ["LeaveGame", "Past", "Person", "Seats", "Story", "TakeBack", "sit"]

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

Past = list[tuple[int, Action]]
"""The decisions of a game so far: seat and action."""

Seats = tuple[Callable[[], Player], Callable[[], Player]]
"""What makes the players of seats 0 and 1, new ones whenever the game begins anew."""


class TakeBack(BaseException):
    """A person takes the last decision of their seat back.

    No `Exception`: it must pass what guards a game against the faults of bots.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class LeaveGame(BaseException):
    """A person leaves the game, and so the series. No `Exception`, like `TakeBack`."""

    def __init__(self, words: str, code: int) -> None:
        """`code` is the exit code that a command ends with."""
        super().__init__(words)
        self.code = code


@dataclass(frozen=True, slots=True)
class Story:
    """A game so far."""

    game: Game
    past: Past = field(default_factory=list)

    def before(self, seat: int) -> Story:
        """The game up to the last decision of a seat."""
        last = max(ply for ply, (decided, _) in enumerate(self.past) if decided == seat)
        return Story(self.game, self.past[:last])

    def since(self, seat: int) -> list[tuple[int, str]]:
        """Seats and actions in notation since the last decision of a seat; what was forced is in brackets."""
        game, news = self.game, list[tuple[int, str]]()
        state = new_game(game.ruleset, game.seed, game.opening)
        for decided, action in self.past:
            state.apply(action)
            if decided == seat:
                news.clear()
            else:
                news.append((decided, action_name(action)))
            news += [(forced, f"[{action_name(taken)}]") for forced, taken in state.forced]
        return news


class Person(Bot):
    """A bot that asks a person, who may take back and leave: it raises `TakeBack` and `LeaveGame`."""

    story: Story | None = None
    """The game so far; None where neither is possible."""


def sit(game: Game, seats: Seats, control: TimeControl) -> Played:
    """Play a game to its end in the main thread. Raises `LeaveGame`, at Ctrl-C too."""
    # asyncio would hold the first Ctrl-C back until the person has answered.
    before = signal.signal(signal.SIGINT, _interrupted)
    try:
        return _play(game, seats, control)
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    raise LeaveGame("interrupted", INTERRUPTED)


def _play(game: Game, seats: Seats, control: TimeControl) -> Played:
    story = Story(game)
    while True:
        one, other = (_seated(new(), story) for new in seats)
        try:
            return play_match(game, (one, other), control)
        except TakeBack as wish:
            story = story.before(wish.seat)


def _seated(player: Player, story: Story) -> Player:
    return Player(_Rehearsed(player.bot, story), player.name, player.seed)


class _Rehearsed(Bot):
    """A bot whose first decisions are given."""

    def __init__(self, bot: Bot, story: Story) -> None:
        self.version = bot.version  # type: ignore[misc]  # a class has one version, a stand-in that of its bot
        self._bot = bot
        self._past = story.past
        self._given = len(story.past)
        if isinstance(bot, Person):
            bot.story = story

    def on_start(self, start: Start) -> None:
        self._bot.on_start(start)

    def on_end(self, end: End) -> None:
        self._bot.on_end(end)

    async def choose(self, turn: Turn) -> Action:
        seat, ply, legal, decision = turn.seat, turn.ply, turn.legal, turn.decision
        given = ply < self._given
        if given and isinstance(self._bot, Person):
            return self._past[ply][1]
        choice = self._bot.choose(turn)
        action = action_of(legal, decision, await choice if inspect.isawaitable(choice) else choice)
        if given:
            return self._past[ply][1]
        self._past.append((seat, action))
        return action
