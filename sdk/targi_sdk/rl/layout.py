"""Where the planes of a ruleset lie in its tensor."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from targi_engine import Ruleset

from targi_sdk.rl.planes import PLANES, PlaneKind
from targi_sdk.rl.vocabulary import Vocabulary, vocabulary_of

__all__ = ["Layout", "Plane", "layout_of"]


class Plane(NamedTuple):
    """A plane of a tensor."""

    name: str
    offset: int
    shape: tuple[int, ...]
    meaning: str
    kind: PlaneKind

    @property
    def length(self) -> int:
        """Values in the plane."""
        return math.prod(self.shape)

    @property
    def slice(self) -> slice:
        """Its place in the tensor: `tensor[plane.slice].reshape(plane.shape)`."""
        return slice(self.offset, self.offset + self.length)


class Layout:
    """The planes of a ruleset, one behind the other. It depends on the cards, not on variants."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        """Places of card names within planes."""
        self.planes: dict[str, Plane] = {}
        """By name, in order."""
        self.length = 0
        """Values in the tensor."""
        for kind in PLANES:
            if words.expanded or not kind.expanded:
                self._add(kind)

    def _add(self, kind: PlaneKind) -> None:
        plane = Plane(kind.name, self.length, kind.shape(self.words), kind.meaning, kind)
        self.planes[plane.name] = plane
        self.length += plane.length


@lru_cache(maxsize=8)
def layout_of(rules: Ruleset) -> Layout:
    """The layout of a ruleset, made once."""
    return Layout(vocabulary_of(rules))
