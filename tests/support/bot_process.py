"""Bots as child processes, as an author runs them: `targi bot run`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena_api import api
from arena_process import wait_for

CHRONICLER = str(Path(__file__).resolve().parent / "chronicler_bot.py")


@dataclass
class BotProcess:
    """One running bot."""

    name: str
    token: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def words(self) -> str:
        return self.log.read_text(errors="replace")


@contextmanager
def running_bot(
    address: str, spec: str, name: str, folder: Path, *flags: str, env: dict[str, str] | None = None
) -> Iterator[BotProcess]:
    """Registers a bot with an owner of its own and runs it until the end of the block."""
    with api(address) as calls:
        token = calls.register(name)
    log = folder / f"{name}.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "targi_sdk.cli", "bot", "run", spec),
                *("--name", name, "--server", address, *flags),
            ],
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {}), "TARGI_TOKEN": token, "TARGI_HOME": str(folder)},
        )
        try:
            yield BotProcess(name, token, process, log)
        finally:
            process.kill()
            process.wait()


@contextmanager
def running_bots(
    address: str,
    specs: Sequence[tuple[str, str]],
    folder: Path,
    *flags: str,
    env: dict[str, str] | None = None,
) -> Iterator[list[BotProcess]]:
    """Several of them, given as (spec, name); waits until all are online."""
    with ExitStack() as stack:
        bots = [
            stack.enter_context(running_bot(address, spec, name, folder, *flags, env=env))
            for spec, name in specs
        ]
        with api(address) as calls:
            wanted = {name for _, name in specs}
            wait_for(f"{sorted(wanted)} to be online", lambda: wanted <= set(calls.online()))
        yield bots


def chronicle(folder: Path) -> list[dict[str, object]]:
    """What chronicler bots wrote down: one object a choice or an end."""
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text().splitlines()
        if line.endswith("}")
    ]
