"""Why the ladder does not pair a bot at the moment, in words for its owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from targi_server.accounts.identity import Identity
from targi_server.accounts.store import Accounts, BotAccount
from targi_server.echo import echoed
from targi_server.errors import NotFound
from targi_server.ladder.pairing import Candidate
from targi_server.ladder.pairs import Pairs
from targi_server.ladder.pauses import Pauses
from targi_server.lobby.presence import Online, Presence
from targi_server.match.versions import EDITION
from targi_server.settings import Settings

__all__ = ["Obstacles"]

_OFF: Final = "this server makes no rated pairs (--no-pairing)"
_AWAY: Final = "it is not connected: start it with `targi bot run`"
_OFF_LADDER: Final = "it keeps itself off the ladder: its Hello says so (`targi bot run --no-ladder`)"
_LEAVES: Final = "it takes nothing new: it said Leave, and finishes what it plays"
_ELDER: Final = "it is connected to a server of other rules: servers of the newest rules make the pairs"
_ALONE: Final = (
    "no bot of another owner that plays a ruleset of its own is on the ladder with a free place;"
    " bots of one owner never meet"
)


class Obstacles:
    """Looks at what the matchmaker looks at."""

    def __init__(
        self, pairs: Pairs, accounts: Accounts, pauses: Pauses, presence: Presence, settings: Settings
    ) -> None:
        self._pairs = pairs
        self._accounts = accounts
        self._pauses = pauses
        self._presence = presence
        self._pairing = settings.pairing

    async def of(self, bot: str, by: Identity) -> list[str]:
        """What stands in the way of a bot; nothing if it may be paired any moment.

        Raises NotFound for a bot that is not that of `by`, who may be its owner, itself or an administrator.
        """
        account = await self._accounts.bot(bot)
        if not by.is_admin and by.owner != account.owner:
            raise NotFound(f"owner {by.owner!r} has no bot {echoed(bot)}")
        found = [*([] if self._pairing else [_OFF]), *_of_account(account)]
        session = await self._presence.of(bot)
        if session is None:
            return [*found, _AWAY]
        found += [*_of_session(session), *_of_pauses(session, await self._pauses.paused())]
        return found or self._of_others(bot, await self._pairs.candidates())

    def _of_others(self, bot: str, candidates: list[Candidate]) -> list[str]:
        own = next((each for each in candidates if each.bot == bot), None)
        if own is None:  # it left meanwhile
            return [_AWAY]
        if not own.free:
            return [
                "all of its places are taken: it is paired again when a pair is over, or with more capacity"
            ]
        met = (each for each in candidates if each.free and each.bot != bot and own.may_meet(each))
        return [] if any(set(own.rulesets) & set(each.rulesets) for each in met) else [_ALONE]


def _of_account(account: BotAccount) -> Iterator[str]:
    if account.banned:
        yield f"an administrator banned it: {account.banned}"
    if account.retired:
        yield "it is retired: nothing new starts for it"
    if not account.active:
        yield "its token was taken away: make a new one with `targi bot token`"


def _of_session(session: Online) -> Iterator[str]:
    if not session.ladder:
        yield _OFF_LADDER
    if session.leaving:
        yield _LEAVES
    if session.edition != EDITION:
        yield _ELDER


def _of_pauses(session: Online, paused: Mapping[str, str]) -> Iterator[str]:
    """Only where nothing is left: a bot that plays other rulesets is paired in those."""
    if set(session.rulesets) <= set(paused):
        for name in session.rulesets:
            why = f": {paused[name]}" if paused[name] else ""
            yield f"an administrator paused the pairs of {name}{why}"
