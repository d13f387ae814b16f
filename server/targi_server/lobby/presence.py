"""Which bots are connected, where, and as what: one session a bot.

A session that is in Redis although its replica died counts for nothing: the replica's beat has run out.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from targi_server import fairness
from targi_server.errors import BadNonce, Replaced, TakeoverLimit
from targi_server.match.versions import EDITION
from targi_server.store.bus import Bus
from targi_server.store.commands import Commands
from targi_server.store.keys import ALL_LOBBIES, lobby_keys, replica_key
from targi_server.store.replies import number, optional, rows, texts

__all__ = ["ALL", "NOBODY", "OWN", "Arrival", "Claim", "Online", "Presence"]

BEAT_MS = 3_000
"""Time after its last beat for which a replica counts as alive."""
ALL, OWN, NOBODY = "all", "own", "none"
"""Whose challenges a bot takes."""
PAUSE_MS = 60_000
"""Least time between two takeovers of one bot."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a Hello says, checked."""

    bot: str
    owner: str
    session: str
    version: str
    capacity: int
    rulesets: tuple[str, ...]
    ladder: bool
    chain_head: bytes
    """Head of the nonce chain, 32 bytes, or empty."""
    edition: str = EDITION
    """Of the rules by which it can play here; empty for a bot that plays by none of this server's."""
    challenges: str = ALL
    """Whose challenges it takes: ALL, OWN or NOBODY."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A session's hold on its bot. A later claim has a higher fence; only the highest holds."""

    bot: str
    session: str
    version: str
    replica: str
    fence: int
    resumed: bool
    """Whether the same session held the bot before."""


@dataclass(frozen=True, slots=True)
class Online:
    """A connected bot."""

    bot: str
    owner: str
    session: str
    version: str
    replica: str
    fence: int
    capacity: int
    rulesets: tuple[str, ...]
    ladder: bool
    leaving: bool
    """It takes nothing new."""
    chain: bytes = field(repr=False)
    """What the next nonce is the preimage of; empty without a chain."""
    bound_ms: int
    """Since when its nonces are bound by that chain."""
    spent_for: str
    """Offer for which the last nonce was used; empty before the first."""
    edition: str
    """Of the rules by which it can play where it is connected, or empty."""
    challenges: str
    """Whose challenges it takes: ALL, OWN (of its own owner's bots) or NOBODY."""

    def takes_challenge_of(self, owner: str) -> bool:
        """Whether it takes a challenge of a bot of that owner."""
        return self.challenges == ALL or (self.challenges == OWN and owner == self.owner)


