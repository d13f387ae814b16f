"""A real Prometheus for tests: found, or taken from Debian's package, and run on files of the test's own."""

import json
import os
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_process import get, wait_for
from spare_port import free_port

NEEDED = "tests of the deployment need Prometheus with promtool"


@dataclass(frozen=True)
class Programs:
    """The two programs."""

    prometheus: str
    promtool: str


def programs(folder: Path) -> Programs:
    """Those on PATH, else those of Debian's package, unpacked below `folder`; fails in words without both."""
    found = shutil.which("prometheus"), shutil.which("promtool")
    if found[0] and found[1]:
        return Programs(found[0], found[1])
    unpacked = unpack("prometheus", folder)
    return Programs(str(unpacked / "usr/bin/prometheus"), str(unpacked / "usr/bin/promtool"))


def unpack(package: str, folder: Path) -> Path:
    """Files of a Debian package. It is not installed, so nothing of it starts by itself."""
    if shutil.which("apt-get") is None:
        raise AssertionError(f"{NEEDED}: put both on PATH (there is no apt-get here to fetch them with)")
    download(package, folder)
    (archive,) = folder.glob(f"{package}_*.deb")
    run("dpkg", "-x", str(archive), str(folder / package))
    return folder / package


def download(package: str, folder: Path) -> None:
    """Fetches a package, with fresh lists if the ones here do not know it."""
    fetch = ["apt-get", "-q", "download", package]
    if subprocess.run(fetch, cwd=folder, capture_output=True, check=False).returncode == 0:
        return
    if os.geteuid() != 0:
        raise AssertionError(
            f"{NEEDED}: apt-get does not find it; run `apt-get update` as root, or install it"
        )
    run("apt-get", "-q", "update")
    run(*fetch, folder=folder)


def run(*command: str, folder: Path | None = None) -> str:
    """What a command prints; fails with it if the command fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Server:
    """A running Prometheus."""

    url: str

    # Any: JSON of a foreign API.
    def ask(self, path: str, **parameters: str) -> Any:
        """`data` of an answer of its HTTP API."""
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{query}", timeout=10) as answer:
            return json.load(answer)["data"]

    def values(self, query: str) -> list[float]:
        """The values that a query has now."""
        return [float(series["value"][1]) for series in self.ask("query", query=query)["result"]]


@contextmanager
def running(program: str, configuration: Path, data: Path) -> Iterator[Server]:
    """Prometheus on a configuration, until the end of the block."""
    port = free_port()
    command = [
        program,
        f"--config.file={configuration}",
        f"--storage.tsdb.path={data}",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]
    with subprocess.Popen(command) as process:
        try:
            wait_for("Prometheus", lambda: get(f"http://127.0.0.1:{port}/-/ready"))
            yield Server(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
