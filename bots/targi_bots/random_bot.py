"""A bot that takes any legal action."""

from __future__ import annotations

from targi_sdk.bot import Action, Bot, Turn

__all__ = ["RandomBot"]


class RandomBot(Bot):
    """Picks evenly among the legal actions."""

    version = "1.0"
    rulesets = ("base", "expansion", "mixed")
    in_process = True

    def choose(self, turn: Turn) -> Action:
        return turn.rng.choice(turn.legal)
