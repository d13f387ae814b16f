"""Hostile bots send frames and calls of every kind to a server on which good bots play: `make fuzz-play`.

    python tests/soak/play_fuzz.py [--frames 100000] [--calls 20000] [--bots 8] [--seed 1]

The run ends with 1 if anything was not in order: an exception in the server's log, a stream or call that
ended with an undocumented status, a match in which the server failed, a neighbour who was refused, charged or
ended wrongly, memory or keys that grew between the first fifth of the frames and the last. A seed gives the
same bots with the same intentions; what they meet depends on timing.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc.aio
from arena_api import api
from arena_process import Arena, arena
from call_fuzz import Caller, CallTally
from hostile import Hostile
from hostile_stream import ENDS, Tally
from neighbourhood import NAMES, Neighbours, neighbours
from play_client import bearer, reason_of
from server_state import Snapshot, complaints, growth, play_codes, snapshot, warnings
from targi.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    game_pb2,
    lobby_service_pb2,
    lobby_service_pb2_grpc,
)

SETTLE_S: Final = 120.0
CHALLENGE_S: Final = 0.05
CALLERS: Final = 8
CHALLENGERS: Final = 4
FLAGS: Final = (
    *("--registrations-per-hour", "100000", "--calls-per-second", "100000", "--no-pairing"),
    *("--disconnect-budget-ms", "3000", "--offer-ms", "3000", "--init"),
)
CODES: Final = frozenset({"CANCELLED", *(code for code, _ in ENDS)})
"""Statuses of Play streams that the server may count: its own, and that of streams that were broken off."""
KINDS: Final = ("", "admin", "owner", "bot")
"""Kinds of accounts whose tokens are shown in calls; "" for none."""
ADMIN_TOKEN: Final = re.compile(r"targi_admin_\S+")


class Plan(NamedTuple):
    """What is to be done."""

    frames: int
    calls: int
    bots: int
    seed: int
    looks: tuple[float, ...] = (0.2, 1.0)
    """Parts of the frames after which the server is looked at: it must not have grown."""
    quiet_matches: int = 2
    """Matches of the neighbours before anybody disturbs them."""
    think_ms: float = 20.0


@dataclass
class Fuzz:
    """A server, the hostile bots on it, and what was found."""

    server: Arena
    bots: list[Hostile]
    tally: Tally
    beside: Neighbours
    marks: tuple[int, int] = (0, 0)
    """How many matches the neighbours had played before the frames, and before the calls."""
    calls: CallTally = field(default_factory=CallTally)
    snapshots: list[Snapshot] = field(default_factory=list)

    async def frames(self, wanted: int) -> None:
        """Let the bots send frames until so many were read in all."""
        self.tally.wanted = wanted
        others = [
            asyncio.create_task(self._challenge(random.Random(number))) for number in range(CHALLENGERS)
        ]
        others.append(asyncio.create_task(self._point_at_neighbours()))
        try:
            await asyncio.gather(*(bot.run() for bot in self.bots))
        finally:
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    async def look(self) -> None:
        """Look at the server once it is at rest."""
        await self._settle()
        self.snapshots.append(snapshot(self.server))

    async def call(self, wanted: int, tokens: dict[str, str], seed: int) -> None:
        """Make so many calls."""
        self.calls.wanted = wanted
        names = [bot.name for bot in self.bots]
        over = [match_id for bot in self.bots for match_id in bot.known.over]
        words = (*names, *(f"owner-{name}" for name in names), *over, "base", "expansion", "root", "seats")
        async with grpc.aio.insecure_channel(self.server.address) as channel:
            callers = [
                Caller(channel, tokens, words, random.Random(f"{seed} caller {number}"), self.calls)
                for number in range(CALLERS)
            ]
            await asyncio.gather(*(caller.run() for caller in callers))

    async def _challenge(self, rng: random.Random) -> None:
        """Let the bots challenge each other, again and again."""
        async with grpc.aio.insecure_channel(self.server.address) as channel:
            lobby: Any = lobby_service_pb2_grpc.LobbyServiceStub(channel)  # its async form has no type
            while True:
                first, second = rng.sample(self.bots, 2)
                try:
                    await lobby.Challenge(challenge(rng, second.name), metadata=bearer(first.token))
                    self.tally.heard["challenges"] += 1
                except grpc.aio.AioRpcError as error:
                    self.tally.refused["to challenge"] += 1
                    if reason_of(error) not in ("NOT_AVAILABLE", "LIMIT"):
                        self.tally.faults.append(f"Challenge answered {error.code()}: {error.details()}")
                await asyncio.sleep(CHALLENGE_S)

    async def _point_at_neighbours(self) -> None:
        """Tell the bots which match of others runs."""
        while True:
            for bot in self.bots:
                bot.known.foreign = tuple(self.beside.running[-1:])
            async with self.beside.more:
                await self.beside.more.wait()

    async def _settle(self) -> None:
        """Wait until the matches of the hostile bots have ended without them."""
        end = time.monotonic() + SETTLE_S
        with api(self.server.address) as calls:
            while len(left := calls.running()) > 1:
                if time.monotonic() > end:
                    self.tally.faults.append(
                        f"{len(left)} matches run {SETTLE_S:.0f} s after their bots went"
                    )
                    return
                await asyncio.sleep(0.5)


def challenge(rng: random.Random, opponent: str) -> lobby_service_pb2.ChallengeRequest:
    """A challenge on terms of every kind, with times that are soon over."""
    control = game_pb2.TimeControl(
        base_ms=rng.choice((500, 20_000, 60_000)), increment_ms=rng.choice((0, 500))
    )
    return lobby_service_pb2.ChallengeRequest(
        opponent=opponent,
        ruleset=rng.choice(("base", "base", "expansion", "mixed")),
        time_control=control,
        mirrored=rng.random() < 0.2,
        debug=rng.random() < 0.3,
    )


async def fuzz(server: Arena, plan: Plan) -> Fuzz:
    """Run all of it."""
    names = [f"hostile-{number}" for number in range(plan.bots)]
    tokens = register(server, names)
    tally = Tally()
    bots = [
        Hostile(name, server.address, tokens[name], random.Random(f"{plan.seed} {name}"), tally)
        for name in names
    ]
    async with neighbours(server.address, [tokens[name] for name in NAMES], plan.think_ms) as beside:
        fuzzed = Fuzz(server, bots, tally, beside)
        await beside.played(plan.quiet_matches)
        for part in plan.looks:
            await fuzzed.frames(int(plan.frames * part))
            await fuzzed.look()
        await fuzzed.frames(plan.frames)
        fuzzed.marks = (plan.quiet_matches, len(beside.over))
        await fuzzed.call(plan.calls, {kind: tokens[kind] for kind in KINDS}, plan.seed)
        await beside.finish()
    return fuzzed


def faults(fuzzed: Fuzz) -> list[str]:
    """What was not in order."""
    codes = play_codes(fuzzed.server)
    return [
        *(fuzzed.tally.faults + fuzzed.calls.faults + fuzzed.beside.faults()),
        *(f"{codes[code]} streams ended with {code}" for code in codes if code not in CODES),
        *fuzzed.beside.slowed(fuzzed.marks[0]),
        *growth(fuzzed.snapshots),
        *complaints(fuzzed.server),
    ]


def register(server: Arena, names: Sequence[str]) -> dict[str, str]:
    """Tokens of the bots and of one account of each kind; "" is none."""
    with api(server.address) as calls:
        tokens = {name: calls.register(name) for name in (*names, *NAMES, "bot")}
        accounts = account_service_pb2_grpc.AccountServiceStub(calls.channel)
        request = account_service_pb2.CreateOwnerRequest(owner="fuzzing-owner")
        tokens["owner"] = accounts.CreateOwner(request).token
    found = ADMIN_TOKEN.search(server.log_path.read_text())
    assert found is not None, "the server printed no token of an administrator"
    return tokens | {"": "", "admin": found[0]}


def report(fuzzed: Fuzz, seconds: float) -> list[str]:
    """Figures; the last line sums them up."""
    tally, beside, (quiet, during) = fuzzed.tally, fuzzed.beside, fuzzed.marks
    return [
        f"streams ended by the server: {counted(tally.ends)}; by its own count: "
        f"{counted(play_codes(fuzzed.server))}",
        f"heard: {counted(tally.heard)}; ends of matches: {counted(tally.endings)}",
        f"refused: {counted(tally.refused)}",
        f"answers to calls: {counted(fuzzed.calls.answers)}",
        f"warnings of the server: {counted(warnings(fuzzed.server))}",
        f"neighbours: {len(beside.over)} matches; an answer took {beside.latency(0, quiet)} before, "
        f"{beside.latency(quiet, during)} beside the frames, {beside.latency(during)} beside calls",
        *(
            f"at rest: {each.rss >> 10} kB in the worker, {each.lasting.total()} lasting keys, "
            f"{each.hot} of running matches"
            for each in fuzzed.snapshots
        ),
        f"fuzz play: {tally.read} frames read on {tally.streams} streams, {tally.endings.total()} ends of "
        f"matches and {tally.heard['applied']} actions told, {fuzzed.calls.made} calls, {seconds:.0f} s",
    ]


def counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common()) or "none"


def arguments() -> ArgumentParser:
    parser = ArgumentParser(
        description="fuzzing of the service", formatter_class=ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=100_000, help="frames that the server is to read")
    parser.add_argument("--calls", type=int, default=20_000, help="calls after them")
    parser.add_argument("--bots", type=int, default=8, help="hostile bots")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other frames")
    return parser


def main() -> int:
    options = arguments().parse_args()
    plan = Plan(options.frames, options.calls, options.bots, options.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, arena(Path(folder) / "data", *FLAGS) as server:
        fuzzed = asyncio.run(fuzz(server, plan))
        found, lines = faults(fuzzed), report(fuzzed, time.monotonic() - began)
    print(*(f"FAULT: {fault}" for fault in found), *lines, sep="\n")
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
