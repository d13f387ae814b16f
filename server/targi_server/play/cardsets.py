"""Effective card sets by their hash."""

from __future__ import annotations

from targi_engine import RULESETS, effective_json, ruleset

from targi_server.echo import echoed
from targi_server.errors import NotFound

__all__ = ["CardSets"]

MOST = 256
"""Sets with variants that are remembered; nobody can fill the memory with them."""


class CardSets:
    """The plain rulesets' card sets, and those with variants that were offered or played here."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, str]] = {}

    def learn(self, cards_hash: str, name: str, variants: str) -> None:
        """Remember which ruleset has that hash."""
        self._known.pop(cards_hash, None)
        self._known[cards_hash] = (name, variants)
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    def json(self, cards_hash: str) -> bytes:
        """The set as canonical JSON. Raises NotFound."""
        for name in RULESETS:
            if ruleset(name).cards_hash == cards_hash:
                return effective_json(ruleset(name))
        if cards_hash not in self._known:
            words = f"no card set with the hash {echoed(cards_hash)} is played here: give that of an Offer"
            raise NotFound(words)
        return effective_json(ruleset(*self._known[cards_hash]))
