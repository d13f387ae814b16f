"""Games of a series played in this process, each as a line of text."""

from __future__ import annotations

from typing import NamedTuple

from targi_sdk.arena.failure import Failure
from targi_sdk.arena.game import Game
from targi_sdk.arena.gameline import line_text
from targi_sdk.arena.match import DEFAULT_BOT_SEED, Player, run_match
from targi_sdk.arena.schedule import Fixture, fixture
from targi_sdk.arena.series import Series
from targi_sdk.specs import BotSpec

__all__ = ["Line", "Table"]


class Line(NamedTuple):
    """A finished game."""

    text: str
    failure: Failure
    """For the author of a bot that failed; no part of the text, as it names files and lines."""


class Table:
    """Plays games of a series: rules and classes of the bots are looked up once, and tried."""

    def __init__(self, series: Series) -> None:
        self._series = series
        self._rules = series.rules
        specs = [BotSpec.parse(text) for text in series.bots]
        self._bots = [(spec.maker(), spec.name, spec.seed or DEFAULT_BOT_SEED) for spec in specs]
        for new, _, _ in self._bots:
            new()

    async def play(self, number: int) -> Line:
        """One game, by its number."""
        one, other = self.players(number)
        return await self.play_with(number, one, other)

    async def play_with(self, number: int, one: Player, other: Player) -> Line:
        """The same with the players of seats 0 and 1 replaced."""
        dealt = self._dealt(number)
        game = Game(self._rules, dealt.seed, dealt.opening)
        played = await run_match(game, (one, other), self._series.control)
        return Line(line_text(self._series, dealt, played), played.failure)

    def players(self, number: int) -> tuple[Player, Player]:
        """New players of seats 0 and 1 of a game."""
        one, other = (self._player(index) for index in self._dealt(number).seats)
        return one, other

    def _dealt(self, number: int) -> Fixture:
        return fixture(self._series.seed, number, mirrored=self._series.mirrored)

    def _player(self, index: int) -> Player:
        new, name, seed = self._bots[index]
        return Player(new(), name, seed)
