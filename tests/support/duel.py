"""A match between two raw clients, and the same game in this process beside it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from targi.v1 import play_pb2
from targi_engine import ACTIONS, State

if TYPE_CHECKING:  # it makes duels
    from play_client import PlayClient


@dataclass
class Duel:
    """A match between two connected bots, and the same game in this process beside it."""

    match_id: str
    clients: list[PlayClient]
    state: State
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def mover(self) -> PlayClient:
        """The bot that is to move."""
        return self.clients[self.state.current_seat]

    @property
    def waiter(self) -> PlayClient:
        """The other one."""
        return self.clients[1 - self.state.current_seat]

    def further(self, length: int) -> list[int]:
        """Actions that are legal one after the other from here."""
        state = self.state.clone()
        actions: list[int] = []
        while len(actions) < length and not state.is_over:
            actions.append(self.rng.choice(state.legal_actions()))
            state.apply(actions[-1])
        return actions

    async def move(self, *actions: int) -> play_pb2.Applied:
        """Let the mover act (at random if nothing is given), and wait until both bots were told."""
        chosen = actions or (self.rng.choice(self.state.legal_actions()),)
        await self.mover.turn(self.match_id)
        links = [ACTIONS[action] for action in chosen] if self.mover.named else chosen
        await self.mover.act(self.match_id, self.state.ply, *links)
        told = [await client.next("applied", self.match_id) for client in self.clients]
        assert told[0] == told[1] or any(client.named for client in self.clients)
        applied: play_pb2.Applied = told[0]
        for action in chosen[: applied.taken]:
            self.state.apply(action)
        assert applied.next_ply == self.state.ply
        return applied

    async def play_out(self) -> list[play_pb2.MatchEnded]:
        """Play at random to the end; how it was told to each."""
        while not self.state.is_over:
            await self.move()
        return [await client.next("match_ended", self.match_id) for client in self.clients]

    async def skip(self, until: Callable[[State], bool]) -> None:
        """Play at random until the position is such."""
        while not until(self.state):
            await self.move()
