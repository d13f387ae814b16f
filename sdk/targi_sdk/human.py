"""A person at the terminal who plays as a bot: the specification `human`.

What they may type beside actions: see `HELP`. Taking back and leaving need a game that can be played again
from its beginning (see terminal/sitting.py); over the service neither is possible.
"""

from __future__ import annotations

import copy
import inspect
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TextIO

from rich.columns import Columns
from rich.text import Text
from targi_engine import Observation, UnknownAction, action_id, action_name
from targi_engine.provenance import LEGEND, MARK

from targi_sdk.bot import Action, End, Start, Turn, action_of
from targi_sdk.console import rich_console
from targi_sdk.errors import ChoiceError, SdkError
from targi_sdk.specs import BotSpec
from targi_sdk.terminal.board import board
from targi_sdk.terminal.faces import faces_of
from targi_sdk.terminal.moves import action_words, decision_words
from targi_sdk.terminal.sitting import LeaveGame, Person, TakeBack

__all__ = ["HumanBot", "InputEndedError"]

PIPE_WIDTH = 120
"""Characters in a line where the output is no terminal."""
DEFAULT_HINT = "greedy"
FAILED = 1
"""Exit code where the input is at its end."""
KEYS = "? explains a card, h hints, u takes back, q ends"
HELP = """\
a number or notation  choose that action (17, @7, row1)
? CARD                explain a card (? C7), border card (? 10), cell (? c4), dune (? d1)
?                     this help, and the cards in sight
h                     a hint from a bot
u                     take your last decision back
b                     show the board again
q                     leave the game"""


class InputEndedError(SdkError):
    """Standard input ended, or the person left, before the game was over."""


class HumanBot(Person):
    """Asks on the terminal. What it shows goes to standard error, so that results can still be piped."""

    version = "1.0"
    rulesets = ("base", "expansion", "mixed")
    in_process = True

    def __init__(self, hint: str = DEFAULT_HINT) -> None:
        """`hint` is the specification of the bot that gives hints."""
        self._hint = BotSpec.parse(hint)
        self._start: Start | None = None
        self._in: TextIO = sys.stdin
        terminal = sys.stderr.isatty()
        self._out = rich_console(sys.stderr, width=None if terminal else PIPE_WIDTH)
        self._shown = -1

    def on_start(self, start: Start) -> None:
        self._start = start

    def choose(self, turn: Turn) -> Action:
        if turn.observation.turn != self._shown:
            self._shown = turn.observation.turn
            self._tell_past(turn)
            self._show_board(turn)
        self._show_menu(turn)
        while True:
            word = self._read(turn)
            command = word.lower()
            if word.startswith("?"):
                self._explain(turn, word[1:].strip())
            elif command in COMMANDS:
                COMMANDS[command](self, turn)
            else:
                try:
                    return self._action(turn, word)
                except ChoiceError as error:
                    self._print(str(error))

    def on_end(self, end: End) -> None:
        scores = "" if end.scores is None else f", {end.scores[end.seat]}-{end.scores[1 - end.seat]}"
        self._print(f"{OUTCOMES.get((end.result, end.seat), 'The game is over')}{scores} ({end.words})")

    def _action(self, turn: Turn, word: str) -> Action:
        """The action that was typed: its place in the menu, or its notation."""
        if word.isdecimal() and 1 <= int(word) <= len(turn.legal):
            return turn.legal[int(word) - 1]
        numbers = f"number of the list (1 to {len(turn.legal)})"
        try:
            action = action_id(word)
        except UnknownAction as error:
            words = f"{word[:80]!r} is no {numbers}, no action and no command; {KEYS}"
            raise ChoiceError(words) from error
        if action not in turn.legal:
            raise ChoiceError(f"{word!r} cannot be chosen now: take a {numbers}; {KEYS}")
        return action

    def _read(self, turn: Turn) -> str:
        """One line of input without the space around it; what no terminal echoes is shown too."""
        self._out.print(Text(f"{turn.decision}> ", style="bold"), end="")
        self._out.file.flush()
        line = self._in.readline()
        if not self._in.isatty():
            self._print(line.strip())
        if not line:
            self._go("standard input ended before the game did", FAILED)
        return line.strip()

    def _go(self, words: str, code: int) -> None:
        """Leave the game; where it cannot be left it is lost."""
        if self.story is None:
            raise InputEndedError(words)
        raise LeaveGame(words, code)

    def _leave(self, turn: Turn) -> None:
        self._go("you left the game", 0)

    def _take_back(self, turn: Turn) -> None:
        if self.story is None or not any(seat == turn.seat for seat, _ in self.story.past):
            self._print("There is nothing that you could take back.")
            return
        raise TakeBack(turn.seat)

    def _give_hint(self, turn: Turn) -> None:
        """Ask the other bot about a copy of the turn; its randomness is not that of this seat."""
        asked = copy.copy(turn)
        asked.rng = random.Random(turn.ply)
        try:
            bot = self._hint.make()
            if self._start is not None:
                bot.on_start(self._start)
            choice = bot.choose(asked)
            if inspect.isawaitable(choice):
                raise ChoiceError("it answers asynchronously")
            action = action_of(turn.legal, turn.decision, choice)
        except Exception as error:  # a bot's code may raise anything
            self._print(f"{self._hint.name} has no hint: {error}")
            return
        number = turn.legal.index(action) + 1
        self._print(f"{self._hint.name} would take {number}: {_option(turn.observation, action)}")

    def _show_board(self, turn: Turn) -> None:
        self._print("")
        self._out.print(board(turn.observation, turn.seat, self._out.width))

    def _tell_past(self, turn: Turn) -> None:
        """What happened since this player's last decision; what was no choice is in brackets."""
        news = [] if self.story is None else self.story.since(turn.seat)
        for seat, actions in groupby(news, key=itemgetter(0)):
            who = "you" if seat == turn.seat else "opponent"
            self._print(f"{who}: {' '.join(action for _, action in actions)}")

    def _show_menu(self, turn: Turn) -> None:
        view = turn.observation
        self._print(f"{decision_words(view)}:")
        options = [f"{number:>2}  {_option(view, action)}" for number, action in enumerate(turn.legal, 1)]
        self._out.print(Columns(map(Text, options), padding=(0, 3), column_first=True))

    def _explain(self, turn: Turn, name: str) -> None:
        view = turn.observation
        found = faces_of(view.ruleset).explain(_card_at(view, name))
        if found:
            self._print(found)
        elif name:
            self._print(f"There is no card {name!r}: name one as it is shown, a border card by its number.")
        else:
            self._print(HELP, *_in_sight(view))

    def _print(self, *lines: str) -> None:
        for line in lines:
            self._out.print(Text(line))


