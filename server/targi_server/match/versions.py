"""Which matches this process can play: those of its rules, with actions and cards that it knows.

Servers of several versions may share one store. What is dealt by one edition (a rules version with a
vocabulary version) is offered to bots that are connected to servers of that edition, and only the newest that
is there deals. Each server takes part only in what it can replay; all else is left to one that can.
"""

from __future__ import annotations

from typing import Final, Protocol

from targi_engine import RULES, VOCABULARY, EngineError, ruleset

__all__ = ["EDITION", "Played", "edition_of", "is_replayable", "objection"]

EDITION: Final = f"{RULES}.{VOCABULARY}"
"""That of this process."""


class Played(Protocol):
    """What says how a match is played: its header, or the terms of its offer."""

    @property
    def rules(self) -> int:
        """Version of the rules."""

    @property
    def vocabulary(self) -> int:
        """Version of the actions' ids."""

    @property
    def ruleset(self) -> str:
        """Name of the ruleset."""

    @property
    def variants(self) -> str:
        """In record notation."""

    @property
    def cards_hash(self) -> str:
        """Of the effective card set."""


def edition_of(played: Played) -> str:
    """The edition that dealt it."""
    return f"{played.rules}.{played.vocabulary}"


def is_replayable(played: Played) -> bool:
    """Whether the engine of this process plays it as it was dealt."""
    return not objection(played)


def objection(played: Played) -> str:
    """Why the engine of this process cannot play it, in words about "it"; empty if it can.

    A vocabulary grows at its end only, so an older one is no obstacle.
    """
    if played.rules != RULES:
        return f"it has rules version {played.rules}, this server {RULES}"
    if played.vocabulary > VOCABULARY:
        return f"it has vocabulary version {played.vocabulary}, this server {VOCABULARY}"
    try:
        known = ruleset(played.ruleset, played.variants)
    except EngineError as error:
        return f"this server cannot play it: {error}"
    if known.cards_hash != played.cards_hash:
        return f"it has the card set {played.cards_hash[:8]}.., this server {known.cards_hash[:8]}.."
    return ""
