"""The bots of one client process, by role."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from load import lateness
from load.bot import Bot
from load.idling import Idlers
from load.pacing import Pace, WarmUp, pace_of
from load.plan import ClientPlan, Pacing, Role
from load.tally import Tally
from load.thinking import ThinkCompany

__all__ = ["COMPANIES", "Company", "IdleCompany", "LoadCompany"]

Json = dict[str, Any]  # JSON values


class Company(Protocol):
    """What the parent wants of a client process."""

    async def play(self, address: str) -> None:
        """Connect and play until cancelled."""

    def state(self) -> Json:
        """How things are now: what is `running`, and how much of it came to something."""

    def obey(self, word: str) -> Json | None:
        """Do what the parent says; what to tell it, if anything."""


class IdleCompany:
    """Bots that are connected and no more."""

    def __init__(self, plan: ClientPlan) -> None:
        self._idlers = Idlers(plan.tokens, plan.first, plan.ruleset)

    async def play(self, address: str) -> None:
        await self._idlers.play(address)

    def state(self) -> Json:
        return {"running": self._idlers.connected}

    def obey(self, word: str) -> Json | None:
        return Tally().seen.encode() if word == "end" else None


class LoadCompany:
    """Bots that play as fast, or as regularly, as they are told."""

    def __init__(self, plan: ClientPlan) -> None:
        self._pacing = Pacing(**plan.options["pacing"])
        self._matches = plan.options["matches"]
        self.tally = Tally()
        self.bots = [
            Bot(
                token,
                number,
                plan.capacity,
                plan.ruleset,
                self.tally,
                self._warm_up(number),
                plan.options["halt_ply"],
            )
            for number, token in enumerate(plan.tokens, plan.first)
        ]

    async def play(self, address: str) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(lateness.watch(lambda due, late_s: self.tally.late(late_s * 1000)))
            for bot in self.bots:
                group.create_task(bot.play(address))

    def state(self) -> Json:
        return {
            "running": sum(len(bot.running) for bot in self.bots),
            "halted": sum(len(bot.halted) for bot in self.bots),
        }

    def obey(self, word: str) -> Json | None:
        return _ORDERS[word](self)

    def go(self) -> None:
        """The warm-up is over."""
        if not self._pacing.rate:
            for bot in self.bots:
                bot.pace = self._pace(bot.number)

    def end(self) -> Json:
        """The window is over."""
        self.tally.end()
        return self.tally.seen.encode()

    def _pace(self, number: int) -> Pace:
        return pace_of(self._pacing, self._matches, random.Random(number))

    def _warm_up(self, number: int) -> Pace:
        """The slow start; an open loop keeps to its plan from the first match on."""
        return self._pace(number) if self._pacing.rate else WarmUp(self._matches, random.Random(number))


_ORDERS: Mapping[str, Callable[[LoadCompany], Json | None]] = {
    "go": LoadCompany.go,
    "begin": lambda company: company.tally.begin(),
    "end": LoadCompany.end,
}
COMPANIES: Mapping[Role, Callable[[ClientPlan], Company]] = {
    "load": LoadCompany,
    "idle": IdleCompany,
    "think": ThinkCompany,
}
