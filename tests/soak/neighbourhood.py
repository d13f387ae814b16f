"""The good bots beside a fuzz, as a process of their own: what they say of their matches."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from neighbours import NAMES, Seen

__all__ = ["NAMES", "Neighbours", "neighbours"]

WITHIN_S: Final = 300.0
SLOWED: Final = 30
"""A median answer that takes so many times as long as before is a disturbance; 2 to 5 are measured."""
SUPPORT: Final = Path(__file__).resolve().parents[1] / "support"


@dataclass
class Neighbours:
    """What was heard of them so far."""

    process: asyncio.subprocess.Process
    running: list[str] = field(default_factory=list)
    """Ids of matches that have begun; the last one may run."""
    over: list[Seen] = field(default_factory=list)
    errors: str = ""
    more: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def listen(self) -> None:
        """Read their lines to the last one."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            row = json.loads(line)
            async with self.more:
                if "began" in row:
                    self.running.append(row["began"])
                else:
                    self.over.append(Seen(**row))
                self.more.notify_all()

    async def played(self, count: int) -> None:
        """Wait until so many matches are over. Raises TimeoutError."""
        async with asyncio.timeout(WITHIN_S), self.more:
            await self.more.wait_for(lambda: len(self.over) >= count)

    async def finish(self) -> None:
        """Let them play their match to its end and go."""
        assert self.process.stdin is not None and self.process.stderr is not None
        self.process.stdin.close()
        async with asyncio.timeout(WITHIN_S):
            self.errors = (await self.process.stderr.read()).decode()
            await self.process.wait()

    def faults(self) -> list[str]:
        """What was not in order with their matches."""
        found = []
        if self.process.returncode != 0:
            found.append(
                f"the neighbours' process ended with {self.process.returncode}: {self.errors[-2000:]}"
            )
        for seen in self.over:
            if seen.termination != "TERMINATION_NORMAL":
                found.append(f"neighbour match {seen.match_id} ended with {seen.termination}")
            if seen.refused:
                found.append(f"neighbour match {seen.match_id}: {seen.refused} answers were refused")
            found += [f"neighbour match {seen.match_id} was charged {words}" for words in seen.overcharged]
        return found

    def slowed(self, quiet: int) -> list[str]:
        """Whether answers took out of all proportion longer than in the first `quiet` matches."""
        before, beside = self._waits(0, quiet), self._waits(quiet, None)
        if not before or not beside or statistics.median(beside) <= SLOWED * statistics.median(before):
            return []
        return [f"the neighbours' answers took {self.latency(quiet)}, {self.latency(0, quiet)} before"]

    def _waits(self, first: int, last: int | None) -> list[float]:
        return sorted(ms for seen in self.over[first:last] for ms in seen.answered_ms)

    def latency(self, first: int, last: int | None = None) -> str:
        """Median and 99th percentile of the answers to the Acts of some matches."""
        waits = self._waits(first, last)
        if not waits:
            return "nothing"
        high = waits[min(len(waits) - 1, len(waits) * 99 // 100)]
        return f"{statistics.median(waits):.1f} ms (p99 {high:.0f} ms)"


@asynccontextmanager
async def neighbours(address: str, tokens: Sequence[str], think_ms: float) -> AsyncIterator[Neighbours]:
    """Both at play for the block; call `finish` before its end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(Path(__file__).with_name("neighbours.py")), address, str(think_ms)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NEIGHBOUR_TOKENS": " ".join(tokens), "PYTHONPATH": str(SUPPORT)},
    )
    heard = Neighbours(process)
    listening = asyncio.create_task(heard.listen())
    try:
        yield heard
        await listening
    finally:
        listening.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()