class Presence:
    """Claims and releases of bots by sessions of all replicas; `replica` is this one."""

    def __init__(self, commands: Commands, bus: Bus, *, replica: str) -> None:
        self._commands = commands
        self._bus = bus
        self._replica = replica

    async def beat(self) -> None:
        """Says that this replica lives: to be called each second, else its bots seem to be gone."""
        await self._commands.command("SET", replica_key(self._replica), 1, "PX", BEAT_MS)

    async def claim(self, arrival: Arrival) -> Claim:
        """Makes this replica's session the one of the bot; an older one hears bus kind "replaced" {"fence"}.

        Raises TakeoverLimit: two takeovers within a minute; Replaced: this session was taken over before.
        """
        old, keys = await self.of(arrival.bot), lobby_keys(arrival.bot)
        reply = rows(
            await self._commands.script(
                "claim",
                [keys.online, keys.claims],
                [
                    arrival.bot,
                    self._packed(arrival),
                    _continued(arrival, old),
                    await self._dead(old),
                    PAUSE_MS,
                ],
            )
        )
        fence, second = number(reply[0]), number(reply[1])
        if not fence and second < 0:
            raise Replaced(
                f"another process took the bot {arrival.bot!r} over from this one: "
                "stop one of them, or start this one anew to take it back"
            )
        if not fence:
            raise TakeoverLimit(
                f"the bot {arrival.bot!r} was taken over less than a minute ago and still answers:"
                f" stop the other process, or try again in {second / 1000:.0f} s"
            )
        if number(reply[3]):
            await self._bus.publish_bot(arrival.bot, "replaced", {"fence": number(reply[3])})
        return Claim(arrival.bot, arrival.session, arrival.version, self._replica, fence, second == 1)

    async def release(self, claim: Claim) -> bool:
        """Gives the bot up when the stream ends; False if a later claim holds it."""
        return await self._amend(claim, "")

    async def leave(self, claim: Claim) -> None:
        """The bot takes nothing new."""
        await self._amend(claim, json.dumps({"leaving": True}))

    async def quiet(self, claim: Claim, quiet: bool) -> None:
        """Says that the stream was silent for a heartbeat, or heard again: call it on changes only.

        Taking over from a quiet stream is no takeover: it counts as dead.
        """
        await self._amend(claim, json.dumps({"quiet": quiet}))

    async def spend(self, claim: Claim, nonce: bytes, offer_id: str) -> int | None:
        """Uses a nonce of the bot's chain for an offer and says since when, in ms, it is bound.

        None for a bot without a chain. Repeating the last call is harmless. Raises BadNonce for one that is
        not the next preimage, Replaced if a later claim holds the bot.
        """
        session = await self.of(claim.bot)
        if session is None or session.fence != claim.fence:
            raise Replaced(f"a newer session of {claim.bot!r} took over")
        if not session.chain:
            return None
        if (nonce, offer_id) == (session.chain, session.spent_for):
            return session.bound_ms
        if not fairness.is_preimage(nonce, session.chain):
            raise BadNonce("the nonce is not the next preimage of the chain that Hello announced")
        fields = json.dumps({"chain": nonce.hex(), "spent_for": offer_id})
        if not await self._amend(claim, fields, session.chain.hex()):
            await self._check_spent(claim, nonce, offer_id)
        return session.bound_ms

    async def fences(self, bots: Iterable[str]) -> Mapping[str, int]:
        """Fence that holds each bot now (0: none); a local session with another one was replaced."""
        names = list(bots)
        replies = await self._commands.commands([("HGET", lobby_keys(name).online, name) for name in names])
        held = zip(names, map(optional, replies), strict=True)
        return {name: json.loads(packed)["fence"] if packed else 0 for name, packed in held}

    async def of(self, bot: str) -> Online | None:
        """The bot's session as it stands in Redis, also that of a replica that is dead."""
        packed = optional(await self._commands.command("HGET", lobby_keys(bot).online, bot))
        return None if packed is None else _unpacked(packed)

    async def those_online(self, bots: Iterable[str]) -> Mapping[str, Online]:
        """Those of the bots that are connected to a replica that lives."""
        names = list(bots)
        replies = await self._commands.commands([("HGET", lobby_keys(name).online, name) for name in names])
        found = [_unpacked(packed) for packed in map(optional, replies) if packed]
        return {session.bot: session for session in await self._living(found)}

    async def online(self) -> list[Online]:
        """All bots that are connected to a replica that lives, by name."""
        replies = await self._commands.commands([("HVALS", keys.online) for keys in ALL_LOBBIES])
        sessions: list[Online] = []
        for reply in replies:
            sessions += map(_unpacked, texts(reply))
            await asyncio.sleep(0)  # a crowd takes a while to read: others get their turn meanwhile
        return sorted(await self._living(sessions), key=lambda session: session.bot)

    async def _living(self, sessions: Sequence[Online]) -> list[Online]:
        alive = await self._alive({session.replica for session in sessions})
        return [session for session in sessions if session.replica in alive]

    async def _alive(self, replicas: Iterable[str]) -> set[str]:
        names = sorted(replicas)
        beats = await self._commands.commands([("EXISTS", replica_key(name)) for name in names])
        return {name for name, beat in zip(names, beats, strict=True) if beat}

    async def _dead(self, old: Online | None) -> str:
        """Replica of the old session if it is dead, else empty."""
        return "" if old is None or await self._alive([old.replica]) else old.replica

    async def _amend(self, claim: Claim, fields: str, chain: str = "-") -> bool:
        reply = await self._commands.script(
            "amend", [lobby_keys(claim.bot).online], [claim.bot, claim.fence, fields, chain]
        )
        return number(reply) == 1

    async def _check_spent(self, claim: Claim, nonce: bytes, offer_id: str) -> None:
        """Raises BadNonce unless the nonce went to this offer: a command that broke off may have done it."""
        now = await self.of(claim.bot)
        if now is None or (now.chain, now.spent_for) != (nonce, offer_id):
            raise BadNonce("another Ready used this nonce: each takes the next preimage of the chain")

    def _packed(self, arrival: Arrival) -> str:
        fields = {
            "bot": arrival.bot,
            "owner": arrival.owner,
            "session": arrival.session,
            "version": arrival.version,
            "replica": self._replica,
            "capacity": arrival.capacity,
            "rulesets": arrival.rulesets,
            "ladder": arrival.ladder,
            "chain": arrival.chain_head.hex(),
            "edition": arrival.edition,
            "challenges": arrival.challenges,
        }
        return json.dumps(fields, separators=(",", ":"))


def _continued(arrival: Arrival, old: Online | None) -> str:
    """State of the same session's chain, if the head that it announces now lies on it."""
    if old is None or old.session != arrival.session or not old.chain:
        return ""
    return old.chain.hex() if fairness.continues(arrival.chain_head, old.chain) else ""


def _unpacked(packed: str) -> Online:
    fields = json.loads(packed)
    return Online(
        bot=fields["bot"],
        owner=fields["owner"],
        session=fields["session"],
        version=fields["version"],
        replica=fields["replica"],
        fence=fields["fence"],
        capacity=fields["capacity"],
        rulesets=tuple(fields["rulesets"]),
        ladder=fields["ladder"],
        leaving=fields["leaving"],
        chain=bytes.fromhex(fields["chain"]),
        bound_ms=fields["chain_since"],
        spent_for=fields["spent_for"],
        edition=fields["edition"],
        challenges=fields.get("challenges", ALL),  # an older server does not say
    )
