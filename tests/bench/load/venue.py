"""The server that a run loads: one of its own, or one that runs already."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena_api import api
from arena_process import Arena, arena, get
from load.errors import BadPlan
from load.plan import Plan

__all__ = ["Venue", "own", "strange"]

IDLE_AN_OWNER = 500
MANY = "1000000"
PATIENT_MS = "120000"
"""To be Ready: a machine may be so busy that hundreds of offers at once take longer than usual."""


@dataclass(frozen=True)
class Venue:
    """Where to play, and with which tokens: of the bots that play, then of the idle ones."""

    address: str
    tokens: tuple[str, ...]
    server: Arena | None = None
    """The process tree, of a server of one's own."""
    metrics_url: str = ""

    def metrics(self) -> str:
        """What it shows at /metrics; nothing if nobody knows where that is."""
        if self.server is not None:
            return self.server.metrics()
        return get(self.metrics_url) or "" if self.metrics_url else ""


def strange(address: str, tokens_file: Path, metrics_url: str, plan: Plan) -> Venue:
    """A server that runs. Raises BadPlan if the file has too few tokens."""
    try:
        lines = tokens_file.read_text().splitlines()
    except OSError as error:
        raise BadPlan(f"--tokens-file {tokens_file} cannot be read: {error.strerror}") from error
    tokens = tuple(line.strip() for line in lines if line.strip())
    if len(tokens) < plan.bots + plan.idle:
        wanted = f"{plan.bots} bots and {plan.idle} idle ones" if plan.idle else f"{plan.bots} bots"
        raise BadPlan(
            f"--tokens-file {tokens_file} has {len(tokens)} tokens, one a line; {wanted} need one each"
        )
    return Venue(address, tokens, metrics_url=metrics_url)


@contextmanager
def own(
    bots: int, idle: int = 0, *, capacity: int, workers: int = 1, flags: Sequence[str] = ()
) -> Iterator[Venue]:
    """A server with an embedded Redis, gone at the end of the block; playing bots have different owners.

    Its limits are so wide that they never stand in the way of a run: what is measured is the way of a move.
    """
    wide = (
        *("--workers", str(workers), "--max-capacity", str(capacity)),
        *("--registrations-per-hour", MANY, "--bots-per-owner", str(IDLE_AN_OWNER)),
        *("--calls-per-second", MANY, "--calls-per-address", MANY),
        *("--offer-ms", PATIENT_MS),
    )
    with (
        tempfile.TemporaryDirectory(prefix="targi-load-") as folder,
        arena(Path(folder) / "data", "--log-level", "warning", *wide, *flags) as server,
    ):
        yield Venue(server.address, _registered(server.address, bots, idle), server)


def _registered(address: str, bots: int, idle: int) -> tuple[str, ...]:
    with api(address) as calls:
        tokens = [calls.register(f"load-{number}") for number in range(bots)]
        for start in range(0, idle, IDLE_AN_OWNER):
            names = [f"idle-{number}" for number in range(start, min(idle, start + IDLE_AN_OWNER))]
            tokens += calls.register_all(names, f"idle-owner-{start}")
    return tuple(tokens)