OUTCOMES: Mapping[tuple[str, int], str] = {
    ("1-0", 0): "You won",
    ("1-0", 1): "You lost",
    ("0-1", 0): "You lost",
    ("0-1", 1): "You won",
    ("1/2-1/2", 0): "A draw",
    ("1/2-1/2", 1): "A draw",
}
"""Result and own seat to words."""

COMMANDS: Mapping[str, Callable[[HumanBot, Turn], None]] = {
    "h": HumanBot._give_hint,
    "hint": HumanBot._give_hint,
    "u": HumanBot._take_back,
    "undo": HumanBot._take_back,
    "b": HumanBot._show_board,
    "board": HumanBot._show_board,
    "q": HumanBot._leave,
    "quit": HumanBot._leave,
}
"""What may be typed instead of an action."""


def _option(view: Observation, action: Action) -> str:
    return f"{action_name(action)}: {action_words(view, action)}"


def _card_at(view: Observation, name: str) -> str:
    """The name of the card that is meant: of a cell or dune slot the card there."""
    places: dict[str, str | None] = {f"c{cell}": card.card for cell, card in enumerate(view.centre)}
    places |= {f"d{slot}": card for slot, card in enumerate(view.dunes, 1)}
    return places.get(name) or name.rstrip(MARK)


def _in_sight(view: Observation) -> Sequence[str]:
    """Explanations of the cards that can be laid or used soon, and what the mark of house cards means."""
    hands = [card for player in view.players for card in player.hand]
    names = [*hands, *(card.card for card in view.centre), *view.dunes, view.top]
    explain = faces_of(view.ruleset).explain
    lines = [line for name in dict.fromkeys(names) if name and (line := explain(name))]
    return [*lines, LEGEND] if any(MARK in line for line in lines) else lines
