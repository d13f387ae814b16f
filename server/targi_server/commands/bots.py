"""The demo's bots: `targi bot run` in processes of their own, as an author would start them."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from targi_server.launcher import tied

__all__ = ["BotProcess"]

CAPACITY = 2
"""Matches that each plays at once: one pair. More would only play longer beyond what was asked for."""
RULESET = "base"
"""The one whose table the demo shows."""
OWN = ("TARGI_SERVER", "TARGI_CA")
"""Variables with which a user's own bots find their arena: the demo's must not go there."""


class BotProcess:
    """A child of the supervisor that plays one reference bot; `folder` takes what it prints."""

    name = "bot"

    def __init__(self, spec: str, *, address: str, token: str, folder: Path) -> None:
        self.spec = spec
        self.address = address
        self.token = token
        self.folder = folder
        self._process: asyncio.subprocess.Process | None = None

    @property
    def log(self) -> Path:
        """What it prints."""
        return self.folder / f"{self.spec}.log"

    async def start(self) -> None:
        """Spawns it; it connects by itself."""
        with self.log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                # At SIGTERM a bot would wait to finish its matches, for an arena that is gone.
                *tied(sys.executable, "-P", "-m", "targi_sdk.cli", *self._arguments(), by=signal.SIGKILL),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment(),
                start_new_session=True,
            )

    async def ended(self) -> str:
        """Waits for its end; says how it was."""
        assert self._process is not None
        code = await self._process.wait()
        last = self.log.read_text(errors="replace").strip().rpartition("\n")[2]
        return f"bot {self.spec} ended with exit code {code}: {last}"

    async def stop(self, grace_s: float) -> None:
        """Lets it finish what runs; kills it after the grace time."""
        if self._process is None or self._process.returncode is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), grace_s)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def _arguments(self) -> list[str]:
        where = ("--server", self.address, "--name", self.spec)
        what = ("--ruleset", RULESET, "--capacity", str(CAPACITY), "--in-process")
        return ["bot", "run", self.spec, *what, *where]

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if key not in OWN}
        return {**kept, "TARGI_TOKEN": self.token}
