"""A Redis server of a test's own."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import redis
from spare_port import free_port
from targi_server.embedded.binary import find

__all__ = ["RedisServer"]

START_S = 30.0


@dataclass(slots=True)
class RedisServer:
    """A server process on a port of the loopback, with its files in `folder`."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """URL of its database."""
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        """A plain client, for looking at what was written. The caller closes it."""
        return redis.Redis.from_url(self.url, protocol=2)

    def start(self) -> None:
        """Starts it; a second start uses the same port and files."""
        command = [
            str(find().path),
            "--bind",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--dir",
            str(self.folder),
        ]
        command += ["--save", "", "--logfile", "redis.log", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._wait()

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _wait(self) -> None:
        end = time.monotonic() + START_S
        while True:
            try:
                with self.client() as client:
                    client.ping()
                return
            except redis.RedisError as error:
                if time.monotonic() > end:
                    raise TimeoutError(f"Redis does not answer; see {self.folder / 'redis.log'}") from error
                time.sleep(0.02)
