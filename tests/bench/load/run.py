"""One run: the processes, the window that is measured, and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cpu
from load import exposition, tally
from load.crew import Crew, hired
from load.exposition import Buckets
from load.plan import ClientPlan, Plan
from load.tally import Seen
from load.venue import Venue

__all__ = ["Figures", "Run", "client_plans", "measured", "warm"]

SETTLE_S = 2.0
LOOK_S = 0.25


@dataclass(frozen=True)
class Figures:
    """A server at a moment."""

    metrics: str
    cpu_s: dict[str, float]
    queued_s: float

    @classmethod
    def of(cls, venue: Venue) -> Figures:
        """Now."""
        if venue.server is None:
            return cls(venue.metrics(), {}, 0.0)
        return cls(venue.metrics(), cpu.spent(venue.server), cpu.queued(venue.server))


@dataclass(frozen=True)
class Run:
    """What was measured."""

    plan: Plan
    seen: Seen
    """By all client processes."""
    running: tuple[float, int]
    """Matches at once, in the mean and at the least."""
    committed: float
    """Actions by the server's own count; 0 if it was not asked."""
    mean_group: float
    """Commands in a commit."""
    share: Buckets
    """The server's share of each turn."""
    cpu_s: dict[str, float]
    """Processor seconds by role; the server's only if it is our own."""
    queued_s: float
    """Seconds that threads of the workers waited for a processor."""
    streams: dict[str, float]
    """Open streams of each worker."""

    @property
    def cpu_us(self) -> float:
        """Processor time of the server's processes for a committed action, in microseconds."""
        server = sum(used for role, used in self.cpu_s.items() if role != CLIENTS)
        return server / max(1.0, self.committed) * 1e6


CLIENTS = "clients"


def client_plans(plan: Plan, venue: Venue, first: int = 0) -> Iterator[ClientPlan]:
    """The processes of a run; its bots are numbered from `first` on."""
    options = {
        "pacing": dataclasses.asdict(plan.pacing),
        "matches": plan.matches,
        "halt_ply": plan.halt_ply,
    }
    bounds = [round(plan.bots / plan.processes * process) for process in range(plan.processes + 1)]
    for start, end in pairwise(bounds):
        tokens = venue.tokens[start:end]
        yield ClientPlan("load", venue.address, tokens, first + start, plan.capacity, plan.ruleset, options)
    if plan.idle:
        tokens = venue.tokens[plan.bots : plan.bots + plan.idle]
        yield ClientPlan("idle", venue.address, tokens, first + plan.bots, ruleset=plan.ruleset)


async def warm(crew: Crew, plan: Plan) -> None:
    """Until all matches run and all idle bots are connected, and a moment more.

    Raises NeverRan, ClientFailed.
    """
    await crew.reach("idle bots connected", lambda: crew.count("running", "idle"), plan.idle)
    await crew.reach("matches ran at once", lambda: crew.count("running") // 2, plan.matches)
    crew.order("go")
    await crew.pass_by(SETTLE_S)


async def measured(plan: Plan, venue: Venue) -> Run:
    """Play, and measure once all matches run. Raises NeverRan, ClientFailed."""
    async with hired(list(client_plans(plan, venue))) as crew:
        await warm(crew, plan)
        before = Figures.of(venue)
        crew.order("begin")
        looks = []
        for _ in range(max(1, round(plan.seconds / LOOK_S))):
            await crew.pass_by(LOOK_S)
            looks.append(crew.count("running") // 2)
        answers = await crew.asked("end")
        after = Figures.of(venue)
    seen = tally.together(Seen.decode(answer) for answer in answers)
    return _run(plan, seen, looks, before, after)


def _run(plan: Plan, seen: Seen, looks: list[int], before: Figures, after: Figures) -> Run:
    def grown(name: str) -> float:
        return exposition.total(after.metrics, name) - exposition.total(before.metrics, name)

    share = exposition.buckets(after.metrics, "targi_turn_seconds")
    used = {role: after.cpu_s[role] - before.cpu_s[role] for role in after.cpu_s}
    return Run(
        plan,
        seen,
        (sum(looks) / len(looks), min(looks)),
        committed=grown("targi_actions_total"),
        mean_group=grown("targi_commit_batch_size_sum") / max(1.0, grown("targi_commit_batch_size_count")),
        share=share.since(exposition.buckets(before.metrics, "targi_turn_seconds")),
        cpu_s={**used, CLIENTS: seen.cpu_s},
        queued_s=after.queued_s - before.queued_s,
        streams=exposition.by_worker(after.metrics, "targi_streams"),
    )
