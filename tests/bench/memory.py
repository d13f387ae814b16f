"""Memory of the server: a running match, an idle bot, streams that come and go.

`python tests/bench/memory.py`. Resident memory of the worker. What is kept for good (modules, caches, the
allocator's reserve) is there before the first figure is taken: some of each kind ran before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import cpu
import grpc.aio
from arena_api import bearer
from load.bot import apart, hello
from load.crew import Crew, hired
from load.plan import ClientPlan, Pacing, Plan
from load.run import client_plans
from load.venue import Venue, own
from targi.v1 import match_service_pb2_grpc, play_pb2

FEW, MATCHES, GOAL_KB = 400, 1_000, 20.0
"""Matches before the first figure: what they leave in the allocator's reserve is not the thousand's."""
HALT_PLY = 110
"""Half of a base game."""
HOURS_MS = str(3 * 3_600_000)
FEW_IDLE, IDLE = 64, 1_000
IDLE_S = 5.0
STREAMS, FIRST_STREAMS, GOAL_STREAMS = 10_000, 2_000, 1.05
AT_ONCE = 20


def rss(venue: Venue) -> int:
    """Bytes of the worker."""
    assert venue.server is not None
    return int(venue.server.find("worker").memory_info().rss)


async def stand_still(venue: Venue, crew: Crew, plan: Plan) -> int:
    """Play matches to their middle; bytes of the worker with all of them open."""
    await crew.reach("matches ran at once", lambda: crew.count("running") // 2, plan.matches)
    crew.order("go")
    await crew.reach("matches stand in their middle", lambda: crew.count("halted"), plan.matches, 300)
    return rss(venue)


async def with_matches(venue: Venue) -> tuple[float, int]:
    """Bytes of a running match, and how many were added."""
    few, many = (
        Plan(matches=matches, pacing=Pacing(think_ms=1.0), halt_ply=HALT_PLY) for matches in (FEW, MATCHES)
    )
    strangers = Venue(venue.address, venue.tokens[2:], venue.server)
    async with hired(list(client_plans(few, venue))) as crew:
        before = await stand_still(venue, crew, few)
        async with hired(list(client_plans(many, strangers, first=2))) as others:
            after = await stand_still(venue, others, many)
            added = others.count("running") // 2
    return (after - before) / added, added


def running_matches() -> Iterator[str]:
    """Of matches in their middle, their turns open."""
    with own(4, capacity=MATCHES, flags=("--base-ms", HOURS_MS)) as venue:
        each, added = asyncio.run(with_matches(venue))
    verdict = "met" if each <= GOAL_KB * 1000 else "missed"
    yield (
        f"a running match: {each / 1000:.1f} kB of the worker, from {added} added to {FEW}, "
        f"each at ply {HALT_PLY}; aim: {GOAL_KB:.0f} kB: {verdict}"
    )


async def with_idlers(venue: Venue) -> tuple[float, float]:
    """Bytes of an idle bot, and the share of a processor that all of them take."""
    assert venue.server is not None
    few = ClientPlan("idle", venue.address, venue.tokens[:FEW_IDLE], 0)
    many = ClientPlan("idle", venue.address, venue.tokens[FEW_IDLE:], FEW_IDLE)
    worker = venue.server.find("worker")
    async with hired([few]) as crew:
        await crew.reach("idle bots connected", lambda: crew.count("running", "idle"), FEW_IDLE)
        before = rss(venue)
        async with hired([many]) as others:
            await others.reach("idle bots connected", lambda: others.count("running", "idle"), IDLE)
            grown, used_s = rss(venue) - before, cpu.of(worker)
            await others.pass_by(IDLE_S)
            return grown / IDLE, (cpu.of(worker) - used_s) / IDLE_S


def idle_bots() -> Iterator[str]:
    """Of bots that are connected and play nothing."""
    with own(0, FEW_IDLE + IDLE, capacity=64) as venue:
        each, load = asyncio.run(with_idlers(venue))
    yield f"an idle bot: {each / 1000:.0f} kB of the worker; {IDLE} of them take {load:.0%} of one core"


async def come_and_go(address: str, tokens: tuple[str, ...], streams: int) -> None:
    """Each token opens streams one after the other, says Hello, hears Welcome, and cancels."""
    await asyncio.gather(*(visits(address, token, number, streams) for number, token in enumerate(tokens)))


async def visits(address: str, token: str, number: int, streams: int) -> None:
    """Of one bot."""
    greeting = play_pb2.PlayRequest(events=[hello(number, 1, "base", ladder=False)])
    async with grpc.aio.insecure_channel(address, apart(number)) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        for _ in range(streams):
            call = stub.Play(metadata=bearer(token))
            await call.write(greeting)
            await call.read()
            call.cancel()


def streams() -> Iterator[str]:
    """Of streams that were opened and cancelled."""
    with own(0, AT_ONCE, capacity=64) as venue:
        asyncio.run(come_and_go(venue.address, venue.tokens, FIRST_STREAMS // AT_ONCE))
        before = rss(venue)
        asyncio.run(come_and_go(venue.address, venue.tokens, (STREAMS - FIRST_STREAMS) // AT_ONCE))
        after = rss(venue)
    ratio = after / before
    verdict = "met" if ratio <= GOAL_STREAMS else "missed"
    yield (
        f"streams come and gone: {after / 1e6:.1f} MB after {STREAMS}, {ratio:.3f} times as much "
        f"as after {FIRST_STREAMS}; aim: at most {GOAL_STREAMS}: {verdict}"
    )


def bench() -> Iterator[str]:
    """Lines of the report."""
    yield from running_matches()
    yield from idle_bots()
    yield from streams()


if __name__ == "__main__":
    for line in bench():
        print(line, flush=True)
