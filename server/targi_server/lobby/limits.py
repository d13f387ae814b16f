"""What challengers may ask of the bots of others, so that none of them takes a bot from the ladder."""

from __future__ import annotations

from typing import NamedTuple

from targi_server.errors import Invalid
from targi_server.lobby.terms import Times
from targi_server.settings import Settings

__all__ = ["ChallengeLimits"]


class ChallengeLimits(NamedTuple):
    """Limits of challenges; the defaults are those of the server."""

    base_ms: int = 3_600_000
    increment_ms: int = 60_000
    """Longest clock that may be asked for."""
    ladder_percent: int = 50
    """Part of a ladder bot's places that challenges of other owners leave free, one at least; 0: none."""
    of_one_owner: int = 4
    """Challenges, open or running, of one owner with one bot of another."""

    @classmethod
    def of(cls, settings: Settings) -> ChallengeLimits:
        """Those that the operator chose."""
        return cls(
            settings.challenge_base_ms,
            settings.challenge_increment_ms,
            settings.ladder_percent,
            settings.challenges_per_owner,
        )

    def checked(self, times: Times) -> Times:
        """The times that a challenger asks for. Raises Invalid for a clock that is too long."""
        for name, asked, most in (
            ("base_ms", times.base_ms, self.base_ms),
            ("increment_ms", times.increment_ms, self.increment_ms),
        ):
            if asked > most:
                raise Invalid(f"{name} {asked}: challenges may ask for {most} at most on this server")
        return times
