"""Damages valid records, card files and observations and has them read: `make fuzz`.

    python tests/soak/fuzz.py [--seconds 600] [--seed 1] [--target NAME] [--case N]

What is read may be refused with the documented error and no other, and must be done with in LONGEST_S. One
line sums up each target; the run ends with 1 if there was a fault. A case depends on seed, target and its
number only: `--case` runs one again.
"""

from __future__ import annotations

import faulthandler
import itertools
import random
import signal
import sys
import time
import traceback
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

from fuzz_targets import TARGETS, Input, Target

LONGEST_S: Final = 20.0
"""What takes longer than this many seconds goes round in a circle."""
MOST_FAULTS: Final = 5
SHOWN: Final = 400


class CircleError(Exception):
    """Reading took longer than LONGEST_S."""


@dataclass
class Count:
    """What became of the cases of a target."""

    read: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)

    def line(self, target: Target, seconds: float) -> str:
        return (
            f"fuzz {target.name}: {self.read + self.refused + len(self.faults)} cases, "
            f"{self.refused} refused, {self.read} read, {len(self.faults)} faults, {seconds:.0f} s"
        )


def interrupt(number: int, frame: FrameType | None) -> None:
    raise CircleError(f"not done after {LONGEST_S:.0f} s")


@contextmanager
def watched() -> Iterator[None]:
    """Ends what runs in a circle; in compiled code, where no signal arrives, the whole process."""
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def judge(target: Target, case: Input) -> Exception | None:
    """The error that refuses a case, None for one that is read; any other error is raised."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        target.read(case)
    except target.refuses as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def fuzz(target: Target, seed: int, cases: Iterable[int]) -> Count:
    """Have cases of a target read, until MOST_FAULTS are faults."""
    count = Count()
    for number in cases:
        case = target.case(random.Random(f"{seed} {target.name} {number}"))
        try:
            refused = judge(target, case)
        except Exception:
            count.faults.append(report(target, seed, number, case))
            if len(count.faults) == MOST_FAULTS:
                break
            continue
        count.refused += refused is not None
        count.read += refused is None
    return count


def report(target: Target, seed: int, number: int, case: Input) -> str:
    """All that is needed to see a fault again."""
    again = f"fuzz.py --seed {seed} --target {target.name} --case {number}"
    shown = repr(case) if len(case) <= SHOWN else f"{case[:SHOWN]!r}.. ({len(case)} long)"
    return f"FAULT, again: {again}\n{traceback.format_exc()}{shown}"


def for_seconds(seconds: float) -> Iterator[int]:
    """Numbers until the time is over."""
    end = time.monotonic() + seconds
    asked = 0.0
    for number in itertools.count():
        now = time.monotonic()
        if now >= end:
            return
        if now - asked > 1:  # starting its thread costs more than a case
            asked = now
            faulthandler.dump_traceback_later(2 * LONGEST_S, exit=True)
        yield number


def arguments() -> ArgumentParser:
    parser = ArgumentParser(
        description="fuzzing of the parsers", formatter_class=ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600.0, help="time for each target")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other cases")
    parser.add_argument("--target", choices=[target.name for target in TARGETS], help="only this one")
    parser.add_argument("--case", type=int, help="only the case of this number")
    return parser


def main() -> int:
    options = arguments().parse_args()
    faults = 0
    for target in TARGETS:
        if options.target not in (None, target.name):
            continue
        target.valid()
        begun = time.monotonic()
        with watched():
            cases = for_seconds(options.seconds) if options.case is None else [options.case]
            count = fuzz(target, options.seed, cases)
        print(*count.faults, count.line(target, time.monotonic() - begun), sep="\n", flush=True)
        faults += len(count.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
