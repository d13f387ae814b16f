"""A whole arena as child processes, for tests that start, break and watch it from outside."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeVar

import psutil
import redis
from prometheus_client.parser import text_string_to_metric_families
from spare_port import free_port

T = TypeVar("T")
START_S = 60.0
TRIES = 3
PORT_TAKEN = "Address already in use"


def wait_for(what: str, ready: Callable[[], T | None], within_s: float = START_S) -> T:
    """Polls `ready` until it returns something true; fails with `what` after `within_s` seconds."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if value := ready():
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {within_s:.0f} s in vain for {what}")


def get(url: str) -> str | None:
    """Body of a page, or None while the server does not answer with success."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return str(answer.read().decode())
    except OSError:
        return None


@dataclass
class Arena:
    """A server with its embedded Redis, as `targi serve` runs it."""

    data_dir: Path
    port: int = field(default_factory=free_port)
    http_port: int = field(default_factory=free_port)
    flags: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = None
    log_from: int = 0
    """Where the words of this start begin in the log."""
    has_run: bool = False

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log_path(self) -> Path:
        return self.data_dir.parent / f"{self.data_dir.name}.log"

    def start(self) -> None:
        """Starts the supervisor and waits until it says that it is ready.

        Ports that somebody took after they were chosen are chosen anew, unless it has run on them before.
        """
        for _ in range(TRIES):
            self._spawn()
            try:
                self.wait_ready()
            except AssertionError:
                if self.has_run or PORT_TAKEN not in self.log_path.read_text()[self.log_from :]:
                    raise
                self.port, self.http_port = free_port(), free_port()
            else:
                self.has_run = True
                return
        raise AssertionError(f"ports are in use again and again: {self.log_path.read_text()[-2000:]}")

    def _spawn(self) -> None:
        self.close_log()
        self.log = self.log_path.open("ab")
        self.log_from = len(self.log_path.read_text())
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "targi_server"),
                *("--port", str(self.port), "--http-port", str(self.http_port)),
                *("--data-dir", str(self.data_dir), "--open-registration", *self.flags),
            ],
            stdout=self.log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **self.env},
            start_new_session=True,
        )

    def wait_ready(self, within_s: float = START_S) -> None:
        page = f"http://127.0.0.1:{self.http_port}/readyz"
        wait_for(f"readiness; see {self.log_path}", lambda: self.ended() or get(page), within_s)
        assert not self.ended(), f"the server ended: {self.log_path.read_text()[-2000:]}"

    def ended(self) -> bool:
        """Whether the supervisor has gone by itself."""
        return self.process is not None and self.process.poll() is not None

    def metrics(self) -> str:
        return get(f"http://127.0.0.1:{self.http_port}/metrics") or ""

    def figure(self, name: str, **labels: str) -> float:
        """A metric's value, summed over the samples that have these labels; fails if there is none."""
        families = text_string_to_metric_families(self.metrics())
        samples = [sample for family in families for sample in family.samples if sample.name == name]
        values = [sample.value for sample in samples if labels.items() <= sample.labels.items()]
        assert values, f"the server has no metric {name} with {labels}"
        return sum(values)

    def redis_client(self) -> redis.Redis:
        """For looking at what is in the embedded Redis. The caller closes it."""
        note = json.loads((self.data_dir / "server.json").read_text())
        return redis.Redis.from_url(f"unix://{note['socket']}", protocol=2)

    def tree(self) -> list[psutil.Process]:
        """The supervisor and all of its descendants that live."""
        if self.process is None or not psutil.pid_exists(self.process.pid):
            return []
        supervisor = psutil.Process(self.process.pid)
        return [supervisor, *supervisor.children(recursive=True)]

    def find(self, role: str) -> psutil.Process:
        """The process of a role: "supervisor", "worker" or "redis"."""
        return wait_for(f"a {role} process", lambda: next(iter(self.find_all(role)), None))

    def find_all(self, role: str) -> list[psutil.Process]:
        return [process for process in self.tree() if role_of(process) == role]

    def kill9(self, role: str) -> None:
        """SIGKILL to one process of a role, without any warning to it."""
        self.find(role).send_signal(signal.SIGKILL)
        if role == "supervisor" and self.process is not None:
            self.process.wait()

    def stop(self, within_s: float = 30.0) -> int:
        """Ctrl-C for the supervisor; returns its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(within_s)
        self.close_log()
        return code

    def close_log(self) -> None:
        if self.log is not None:
            self.log.close()


def role_of(process: psutil.Process) -> str:
    """What a process of the arena does, by its command line."""
    try:
        line = " ".join(process.cmdline())
    except psutil.Error:
        return "gone"
    if "redis-server" in line or "valkey-server" in line:
        return "redis"
    if "targi_server.worker" in line:
        return "worker"
    return "supervisor" if "targi_server" in line else "other"


def pids_with(text: str) -> list[int]:
    """Processes that have a text in their command line: leftovers of an arena by its directory."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline"]):
        try:
            if process.pid != os.getpid() and text in " ".join(process.info["cmdline"] or []):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


@contextmanager
def arena(data_dir: Path, *flags: str) -> Iterator[Arena]:
    """A running arena that is gone, whatever happens, at the end of the block."""
    server = Arena(data_dir, flags=flags)
    try:
        server.start()
        yield server
    finally:
        left = server.tree()
        try:
            server.stop()
        finally:
            for process in left:
                if process.is_running():
                    process.kill()


def targi(
    *arguments: str, env: Mapping[str, str] | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Runs the command line of the environment that runs the tests."""
    return subprocess.run(
        [sys.executable, "-m", "targi_sdk.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        env={**os.environ, **(env or {})},
    )


def standings(server: Arena) -> list[dict[str, object]]:
    """The published table."""
    done = targi("standings", "--server", server.address, "--json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, object]] = json.loads(done.stdout)["standings"]
    return rows
