"""Bots for the tests of the client. They live in a module of their own, because workers import them."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import ClassVar

from targi_engine import State
from targi_sdk.bot import Bot, End, Start, Turn

STUCK_S = 300.0


class First(Bot):
    """Takes the first legal action."""

    in_process = True

    def choose(self, turn: Turn) -> int:
        return turn.legal[0]


class Diary(First):
    """Notes in a class attribute what it is told; for bots in the test's own process."""

    lines: ClassVar[list[str]] = []

    def on_start(self, start: Start) -> None:
        self.lines.append(f"start {start.match_id} seat {start.seat} against {start.opponent} at {start.ply}")

    def choose(self, turn: Turn) -> int:
        self.lines.append(f"choose {turn.match_id} {turn.ply}")
        return turn.legal[0]

    def on_end(self, end: End) -> None:
        self.lines.append(f"end {end.match_id} {end.result} {end.termination}")


class Dice(Bot):
    """Takes a random action of its turn's own source."""

    in_process = True

    def choose(self, turn: Turn) -> int:
        return turn.rng.choice(turn.legal)


class ByName(Bot):
    """Answers in notation."""

    in_process = True

    def choose(self, turn: Turn) -> str:
        return turn.name(turn.legal[-1])


class Patient(Bot):
    """Waits with `await` until it is let go."""

    gate: ClassVar[asyncio.Event]

    async def choose(self, turn: Turn) -> int:
        await self.gate.wait()
        return turn.legal[0]


class Crash(Bot):
    """Raises in `choose`."""

    in_process = True

    def choose(self, turn: Turn) -> int:
        return self.plan(turn)["nothing"]

    def plan(self, turn: Turn) -> dict[str, int]:
        return {}


class LoudCrash(Bot):
    """Raises with a text far over the limit of the wire."""

    in_process = True

    def choose(self, turn: Turn) -> int:
        raise RuntimeError("x" * 20_000)


class CrashAtStart(First):
    """Raises before its first turn."""

    def on_start(self, start: Start) -> None:
        raise OSError("no weights to load")


class Answers(Bot):
    """Returns whatever the test put here."""

    in_process = True
    answer: ClassVar[object] = None

    def choose(self, turn: Turn) -> int:
        return self.answer  # type: ignore[return-value]  # a wrong type is the point


class Stubborn(First):
    """Sticks to its first choice of a ply; `asked` counts how often it was asked."""

    asked: ClassVar[int] = 0

    def choose(self, turn: Turn) -> int:
        type(self).asked += 1
        return turn.legal[0]


class Searcher(Bot):
    """Runs one playout in a worker process."""

    def choose(self, turn: Turn) -> int:
        state: State = turn.state()
        while not state.is_over:
            state.apply(turn.rng.choice(state.legal_actions()))
        return turn.legal[0]


class Hog(First):
    """Computes for 1.5 s in the process that holds the connection."""

    def choose(self, turn: Turn) -> int:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            pass
        return turn.legal[0]


class Stuck(Bot):
    """Computes for minutes in the match whose id begins with "a", and answers at once in all others."""

    def choose(self, turn: Turn) -> int:
        end = time.monotonic() + STUCK_S
        while turn.match_id.startswith("a") and time.monotonic() < end:
            pass
        return turn.legal[0]


class Dies(Bot):
    """Ends its whole process in the match whose id begins with "a"."""

    def choose(self, turn: Turn) -> int:
        if turn.match_id.startswith("a"):
            os._exit(9)
        return turn.legal[0]


class Exits(Bot):
    """Calls `sys.exit()` in `choose`."""

    def choose(self, turn: Turn) -> int:
        sys.exit(3)


class Farewell(Bot):
    """Writes a file when its match is over."""

    def choose(self, turn: Turn) -> int:
        return turn.legal[0]

    def on_end(self, end: End) -> None:
        Path(os.environ["TARGI_TEST_FAREWELL"]).write_text(f"{end.match_id} {end.result}", encoding="utf-8")


class StuckOrDies(Bot):
    """Ends its process in the match whose id begins with "a", and computes for minutes in all others."""

    def choose(self, turn: Turn) -> int:
        if turn.match_id.startswith("a"):
            os._exit(9)
        end = time.monotonic() + STUCK_S
        while time.monotonic() < end:
            pass
        return turn.legal[0]
