"""A person at the terminal who plays as a bot: the specification `human`."""

from __future__ import annotations

import sys
from typing import TextIO

from targi_engine import Observation, PlayerView

from targi_sdk.bot import Action, Bot, End, Turn, action_of
from targi_sdk.errors import ChoiceError, SdkError

__all__ = ["HumanBot", "InputEndedError"]

CELL_WIDTH = 22
SEATS = ("you", "opponent")


class InputEndedError(SdkError):
    """Standard input ended before the game did."""


class HumanBot(Bot):
    """Asks on the terminal. The position goes to standard error, so that results can still be piped."""

    version = "1.0"
    rulesets = ("base", "expansion", "mixed")
    in_process = True

    def __init__(self) -> None:
        self._in: TextIO = sys.stdin
        self._out: TextIO = sys.stderr
        self._shown = -1

    def choose(self, turn: Turn) -> Action:
        if turn.observation.turn != self._shown:
            self._shown = turn.observation.turn
            self._print("", *position(turn.observation, turn.seat))
        self._print(f"{turn.decision}: {menu(turn)}")
        while True:
            try:
                return self._read(turn)
            except ChoiceError as error:
                self._print(f"{error}")

    def on_end(self, end: End) -> None:
        self._print(f"{end.result} ({end.termination}), you were seat {end.seat}, scores {end.scores}")

    def _read(self, turn: Turn) -> Action:
        """One answer: an action's notation, or its place in the menu."""
        print("> ", end="", file=self._out, flush=True)
        line = self._in.readline()
        if not line:
            raise InputEndedError("standard input ended before the game did")
        word = line.strip()
        if word.isdecimal() and 1 <= int(word) <= len(turn.legal):
            return turn.legal[int(word) - 1]
        return action_of(turn, word)

    def _print(self, *lines: str) -> None:
        print(*lines, sep="\n", file=self._out)


def menu(turn: Turn) -> str:
    """The legal actions in notation, each after its number from 1."""
    return "  ".join(f"{number} {turn.name(action)}" for number, action in enumerate(turn.legal, start=1))


def position(view: Observation, seat: int) -> list[str]:
    """Lines that show what lies on the table to the player on a seat."""
    lines = [f"Round {view.round}, seat {view.first} first, Robber on {view.robber}"]
    if view.targia is not None:
        dunes = " ".join(card or "-" for card in view.dunes)
        lines.append(f"Targia on {view.targia}, dunes {dunes}, top card {view.top or '-'}")
    names = [name or "-" for name in view.centre_names]
    lines += ["  " + "".join(name.ljust(CELL_WIDTH) for name in names[row : row + 3]) for row in (0, 3, 6)]
    for side, who in zip((seat, 1 - seat), SEATS, strict=True):
        lines += _side(who, view.players[side])
    if view.revealed:
        lines.append(f"turned up: {' '.join(view.revealed)}")
    return [line.rstrip() for line in lines]


def _side(who: str, player: PlayerView) -> list[str]:
    stock = {
        "dates": player.dates,
        "salt": player.salt,
        "pepper": player.pepper,
        "gold": player.gold + player.stored_gold,
        "water": player.water,
        "VP": player.vp,
    }
    held = ", ".join(f"{count} {kind}" for kind, count in stock.items() if count) or "nothing"
    display = " / ".join(" ".join(row) or "-" for row in player.display)
    figures = " ".join(map(str, (*player.targis, *(f"d{slot}" for slot in player.dune_targis))))
    markers = " ".join(f"c{cell}" for cell in player.markers)
    return [
        f"{who}: {held}; Targis {figures or '-'}; markers {markers or '-'}",
        f"  hand {' '.join(player.hand) or '-'}; display {display}",
    ]
