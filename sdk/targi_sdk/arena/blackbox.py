"""What a process writes down while it plays a game, to be read if it dies.

A process that a bot ends (`os._exit`, a signal, a crash in compiled code) takes its game with it. Played once
more with a black box, the game is known up to the decision in question, and can be played from the box in a
process without the bots, down to the death: the bot that was asked has lost.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from targi_sdk.arena.match import Player
from targi_sdk.bot import Action, Bot, End, Start, Turn, action_of
from targi_sdk.errors import ProcessDiedError

__all__ = ["BlackBox"]

_BEGUN = "begun"


class BlackBox:
    """A file with one word a line: `begun` for each bot whose `on_start` came back, and the actions taken."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def recording(self, player: Player) -> Player:
        """The player, with all that it does written down."""
        return Player(_Recorded(player.bot, self), player.name, player.seed)

    def note(self, word: str) -> None:
        """Write a word so that it outlives this process."""
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{word}\n")

    def stand_ins(self, players: tuple[Player, Player], status: str = "") -> tuple[Player, Player]:
        """Players that do what those in the box did, and raise where the process died, with `status`."""
        words = _WORDS.format(f" with {status}" * bool(status))
        noted = self._path.read_text(encoding="ascii").split() if self._path.exists() else []
        begun = iter([word for word in noted if word == _BEGUN])
        actions = iter([int(word) for word in noted if word != _BEGUN])
        one, other = (
            Player(_Replayed(player.bot.version, begun, actions, words), player.name, player.seed)
            for player in players
        )
        return one, other


class _Stand(Bot):
    """A bot in place of another, of which it has the version."""

    def __init__(self, version: str) -> None:
        self.version = version  # type: ignore[misc]  # a class has one version, a stand-in that of its bot


class _Recorded(_Stand):
    def __init__(self, bot: Bot, box: BlackBox) -> None:
        super().__init__(bot.version)
        self._bot = bot
        self._box = box

    def on_start(self, start: Start) -> None:
        self._bot.on_start(start)
        self._box.note(_BEGUN)

    async def choose(self, turn: Turn) -> Action:
        legal, decision = turn.legal, turn.decision
        choice = self._bot.choose(turn)
        action = action_of(legal, decision, await choice if inspect.isawaitable(choice) else choice)
        self._box.note(str(action))
        return action

    def on_end(self, end: End) -> None:
        self._bot.on_end(end)


class _Replayed(_Stand):
    """Both stand-ins of a game share what is left of the box."""

    def __init__(self, version: str, begun: Iterator[str], actions: Iterator[Action], words: str) -> None:
        super().__init__(version)
        self._begun = begun
        self._actions = actions
        self._words = words

    def on_start(self, start: Start) -> None:
        if next(self._begun, None) is None:
            raise ProcessDiedError(self._words)

    def choose(self, turn: Turn) -> Action:
        action = next(self._actions, None)
        if action is None:
            raise ProcessDiedError(self._words)
        return action


_WORDS = "its process died{}: the bot ended it, crashed it, or the system did for want of memory"
