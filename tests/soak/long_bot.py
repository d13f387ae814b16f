"""A bot for the soak that makes games as long as it can."""

from __future__ import annotations

from prolonging import prolong
from targi_sdk.bot import Bot, Turn


class LongBot(Bot):
    """Takes of what it may do what leads to most decisions."""

    name = "long"
    version = "1.0"

    def choose(self, turn: Turn) -> int:
        view = turn.observation
        cards = sum(map(len, view.players[turn.seat].display))
        return prolong(turn.legal, cards, view.round, turn.rng)
