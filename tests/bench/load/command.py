"""The command line of the load tool."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from load import report
from load.errors import BadPlan, LoadError
from load.plan import Pacing, Plan
from load.run import measured
from load.venue import Venue, own, strange
from targi_engine import RULESETS

__all__ = ["main"]

WORDS = """\
Puts an arena under load: N matches at once between M remote bots, which play random moves, in client
processes of their own.

closed loop   each turn is answered a think time after it was asked (none: as fast as it goes); an answer's
              time counts from when it was due
open loop     answers at times fixed in advance, --rate in all (a Poisson process for each match); an answer's
              time counts from its planned time, so a slow server cannot hide by slowing its clients

It measures from the moment at which all matches run. Without --server it starts an arena with an embedded
Redis, and reports processor time by process, too."""
EXAMPLES = """\
as fast as it goes:   python tests/bench/load --matches 200
half of that, with a crowd that only listens:
                      python tests/bench/load --matches 200 --loop open --rate 3000 --idle 1000
two workers:          python tests/bench/load --matches 200 --bots 8 --workers 2
a server that runs:   python tests/bench/load --server HOST:7400 --tokens-file TOKENS --think-ms 500"""


def parser() -> argparse.ArgumentParser:
    """All flags."""
    made = argparse.ArgumentParser(
        "python tests/bench/load",
        description=WORDS,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    plan = made.add_argument_group("the load")
    plan.add_argument("--matches", type=int, default=64, help="matches at once (64)")
    plan.add_argument("--bots", type=int, default=2, help="bots that play them, equally many each (2)")
    plan.add_argument("--processes", type=int, default=2, help="client processes of these bots (2)")
    plan.add_argument("--ruleset", default="base", help=f"{', '.join(RULESETS)} (base)")
    plan.add_argument("--seconds", type=float, default=10.0, help="time that is measured (10)")
    plan.add_argument(
        "--idle", type=int, default=0, help="bots that are connected besides and play nothing (0)"
    )
    pace = made.add_argument_group("the pace")
    pace.add_argument("--loop", choices=("closed", "open"), default="closed", help="closed")
    pace.add_argument("--think-ms", type=float, default=0.0, help="closed loop: mean think time (0)")
    pace.add_argument(
        "--think-model", choices=("fixed", "exponential"), default="exponential", help="exponential"
    )
    pace.add_argument("--rate", type=float, default=0.0, help="open loop: answers a second, of all bots")
    where = made.add_argument_group("the server")
    where.add_argument("--server", metavar="ADDRESS", help="one that runs; its ladder must make pairs")
    where.add_argument(
        "--tokens-file", type=Path, help="with --server: bot tokens, one a line, of different owners"
    )
    where.add_argument(
        "--metrics", metavar="URL", default="", help="with --server: where it shows its metrics"
    )
    where.add_argument("--workers", type=int, default=1, help="without --server: worker processes (1)")
    made.add_argument("--json", action="store_true", help="one object instead of words")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """0, or 2 with a sentence for a run that cannot be, or 1 for one that failed."""
    given = parser().parse_args(arguments)
    try:
        plan = plan_of(given)
        with venue_of(given, plan) as venue:
            run = asyncio.run(measured(plan, venue))
    except BadPlan as error:
        print(f"load: {error}", file=sys.stderr)
        return 2
    except LoadError as error:
        print(f"load: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report.object_of(run)) if given.json else "\n".join(report.lines(run)))
    return 0


def plan_of(given: argparse.Namespace) -> Plan:
    """The plan behind the flags. Raises BadPlan."""
    if given.loop == "open" and not given.rate:
        raise BadPlan("--loop open needs --rate: answers a second")
    if given.loop == "closed" and given.rate:
        raise BadPlan("--rate is for --loop open; a closed loop goes as fast as its think time lets it")
    return Plan(
        matches=given.matches,
        bots=given.bots,
        processes=given.processes,
        pacing=Pacing(given.think_ms, given.think_model, given.rate),
        seconds=given.seconds,
        ruleset=given.ruleset,
        idle=given.idle,
    )


def venue_of(given: argparse.Namespace, plan: Plan) -> AbstractContextManager[Venue]:
    """The server behind the flags. Raises BadPlan."""
    if given.server is None:
        if given.tokens_file or given.metrics:
            raise BadPlan("--tokens-file and --metrics belong to --server: an own arena needs neither")
        return own(plan.bots, plan.idle, capacity=max(64, plan.capacity), workers=given.workers)
    if given.tokens_file is None:
        raise BadPlan("--server needs --tokens-file: the tokens of its bots, one a line")
    if given.workers != 1:
        raise BadPlan("--workers is for an arena that the tool starts; the one behind --server has its own")
    return nullcontext(strange(given.server, given.tokens_file, given.metrics, plan))
