"""A server process that says it has other rules, or another vocabulary, than the engine really has.

Run as a script it is that process: the versions are changed before anything of the server is imported.
"""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(frozen=True)
class OtherReplica:
    """One that runs; its log is a file."""

    port: int
    log: Path
    process: subprocess.Popen[str]

    def says(self, words: str) -> int:
        """How often its log has these words."""
        return self.log.read_text().count(words)

    def leaves(self, state: str) -> int:
        """How many matches of a state it leaves to others, by its metric."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{state}\n")
        self.process.stdin.flush()
        return _number(self.process.stdout, self.log)


@contextmanager
def other_replica(redis_url: str, folder: Path, **versions: int) -> Iterator[OtherReplica]:
    """One that runs for the block; versions by name, RULES or VOCABULARY."""
    log = folder / "other.log"
    order = json.dumps([redis_url, versions])
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, __file__, order],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sink,
            text=True,
        )
        try:
            yield OtherReplica(_number(process.stdout, log), log, process)
        finally:
            process.communicate(timeout=60)  # the end of its input tells it to stop
            assert process.returncode in (0, -signal.SIGKILL), log.read_text()  # or killed by its test


def _number(lines: IO[str] | None, log: Path) -> int:
    assert lines is not None
    line = lines.readline()
    assert line, f"the server ended: {log.read_text()}"
    return int(line)


async def _serve(redis_url: str) -> None:
    from targi_server import logs  # only after the versions were changed
    from targi_server.app import running
    from targi_server.settings import Settings

    settings = Settings(redis_url=redis_url, port=0, replica="other", open_registration=True, worker=1)
    logs.configure(settings, process="other")
    async with running(settings) as service:
        print(service.port, flush=True)
        while state := (await asyncio.to_thread(sys.stdin.readline)).strip():
            gauge = "targi_matches_elsewhere"
            labels = {"worker": service.metrics.worker, "state": state}
            print(int(service.metrics.registry.get_sample_value(gauge, labels) or 0), flush=True)


def _main(redis_url: str, versions: dict[str, int]) -> None:
    import targi_engine

    vars(targi_engine).update(versions)
    asyncio.run(_serve(redis_url))


if __name__ == "__main__":
    _main(*json.loads(sys.argv[1]))
