"""Seeded chaos over the whole service: `make soak MINUTES=30 SEED=7`.

Arenas and bots as processes; the faults of plan.py at random moments; at the end of each leg everything is
healed, all matches are played to their end, and what invariants.py and its neighbours say must hold. Enough
games must have been played, and enough faults of each kind done, for this to say something. The last line is
a summary, however the run ends; the exit code is 1 if anything did not hold.
"""

from __future__ import annotations

import argparse
import math
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from leg import Leg, Outcome
from plan import KINDS

__all__ = ["chaos", "main", "shortfalls", "summary"]

LEG_MINUTES = 5.0
GAMES_A_MINUTE = 100
"""At least, for a run that says something: 3,000 in half an hour. Twice that many are played."""
DONE_SHARE = 0.8
"""At least, of the planned faults of a kind. The others found nothing to hit, as a worker that was dead."""
EACH_KIND_A_MINUTE = 0.1
"""At least, of each kind of fault, however the seed drew them."""


def chaos(minutes: float, seed: int, folder: Path, total: Outcome, *, legs: int = 0) -> None:
    """`minutes` of faults, in legs; `total` says at any time what came of them so far."""
    begun = time.monotonic()

    def tell(words: str) -> None:
        print(f"{time.monotonic() - begun:7.1f} s  {words}", flush=True)

    count = legs or max(1, math.ceil(minutes / LEG_MINUTES))
    for number in range(count):
        leg = Leg(number, seed + 1000 * number, minutes * 60 / count, folder / f"leg-{number}", tell)
        try:
            leg.run()
        except Exception as error:  # the border of a leg: the run goes on, and fails at its end
            leg.fail([f"the leg broke off: {type(error).__name__}: {error}"])
        finally:
            total.add(leg.outcome)
        tell(summary(seed, minutes * (number + 1) / count, total))


def shortfalls(minutes: float, outcome: Outcome) -> Iterator[str]:
    """What of games and faults there was too little of, in words."""
    least = math.floor(GAMES_A_MINUTE * minutes)
    if outcome.games < least:
        yield f"{outcome.games:,} games were played, {least:,} are needed for {minutes:g} minutes"
    for kind in KINDS:
        planned, done = outcome.planned[kind], outcome.faults[kind]
        least = max(math.floor(DONE_SHARE * planned), math.floor(EACH_KIND_A_MINUTE * minutes))
        if done < least:
            yield f"{kind} was done {done} times of {planned} that were planned, {least} are needed"


def summary(seed: int, minutes: float, outcome: Outcome) -> str:
    """The run in one line."""
    faults = ", ".join(f"{kind} {count}" for kind, count in outcome.faults.most_common())
    endings = ", ".join(
        f"{count} {name}" for name, count in outcome.endings.most_common() if name != "normal"
    )
    return (
        f"soak: seed {seed}, {minutes:.1f} min, {outcome.games:,} games"
        f" ({outcome.endings['normal']:,} to the end, {endings or 'no others'}), {outcome.actions:,} actions,"
        f" {outcome.faults.total()} faults ({faults}), longest return {outcome.longest_return_s:.1f} s,"
        f" {len(outcome.violations)} violations"
    )


def main() -> int:
    """The run; what it leaves on disk stays only if something did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--legs", type=int, default=0, help="how many services, one after the other")
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # whoever stops it leaves nothing running
        signal.signal(number, signal.default_int_handler)  # also in the background, where Ctrl-C is ignored
    folder = Path(tempfile.mkdtemp(prefix="targi-chaos-"))
    outcome = Outcome()
    try:
        chaos(arguments.minutes, arguments.seed, folder, outcome, legs=arguments.legs)
    except KeyboardInterrupt:
        outcome.violations.append("the run was stopped before its end")
    outcome.violations += shortfalls(arguments.minutes, outcome)
    report(folder, outcome)
    print(summary(arguments.seed, arguments.minutes, outcome), flush=True)
    return 1 if outcome.violations else 0


def report(folder: Path, outcome: Outcome) -> None:
    """Prints what did not hold, and where all was noted; if all held, the notes are removed."""
    for words in outcome.violations:
        print(words)
    if outcome.violations:
        print(f"notes and logs: {folder}")
    else:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
