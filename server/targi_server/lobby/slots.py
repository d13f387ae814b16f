"""What a bot holds: places for matches, running matches, and ends that it was not told of yet.

A place belongs to an offer, and to both games of its pair. The match header is the truth; this is an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from targi_server.errors import Limit, NotAvailable, ServerError
from targi_server.lobby.limits import ChallengeLimits
from targi_server.match.versions import EDITION
from targi_server.store.commands import Commands, Reply
from targi_server.store.keys import bot_keys, lobby_keys
from targi_server.store.replies import number, rows, texts

__all__ = ["Held", "Slots"]

KEPT_ENDS = 256
"""Ends that are kept for a bot that does not come to hear of them."""
KEPT_FAULTS = 50
OLD_TOKEN, KEPT_FOR_LADDER, NO_MORE_OF_THIS_OWNER = -1, -2, -3
"""Answers of reserve.lua."""


@dataclass(frozen=True, slots=True)
class Held:
    """What one bot holds."""

    offers: tuple[str, ...]
    """Offers for which a place is reserved; not every one of them is open (see Offers.load)."""
    matches: tuple[str, ...]
    """Running matches; one whose header does not exist (yet) is not to be shown."""
    ends: tuple[str, ...]
    """Finished matches whose end the bot was not told, the oldest first."""
    places: tuple[str, ...] = ()
    """Offers to which the running matches belong, in the order of `matches`."""

    def __bool__(self) -> bool:
        return bool(self.offers or self.matches or self.ends)

    @property
    def used(self) -> int:
        """How many places are taken."""
        return len(self.offers) + len(self.matches)


class Slots:
    """The places of all bots. Ends that a bot was not told are kept for `ends_s` seconds."""

    def __init__(
        self,
        commands: Commands,
        *,
        max_capacity: int,
        ends_s: int = 7 * 86_400,
        limits: ChallengeLimits = ChallengeLimits(),  # noqa: B008 (it never changes)
    ) -> None:
        self._commands = commands
        self._limits = limits
        self._most = max_capacity
        self._ends_s = ends_s

    async def held(self, bots: Iterable[str]) -> Mapping[str, Held]:
        """What each bot holds now, in one pipeline: what a replica compares with its tables each second."""
        names = list(bots)
        calls = [((keys.slots, keys.ends), ()) for keys in map(bot_keys, names)]
        replies = await self._commands.scripts("held", calls)
        return dict(zip(names, map(_held, replies), strict=True))

    async def told(self, bot: str, match_id: str) -> None:
        """Says that the bot got the MatchEnded of this match."""
        keys = bot_keys(bot)
        await self._commands.script("told", [keys.slots, keys.ends], [match_id])

    async def reserve(
        self,
        bot: str,
        offer_id: str,
        *,
        for_ms: int,
        token: int = 0,
        edition: str = EDITION,
        challenger: str = "",
    ) -> int:
        """Reserves a place for an offer for some time, and returns since when, in ms.

        `token` is the matchmaker's, 0 for anybody else; `challenger` the owner that challenges the bot, empty
        where that is its own. Raises NotAvailable for a bot that is away, leaving, retired, full, keeping its
        places for the ladder, or connected where that edition is not played, and for a token that is older
        than another's; Limit for an owner that challenges the bot too often.
        """
        keys = bot_keys(bot)
        reply = await self._commands.script(
            "reserve",
            [keys.slots, lobby_keys(bot).online, keys.account],
            [bot, offer_id, token, for_ms, self._most, edition, challenger, *self._limits[2:]],
        )
        at_ms = number(reply)
        if at_ms <= 0:
            raise self._refusal(at_ms, bot, token)
        return at_ms

    def _refusal(self, code: int, bot: str, token: int) -> ServerError:
        """What the answers of reserve.lua mean that are no time."""
        _, _, percent, most = self._limits
        if code == NO_MORE_OF_THIS_OWNER:
            return Limit(
                f"{most} challenges of your bots with the bot {bot!r} are open or running, and there may be"
                " no more at a time: wait until one is over"
            )
        if code == KEPT_FOR_LADDER:
            return NotAvailable(
                f"the bot {bot!r} has no place left for challenges of others: it keeps {percent} % of its"
                " places, and one at least, for the ladder; try again later"
            )
        if code == OLD_TOKEN:
            return NotAvailable(f"matchmaker's token {token} is old: another replica leads")
        return NotAvailable(
            f"the bot {bot!r} is not connected where these rules are played, takes nothing new, or plays"
            " all it can"
        )

    async def free(self, bot: str, offer_id: str, *, fault: bool) -> None:
        """Gives a reserved place back; `fault` is counted against the bot, once an offer."""
        keys = bot_keys(bot)
        await self._commands.script("free", [keys.slots, keys.faults], [offer_id, int(fault), KEPT_FAULTS])

    async def seat(self, bot: str, offer_id: str, *, over: str = "", starts: str = "") -> None:
        """On the place of an offer, a match is over, or one starts, or both; no match, no place."""
        keys = bot_keys(bot)
        arguments = (offer_id, over, starts, KEPT_ENDS, self._ends_s)
        await self._commands.script("seat", [keys.slots, keys.ends], arguments)


def _held(reply: Reply) -> Held:
    return Held(*(tuple(texts(part)) for part in rows(reply)))
