"""Unrated matches that somebody asks for: an offer to both bots, which accept it like any other."""

from __future__ import annotations

from dataclasses import dataclass, field

from targi_server.accounts.identity import Identity, TokenKind
from targi_server.accounts.store import Accounts
from targi_server.echo import echoed
from targi_server.errors import Forbidden, Invalid, NotAvailable, Unimplemented
from targi_server.lobby.limits import ChallengeLimits
from targi_server.lobby.lobby import Lobby
from targi_server.lobby.offer import Offer
from targi_server.lobby.presence import OWN, Online
from targi_server.lobby.terms import Terms, Times, terms
from targi_server.match.model import Kind
from targi_server.match.versions import EDITION

__all__ = ["Challenges", "Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a challenger asks for."""

    challenger: str
    """Name of a bot; empty: the bot whose token it is."""
    opponent: str
    ruleset: str = "base"
    variants: str = ""
    times: Times | None = None
    """None: the server's."""
    mirrored: bool = False
    """Two games from one opening, seats swapped."""
    seeds: tuple[bytes, ...] = field(default=(), repr=False)
    """One a game, or none: the server's scheme."""
    opening: bytes | None = field(default=None, repr=False)
    debug: bool = False
    """Both bots may stop their own clocks."""


class Challenges:
    """Makes offers of unrated matches; `times` are the server's."""

    def __init__(
        self,
        lobby: Lobby,
        accounts: Accounts,
        times: Times,
        limits: ChallengeLimits = ChallengeLimits(),  # noqa: B008 (it never changes)
    ) -> None:
        self._lobby = lobby
        self._accounts = accounts
        self._times = times
        self._limits = limits

    async def send(self, wanted: Wanted, by: Identity) -> Offer:
        """Offers the match to both bots; its challenger has seat 0 of game 1.

        Raises Forbidden, NotFound, Invalid, NotAvailable, Limit, and Unimplemented for one to anybody.
        """
        if not wanted.opponent:
            raise Unimplemented("challenges to anybody come with a later version: name an opponent")
        challenger = await self._challenger(wanted, by)
        if challenger == wanted.opponent:
            raise Invalid(f"the bot {challenger!r} cannot challenge itself")
        asked = self._terms(wanted)
        first = await self._player(challenger, asked.ruleset)
        second = await self._player(wanted.opponent, asked.ruleset)
        if not second.takes_challenge_of(first.owner):
            whose = "of bots of its own owner only" if second.challenges == OWN else "of nobody"
            raise NotAvailable(f"the bot {second.bot!r} takes challenges {whose}")
        return await self._lobby.offers.make(asked, (first.bot, second.bot), (first.owner, second.owner))

    async def _challenger(self, wanted: Wanted, by: Identity) -> str:
        if by.kind is TokenKind.BOT:
            if wanted.challenger not in ("", by.bot):
                raise Forbidden(
                    f"this token is for {by.bot!r}: it cannot challenge for {echoed(wanted.challenger)}"
                )
            return by.bot
        account = await self._accounts.bot(wanted.challenger)
        if account.owner != by.owner:
            raise Forbidden(f"the bot {account.bot!r} is not yours: challenge with one of your own")
        return account.bot

    async def _player(self, bot: str, ruleset: str) -> Online:
        session = (await self._lobby.presence.those_online([bot])).get(bot)
        if session is None:
            raise NotAvailable(f"the bot {echoed(bot)} is not connected")
        if session.edition != EDITION:
            raise NotAvailable(
                f"the bot {bot!r} plays by other rules than this server: it can challenge elsewhere"
            )
        if ruleset not in session.rulesets:
            plays = ", ".join(session.rulesets)
            raise NotAvailable(f"the bot {bot!r} does not play {echoed(ruleset)}; it plays {plays}")
        return session

    def _terms(self, wanted: Wanted) -> Terms:
        return terms(
            Kind.MIRRORED if wanted.mirrored else Kind.SINGLE,
            wanted.ruleset,
            self._times if wanted.times is None else self._limits.checked(wanted.times),
            variants=wanted.variants,
            hold_allowed=wanted.debug,
            seeds=wanted.seeds,
            opening=wanted.opening,
        )
