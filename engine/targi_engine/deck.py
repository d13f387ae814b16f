"""A deck with its discard pile, made anew from it when a card is needed and none is left (B5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from targi_engine.randomness import Words


class Deck:
    """Cards from `at` on are still to be drawn, in order; `discard` is in the order of discarding."""

    __slots__ = ("at", "cards", "discard", "label", "packed", "packed_at", "packed_of", "shuffles")

    label: str
    cards: tuple[int, ...]
    at: int
    discard: list[int]
    shuffles: int  # how often the discard was shuffled into a new deck
    packed: bytes  # how an observation tells of the rest, as of `packed_at` of `packed_of` (see snapshot.py)
    packed_at: int
    packed_of: tuple[int, ...]

    def clone(self) -> Deck:
        """A copy that shares nothing that changes."""
        new = Deck()
        new.label = self.label
        new.cards = self.cards
        new.at = self.at
        new.discard = self.discard[:]
        new.shuffles = self.shuffles
        new.packed = self.packed
        new.packed_at = self.packed_at
        new.packed_of = self.packed_of
        return new

    def left(self) -> int:
        """How many cards are still to be drawn before a reshuffle."""
        return len(self.cards) - self.at

    def empty(self) -> bool:
        """Whether no card can be drawn, not even after a reshuffle."""
        return self.at == len(self.cards) and not self.discard

    def draw(self, seed: bytes) -> int:
        """The next card, 0 if there is none; reshuffles the discard if it must (B5.4)."""
        if self.at == len(self.cards):
            if not self.discard:
                return 0
            self.shuffles += 1
            self.cards = tuple(Words(seed, f"{self.label}:{self.shuffles}").shuffled(self.discard))
            self.discard = []
            self.at = 0
        card = self.cards[self.at]
        self.at += 1
        return card

    def rest(self) -> tuple[int, ...]:
        """The cards still to be drawn, in order."""
        return self.cards[self.at :]


def new_deck(label: str, cards: Sequence[int]) -> Deck:
    """A shuffled deck; the label names it in reshuffles."""
    new = Deck()
    new.label = label
    new.cards = tuple(cards)
    new.at = 0
    new.discard = []
    new.shuffles = 0
    new.packed = b""
    new.packed_at = -1
    new.packed_of = ()
    return new
