"""What administrators may do: each act is one method, and is noted in the log of acts."""

from __future__ import annotations

from targi_server.accounts.store import Accounts
from targi_server.admin.aborts import Aborts
from targi_server.admin.audit import Administrator, Audit, checked_reason
from targi_server.admin.bans import Bans
from targi_server.admin.drains import Drains
from targi_server.ladder.pauses import Pauses

__all__ = ["Administration"]


class Administration:
    """`by` is who acts. A `reason` is kept in the log and shown to those concerned; it may be empty.

    Methods with a reason raise Invalid for one that is too long.
    """

    def __init__(
        self, audit: Audit, pauses: Pauses, aborts: Aborts, bans: Bans, drains: Drains, accounts: Accounts
    ) -> None:
        self._audit = audit
        self._pauses = pauses
        self._aborts = aborts
        self._bans = bans
        self._drains = drains
        self._accounts = accounts

    async def pause(self, by: Administrator, ruleset: str, reason: str) -> None:
        """No new rated pairs in a ruleset, or in all for an empty name. Raises Invalid."""
        reason = checked_reason(reason)
        async with self._audit.of(by, "PausePairing", ruleset, reason):
            await self._pauses.pause(ruleset, reason)

    async def resume(self, by: Administrator, ruleset: str) -> None:
        """Rated pairs again in a ruleset, or in all for an empty name. Raises Invalid."""
        async with self._audit.of(by, "ResumePairing", ruleset):
            await self._pauses.resume(ruleset)

    async def abort(self, by: Administrator, match_id: str, reason: str) -> None:
        """Ends a running match without a contest; its pair is void. Raises UnknownMatch, MatchOver."""
        reason = checked_reason(reason)
        async with self._audit.of(by, "AbortMatch", match_id, reason):
            await self._aborts.abort(match_id, reason)

    async def ban(self, by: Administrator, bot: str, reason: str) -> None:
        """Bans a bot, which resigns its matches. Raises NotFound."""
        reason = checked_reason(reason)
        async with self._audit.of(by, "BanBot", bot, reason):
            await self._bans.ban(bot, reason)

    async def unban(self, by: Administrator, bot: str) -> None:
        """Lifts a ban. Raises NotFound."""
        async with self._audit.of(by, "UnbanBot", bot):
            await self._bans.unban(bot)

    async def drain(self, by: Administrator, replica: str) -> str:
        """Empties a replica of streams, the one that answers for an empty name; its name. Raises NotFound."""
        async with self._audit.of(by, "Drain", replica or self._drains.replica):
            return await self._drains.ask(replica)

    async def create_token(self, by: Administrator, admin: str) -> str:
        """A token for an administrator; an older one of that name is invalid from then on. Raises Invalid."""
        async with self._audit.of(by, "CreateAdminToken", admin):
            return await self._accounts.create_admin(admin)

    async def revoke_token(self, by: Administrator, admin: str) -> None:
        """Takes an administrator's token away. Raises NotFound, Invalid for one's own."""
        async with self._audit.of(by, "RevokeAdminToken", admin):
            await self._accounts.revoke_admin(admin, by.name)
