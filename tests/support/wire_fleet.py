"""Several wire bots (`wire_bot.py`), each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from arena_api import api
from arena_process import wait_for
from heard import Heard

PROGRAM = str(Path(__file__).resolve().parent / "wire_bot.py")
LEAVE_S = 400.0


@dataclass
class WireFleet:
    """Running bots and what they were told so far."""

    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    acknowledged: int = 0
    read_until: dict[Path, int] = field(default_factory=dict)

    @property
    def heard(self) -> Heard:
        return Heard.read(self.folder.glob("*.jsonl"))

    @property
    def acts(self) -> int:
        """How many lines tell of an acknowledgement by now; each answer has one a bot."""
        for path in self.folder.glob("*.jsonl"):
            with path.open("rb") as journal:
                journal.seek(self.read_until.get(path, 0))
                fresh = journal.read()
            whole = fresh[: fresh.rfind(b"\n") + 1]
            self.acknowledged += whole.count(b'"what": "applied"')
            self.read_until[path] = self.read_until.get(path, 0) + len(whole)
        return self.acknowledged

    def play_on(self, count: int) -> None:
        """Until the bots heard of that many further answers."""
        goal = self.acts + count
        wait_for(f"word of {goal} answers", lambda: self.acts >= goal, 200)

    def leave(self) -> None:
        """All bots finish what runs and go."""
        for process in self.processes.values():
            assert process.poll() is None, self.words
            process.terminate()
        wait_for("the bots to leave", self.is_gone, LEAVE_S)
        assert not any(process.returncode for process in self.processes.values()), self.words

    def is_gone(self) -> bool:
        return all(process.poll() is not None for process in self.processes.values())

    @property
    def words(self) -> str:
        """What they printed, which is nothing unless one failed."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))


@contextmanager
def wire_fleet(
    homes: Sequence[Sequence[str]],
    folder: Path,
    *,
    capacity: int,
    think_s: float = 0.02,
    names: Sequence[str] = (),
    ladder: bool = True,
) -> Iterator[WireFleet]:
    """A bot for each list of addresses in `homes`, which it tries in turn; the first one is to be up.

    `names` are of the bots. Waits until all are online.
    """
    folder.mkdir()
    fleet = WireFleet(folder)
    bots = names or [f"wire-bot-{n}" for n in range(len(homes))]
    with ExitStack() as stack:
        for n, (name, addresses) in enumerate(zip(bots, homes, strict=True)):
            with api(addresses[0]) as calls:
                token = calls.register(name)
            given = {"name": name, "token": token, "addresses": list(addresses), "capacity": capacity}
            given |= {"think_s": think_s, "seed": n, "journal": str(folder / f"{name}.jsonl")}
            command = [sys.executable, PROGRAM, json.dumps({**given, "ladder": ladder})]
            log = stack.enter_context((folder / f"{name}.log").open("wb"))
            process = subprocess.Popen(command, stdout=log, stderr=log)
            stack.callback(process.wait)
            stack.callback(process.kill)
            fleet.processes[name] = process
        with api(homes[0][0]) as calls:
            wait_for(f"{bots} to be online", lambda: set(bots) <= set(calls.online()))
        yield fleet
