"""What anybody may ask about the ladder."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from targi_engine import RULESETS

from targi_server.accounts.store import Accounts, BotAccount
from targi_server.echo import echoed
from targi_server.errors import Invalid, NotFound
from targi_server.ladder.rating import Tally
from targi_server.ladder.results import Page, RatedResults
from targi_server.ladder.standings import Row, Standings, Table
from targi_server.lobby.presence import Presence

__all__ = ["Enquiries", "Profile"]

PAGE: Final = 50
LONGEST_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Profile:
    """One bot: its rows of the table with their ranks, the newest version first."""

    account: BotAccount
    rows: tuple[tuple[int, Row], ...]
    online: bool


class Enquiries:
    """Answers from what was published and counted."""

    def __init__(
        self, results: RatedResults, standings: Standings, accounts: Accounts, presence: Presence
    ) -> None:
        self._results = results
        self._standings = standings
        self._accounts = accounts
        self._presence = presence

    async def standings(self, ruleset: str, season: int = 0) -> tuple[Table, Collection[str]]:
        """The table of a ruleset, and who of it is connected. Raises Invalid, NotFound."""
        if ruleset not in RULESETS:
            raise Invalid(f"no ruleset is called {echoed(ruleset)}; there are {', '.join(RULESETS)}")
        if season:
            raise NotFound(f"there is no season {season}: the open one is 0, and no other is over yet")
        table = await self._standings.table(ruleset)
        return table, await self._presence.those_online({row.rated.player.bot for row in table.rows})

    async def profile(self, bot: str) -> Profile:
        """One bot, with its rows of the first ruleset in which it has any. Raises NotFound."""
        account = await self._accounts.bot(bot)
        online = await self._presence.those_online([bot])
        for ruleset in RULESETS:
            table = await self._standings.table(ruleset)
            own = [(rank, row) for rank, row in enumerate(table.rows, 1) if row.rated.player.bot == bot]
            if own:
                return Profile(account, tuple(await self._newest_first(ruleset, own)), bot in online)
        return Profile(account, (), bot in online)

    async def results(self, bot: str, size: int, token: str) -> Page:
        """Rated pairs of all rulesets. Raises Invalid."""
        if size > LONGEST_PAGE:
            raise Invalid(f"page_size {size}: at most {LONGEST_PAGE} are allowed")
        return await self._results.page(RULESETS, size or PAGE, bot=bot, token=token)

    async def head_to_head(self, bot: str, opponent: str) -> Tally:
        """Pairs of two bots in all rulesets by the first one's score in quarters. Raises NotFound."""
        for name in (bot, opponent):
            await self._accounts.bot(name)
        tallies = [await self._results.head_to_head(ruleset, bot, opponent) for ruleset in RULESETS]
        lost, quarter, half, three, won = map(sum, zip(*tallies, strict=True))
        return lost, quarter, half, three, won

    async def _newest_first(self, ruleset: str, own: list[tuple[int, Row]]) -> list[tuple[int, Row]]:
        versions = (await self._results.lineage(ruleset)).get(own[0][1].rated.player.bot, ())
        return sorted(own, key=lambda ranked: -versions.index(ranked[1].rated.player.version))
