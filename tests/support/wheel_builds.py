"""Wheels of the project, built from the source tree, and environments that hold one and not the source."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Build:
    """How a build ended: the wheel, None if there is none, and what the build said."""

    wheel: Path | None
    said: str

    def names(self) -> list[str]:
        """The files in the wheel."""
        assert self.wheel is not None, self.said
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.namelist()

    def binaries(self) -> list[str]:
        """The extension modules in the wheel."""
        return [name for name in self.names() if name.endswith((".so", ".pyd"))]


def attempt(*command: str | Path, cwd: Path = ROOT, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with further environment variables, without a switch of the build from outside."""
    inherited = {name: text for name, text in os.environ.items() if name != "TARGI_COMPILE"}
    return subprocess.run(
        command, cwd=cwd, env={**inherited, **settings}, capture_output=True, text=True, check=False
    )


def run(*command: str | Path, cwd: Path = ROOT, **settings: str) -> str:
    """What a command prints; a failure fails the test with all that it said."""
    done = attempt(*command, cwd=cwd, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path, target: str = "wheel", source: Path = ROOT, **settings: str) -> Build:
    """Builds a source tree into an empty folder with the tools of this environment."""
    command = (sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder))
    done = attempt(*command, cwd=source, **settings)
    wheels = list(folder.glob("*.whl"))
    assert len(wheels) == (done.returncode == 0), done.stdout + done.stderr
    return Build(wheels[0] if wheels else None, done.stdout + done.stderr)


@dataclass(frozen=True)
class Environment:
    """A virtual environment. What it lacks it finds in the environment of the tests, but for the project."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def pip(self, *arguments: str | Path) -> None:
        """Installs with pip, without dependencies: they are there already."""
        run(sys.executable, "-m", "pip", "--python", self.python, "install", "-q", "--no-deps", *arguments)

    def run(self, *arguments: str | Path) -> str:
        """What its Python prints."""
        # Folders in PYTHONPATH are searched without their .pth files: an editable project stays out.
        return run(self.python, *arguments, PYTHONPATH=sysconfig.get_path("purelib"))


def new_environment(folder: Path) -> Environment:
    """An environment without any package of its own."""
    venv.create(folder, with_pip=False, symlinks=True)
    return Environment(folder)
