"""What a bot holds: places for matches, running matches, and ends that it was not told of yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Held", "Slots"]


@dataclass(frozen=True, slots=True)
class Held:
    """What one bot holds."""

    offers: tuple[str, ...]
    """Offers for which a place is reserved; not every one of them is open (see Offers.load)."""
    matches: tuple[str, ...]
    """Running matches; one whose header does not exist (yet) is not to be shown."""
    ends: tuple[str, ...]
    """Finished matches whose end the bot was not told."""


class Slots:
    """The index of matches by bot. The match header is the truth."""

    async def held(self, bots: Iterable[str]) -> Mapping[str, Held]:
        """What each bot holds now, in one pipeline: what a replica compares with its tables each second."""
        raise NotImplementedError

    async def told(self, bot: str, match_id: str) -> None:
        """Says that the bot got the MatchEnded of this match."""
        raise NotImplementedError
