"""Seeded chaos over the whole service: `make soak MINUTES=30 SEED=7`.

Arenas and bots as processes; the faults of plan.py at random moments; at the end of each leg everything is
healed, all matches are played to their end, and what invariants.py and its neighbours say must hold. The last
line is a summary; the exit code is 1 if anything did not hold.
"""

from __future__ import annotations

import argparse
import math
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from leg import Leg, Outcome

__all__ = ["chaos", "main", "summary"]

LEG_MINUTES = 5.0


def chaos(minutes: float, seed: int, folder: Path, *, legs: int = 0) -> Outcome:
    """`minutes` of faults, in legs."""
    begun = time.monotonic()

    def tell(words: str) -> None:
        print(f"{time.monotonic() - begun:7.1f} s  {words}", flush=True)

    count = legs or max(1, math.ceil(minutes / LEG_MINUTES))
    total = Outcome()
    for number in range(count):
        leg = Leg(number, seed + 1000 * number, minutes * 60 / count, folder / f"leg-{number}", tell)
        try:
            leg.run()
        except Exception as error:  # the border of a leg: the run goes on, and fails at its end
            leg.fail([f"the leg broke off: {type(error).__name__}: {error}"])
        total.add(leg.outcome)
        tell(summary(seed, minutes * (number + 1) / count, total))
    return total


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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever stops it leaves nothing running
    folder = Path(tempfile.mkdtemp(prefix="targi-chaos-"))
    outcome = chaos(arguments.minutes, arguments.seed, folder, legs=arguments.legs)
    for words in outcome.violations:
        print(words)
    if outcome.violations:
        print(f"notes and logs: {folder}")
    else:
        shutil.rmtree(folder)
    print(summary(arguments.seed, arguments.minutes, outcome), flush=True)
    return 1 if outcome.violations else 0


if __name__ == "__main__":
    sys.exit(main())
